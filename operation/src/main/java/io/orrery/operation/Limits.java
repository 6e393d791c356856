package io.orrery.operation;

/**
 * What a request may not exceed. {@link #SEEDS} follows the documents of 2017/18, {@link #TODAY}
 * the service of today.
 *
 * @param fixedContainers whether containers without a partition key are offered
 */
public record Limits(
    long logicalPartitionBytes,
    long physicalPartitionBytes,
    int physicalPartitionUnitsPerSecond,
    boolean fixedContainers,
    int idCharacters,
    int idBytes,
    int itemBytes,
    int nesting,
    int partitionKeyBytes,
    int pageBytes) {
  private static final long GIGABYTE = 1L << 30;
  private static final int ITEM_BYTES = 2 << 20;
  private static final int PAGE_BYTES = 4 << 20;

  public static final Limits SEEDS =
      new Limits(
          10 * GIGABYTE,
          10 * GIGABYTE,
          10_000,
          true,
          255,
          1_023,
          ITEM_BYTES,
          128,
          2_048,
          PAGE_BYTES);
  public static final Limits TODAY =
      new Limits(
          20 * GIGABYTE,
          50 * GIGABYTE,
          10_000,
          false,
          1_023,
          1_023,
          ITEM_BYTES,
          128,
          2_048,
          PAGE_BYTES);

  /** As headers and scripts tell it, sizes in kilobytes. */
  public String quota() {
    long kilobytes = physicalPartitionBytes >> 10;
    return ("documentSize=" + (itemBytes >> 10) + ";documentsSize=" + kilobytes)
        + (";documentsCount=-1;collectionSize=" + kilobytes + ";");
  }

  /** The same, with other sizes of partitions. */
  public Limits withPartitionBytes(long logical, long physical) {
    return new Limits(
        logical,
        physical,
        physicalPartitionUnitsPerSecond,
        fixedContainers,
        idCharacters,
        idBytes,
        itemBytes,
        nesting,
        partitionKeyBytes,
        pageBytes);
  }

  /** The same, with another throughput of partitions. */
  public Limits withPartitionUnits(int unitsPerSecond) {
    return new Limits(
        logicalPartitionBytes,
        physicalPartitionBytes,
        unitsPerSecond,
        fixedContainers,
        idCharacters,
        idBytes,
        itemBytes,
        nesting,
        partitionKeyBytes,
        pageBytes);
  }
}
