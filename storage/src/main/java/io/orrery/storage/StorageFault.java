package io.orrery.storage;

/** The engine could not do its work; what was asked did not happen. */
public class StorageFault extends RuntimeException {
  private static final long serialVersionUID = 1;

  public StorageFault(String message) {
    super(message);
  }

  public StorageFault(String message, Throwable cause) {
    super(message, cause);
  }
}
