package io.orrery.routing;

import io.orrery.operation.RequestCharge;
import io.orrery.partition.Tenure;
import io.orrery.routing.catalog.CatalogReaders;
import io.orrery.storage.PartitionId;
import org.jspecify.annotations.Nullable;

/** Who serves what, where several nodes serve one account. */
interface Nodes extends CatalogReaders {
  /** One node that serves everything. */
  Nodes ALONE =
      new Nodes() {
        @Override
        public boolean isAlone() {
          return true;
        }

        @Override
        public boolean serves(PartitionId id) {
          return true;
        }

        @Override
        public Tenure tenure() {
          return Tenure.SOLE;
        }

        @Override
        public long term() {
          return 0;
        }

        @Override
        public boolean isCurrent() {
          return true;
        }

        @Override
        public boolean leads() {
          return true;
        }

        @Override
        public long acknowledged(PartitionId id) {
          throw new IllegalStateException("There is nobody to ask");
        }

        @Override
        public void requireTurn(long epoch) {}

        @Override
        public void await(long version) {}

        @Override
        public void grown() {}

        @Override
        public void tell(VirtualClock.Reading time) {}

        @Override
        public Budget.Usage usage(PartitionId id) {
          throw new IllegalStateException("There is nobody to ask");
        }

        @Override
        public @Nullable String addressOf(PartitionId id) {
          return null;
        }

        @Override
        public Drawn draw(PartitionId id, RequestCharge estimate) {
          throw new IllegalStateException("There is nobody to ask");
        }
      };

  /** Whether there are no others. */
  default boolean isAlone() {
    return false;
  }

  /** Whether it is this node that has to serve a partition. */
  boolean serves(PartitionId id);

  /** By what right this node serves what it serves. */
  Tenure tenure();

  /** Another number each time that the others have taken this node for dead. */
  long term();

  /** Whether the others count on this node, and it knows what they know. */
  boolean isCurrent();

  /** Whether this node looks after what concerns all: the catalog, splits and merges. */
  boolean leads();

  /**
   * How far a partition is that another node serves; blocks.
   *
   * @throws io.orrery.partition.PartitionMoved when nobody could tell
   */
  long acknowledged(PartitionId id);

  /**
   * Takes units of a partition that another node serves; blocks.
   *
   * @throws Refused when they are spent
   */
  Drawn draw(PartitionId id, RequestCharge estimate);

  /** What was used of a partition that another node serves; null when it cannot tell. Blocks. */
  Budget.@Nullable Usage usage(PartitionId id);

  /** Which node serves a partition, as {@code host:port}; null where there is only one. */
  @Nullable String addressOf(PartitionId id);

  /** A partition of this node has grown: lets the one who leads look after it. */
  void grown();

  /** Lets the virtual clocks of all show what that of the one who leads shows; blocks. */
  void tell(VirtualClock.Reading time);
}
