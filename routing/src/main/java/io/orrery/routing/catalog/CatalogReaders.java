package io.orrery.routing.catalog;

/** Other processes that go by the same catalog. */
public interface CatalogReaders {
  /** There are none. */
  CatalogReaders NONE =
      new CatalogReaders() {
        @Override
        public void requireTurn(long epoch) {}

        @Override
        public void await(long version) {}
      };

  /**
   * Makes sure that it is this process that changes the catalog.
   *
   * @param epoch that stands in the catalog: of whoever took its changing over last
   * @throws RuntimeException when it is another one
   */
  void requireTurn(long epoch);

  /** Returns when all who read the catalog go by that version, or serve nothing; blocks. */
  void await(long version);
}
