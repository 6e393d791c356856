package io.orrery.operation;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * An outcome with what every protocol tells beside it.
 *
 * @param owner the resource above the one concerned; null at the root or when it was not found
 * @param position where in which range it happened; null when no single range was concerned
 */
public record Answer(
    Outcome outcome, RequestCharge charge, @Nullable Owner owner, @Nullable Position position)
    implements Serializable {

  /** The resource above, by the path of ids ({@code dbs/d/colls/c}) and by its rid. */
  public record Owner(String path, String rid) implements Serializable {}

  /**
   * A state of a range: the source of session tokens.
   *
   * @param itemLsn the transaction that wrote the item concerned; the range's LSN where there is
   *     none
   */
  public record Position(String rangeId, long lsn, long itemLsn) implements Serializable {}

  public static Answer of(Outcome outcome, RequestCharge charge) {
    return new Answer(outcome, charge, null, null);
  }
}
