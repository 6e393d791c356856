package io.orrery.query;

import io.orrery.query.syntax.Expression;
import io.orrery.query.syntax.Query;
import java.util.List;

/** Names of selected items: the alias, else the last name of the path, else a running number. */
public final class ItemNames {
  private ItemNames() {}

  public static String[] of(List<Query.Item> items) {
    String[] names = new String[items.size()];
    int unnamed = 0;
    for (int i = 0; i < names.length; i++) {
      String alias = items.get(i).alias();
      names[i] =
          alias != null
              ? alias
              : switch (items.get(i).value()) {
                case Expression.Property property -> property.name();
                case Expression.Reference reference -> reference.name();
                default -> "$" + ++unnamed;
              };
    }
    return names;
  }
}
