package io.orrery.nosql;

/** A page that needs no signature. Pages are made one at a time and may take a while. */
public interface PublicPage {

  /**
   * What the page says now.
   *
   * @param signed whether the client showed an account key, and may learn names
   */
  Page content(boolean signed);
}
