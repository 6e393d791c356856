package io.orrery.operation;

import java.io.Serializable;
import java.util.HexFormat;

/** Names one version of a resource; the text carries its quotes, as on the wire. */
public record Etag(String text) implements Serializable {
  private static final HexFormat HEX = HexFormat.of();

  /**
   * The etag of what a transaction wrote: its LSN, the position in the transaction and the time of
   * the commit, in the service's shape. One resource is never written twice at one LSN and
   * position, so the pair names the version. LSNs begin anew in a container that takes the name of
   * another, often within the same second: the whole time tells its items from the old ones.
   */
  public static Etag of(long lsn, int position, long commitTicks) {
    int fraction = (int) (commitTicks % Ticks.PER_SECOND);
    var text = new StringBuilder(40).append('"');
    text.append(HEX.toHexDigits((int) lsn)).append('-');
    text.append(HEX.toHexDigits((short) (lsn >>> 32))).append('-');
    text.append(HEX.toHexDigits((short) position)).append('-');
    text.append(HEX.toHexDigits((short) (fraction >>> 16))).append('-');
    text.append(HEX.toHexDigits((int) (commitTicks / Ticks.PER_SECOND)));
    text.append(HEX.toHexDigits((short) fraction)).append('"');
    return new Etag(text.toString());
  }
}
