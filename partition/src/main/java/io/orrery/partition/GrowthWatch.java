package io.orrery.partition;

/** Tells of a partition that has grown too large, and again only when it has grown further. */
final class GrowthWatch {
  private final GrowthListener listener;
  private long nextBytes;

  GrowthWatch(GrowthListener listener, long limitBytes) {
    this.listener = listener;
    this.nextBytes = limitBytes;
  }

  void see(Sizes sizes) {
    if (sizes.bytes() > nextBytes) {
      nextBytes = sizes.bytes() + sizes.bytes() / 10;
      listener.grown();
    }
  }
}
