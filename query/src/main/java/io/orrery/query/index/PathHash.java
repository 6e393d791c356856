package io.orrery.query.index;

/** Hashes of paths, made segment by segment so that walking an item builds no text. */
final class PathHash {
  static final long ROOT = 0x6F72726572792031L;
  private static final long COMPOSITE = 0x6F72726572792032L;
  private static final long PRIME = 0x100000001B3L;

  private PathHash() {}

  static long child(long parent, String segment) {
    long hash = parent ^ 0xCBF29CE484222325L;
    for (int i = 0; i < segment.length(); i++) {
      hash = (hash ^ segment.charAt(i)) * PRIME;
    }
    return mixed(hash + segment.length());
  }

  static long of(IndexPath path) {
    long hash = ROOT;
    for (String segment : path.segments()) {
      hash = child(hash, segment);
    }
    return hash;
  }

  static long of(CompositeIndex index) {
    long hash = COMPOSITE;
    for (CompositeIndex.Key key : index.keys()) {
      hash = mixed(hash * 31 + key.path().hash() + (key.descending() ? 1 : 0));
    }
    return hash;
  }

  /** Murmur's finalizer; zero is kept for items that are only partly indexed. */
  private static long mixed(long hash) {
    long mixed = (hash ^ (hash >>> 33)) * 0xFF51AFD7ED558CCDL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xC4CEB9FE1A85EC53L;
    mixed ^= mixed >>> 33;
    return mixed == 0 ? 1 : mixed;
  }
}
