package io.orrery.server;

/** The four keys of an account. */
enum KeyName {
  PRIMARY("primary", Setting.PRIMARY_KEY),
  SECONDARY("secondary", Setting.SECONDARY_KEY),
  PRIMARY_READONLY("primaryReadonly", Setting.PRIMARY_READONLY_KEY),
  SECONDARY_READONLY("secondaryReadonly", Setting.SECONDARY_READONLY_KEY);

  private final String label;
  private final Setting setting;

  KeyName(String label, Setting setting) {
    this.label = label;
    this.setting = setting;
  }

  String label() {
    return label;
  }

  Setting setting() {
    return setting;
  }

  /** Whether the key opens writes. */
  boolean writes() {
    return this == PRIMARY || this == SECONDARY;
  }
}
