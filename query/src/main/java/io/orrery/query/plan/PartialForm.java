package io.orrery.query.plan;

import io.orrery.query.syntax.Expression;
import io.orrery.query.syntax.Query;
import java.util.List;

/**
 * The form that plans give to aggregates and groups for clients that merge: every row is a part of
 * the answer, whichever items it covers, so that the items may be spread over any number of pages.
 */
public final class PartialForm {
  private static final String ITEM = "item";

  private PartialForm() {}

  /** Whether the query asks for rows that its client will merge. */
  public static boolean isOf(Query query) {
    Query.Select select = query.select();
    boolean plain =
        !select.distinct()
            && select.top() == null
            && query.orderBy() == null
            && query.offsetLimit() == null;
    return plain
        && switch (select.selection()) {
          case Query.Selection.Star _ -> false;
          case Query.Selection.Only(var value) -> query.groupBy().isEmpty() && isList(value);
          case Query.Selection.Items(var items) ->
              query.groupBy().isEmpty() ? isPayload(items) : isGroup(items);
        };
  }

  private static boolean isGroup(List<Query.Item> items) {
    return items.size() == 2
        && "groupByItems".equals(items.getFirst().alias())
        && isList(items.getFirst().value())
        && "payload".equals(items.getLast().alias());
  }

  private static boolean isPayload(List<Query.Item> items) {
    return items.size() == 1
        && "payload".equals(items.getFirst().alias())
        && items.getFirst().value() instanceof Expression.ObjectOf(var members, _)
        && members.stream().allMatch(member -> isItem(member.value()));
  }

  private static boolean isList(Expression value) {
    return value instanceof Expression.ArrayOf(var items, _)
        && items.stream().allMatch(PartialForm::isItem);
  }

  private static boolean isItem(Expression value) {
    return value instanceof Expression.ObjectOf(var members, _)
        && !members.isEmpty()
        && members.getFirst().name().equals(ITEM);
  }
}
