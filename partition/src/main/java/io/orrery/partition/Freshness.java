package io.orrery.partition;

import java.util.function.Supplier;

/** Sees to it that a read shows all that was acknowledged before it began. */
interface Freshness {
  /**
   * Reads, perhaps several times; blocks.
   *
   * @throws PartitionMoved when the range is served elsewhere now
   */
  <T> T read(Supplier<T> work);

  /**
   * Reads where nobody else writes: what is there is all there is. A partition that is closed may
   * be dropped, and where reads do not repeat, whoever still reads it then finds nothing.
   */
  static Freshness sole(Writer writer) {
    return new Freshness() {
      @Override
      public <T> T read(Supplier<T> work) {
        T answer = work.get();
        if (writer.isClosed()) {
          throw new PartitionMoved();
        }
        return answer;
      }
    };
  }

  /**
   * Reads under a lease, renewed by a commit when it has run out. Where the read itself took
   * longer, a commit after it proves as well that nobody else had written.
   */
  static Freshness leased(Writer writer) {
    var renewals = new Renewals(writer);
    return new Freshness() {
      @Override
      public <T> T read(Supplier<T> work) {
        if (!writer.commits().hasLease()) {
          renewals.renew();
        }
        T answer = work.get();
        if (!writer.commits().hasLease()) {
          renewals.renew();
        }
        return answer;
      }
    };
  }

  /** Reads what others write, after asking them how far they are. */
  static Freshness visiting(Writer writer, Visit visit) {
    return new Freshness() {
      @Override
      public <T> T read(Supplier<T> work) {
        while (true) {
          writer.commits().catchUp(visit.version());
          IndexState index = writer.index();
          T answer = work.get();
          // Entries that were relied on may have been on their way out.
          writer.commits().catchUp(0);
          if (writer.index().servesAs(index)) {
            return answer;
          }
        }
      }
    };
  }
}
