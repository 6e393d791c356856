package io.orrery.query.index;

import io.orrery.query.index.Bindings.Meaning;
import io.orrery.query.syntax.Expression;
import io.orrery.value.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Follows names and paths to the places they lead to. */
record Meanings(Constants constants) {
  /** The place in the item, null when the expression is no path. */
  @Nullable Place place(Expression expression, Bindings bindings) {
    return of(expression, bindings) instanceof Meaning.Located(var place) ? place : null;
  }

  Meaning of(Expression expression, Bindings bindings) {
    return switch (expression) {
      case Expression.Reference(var name, _) -> followed(bindings.find(name));
      case Expression.Property(var of, var name, _, _) -> member(of(of, bindings), name);
      case Expression.Indexed(var of, var index, _) ->
          switch (constants.value(index)) {
            case Value.Text(String name) -> member(of(of, bindings), name);
            case Value.Num number -> element(of(of, bindings), number.asDouble());
            case null, default -> Bindings.UNKNOWN;
          };
      default -> new Meaning.Written(expression, bindings);
    };
  }

  private Meaning followed(@Nullable Meaning meaning) {
    return switch (meaning) {
      case null -> Bindings.UNKNOWN;
      case Meaning.Written(var expression, var bindings) -> of(expression, bindings);
      case Meaning.Located _, Meaning.Unknown _ -> meaning;
    };
  }

  Meaning member(Meaning of, String name) {
    return switch (of) {
      case Meaning.Located(var place) -> new Meaning.Located(place.member(name));
      case Meaning.Written(Expression.ObjectOf(var members, _), var bindings) -> {
        List<Expression> named =
            members.stream()
                .filter(member -> member.name().equals(name))
                .map(Expression.Member::value)
                .toList();
        // Of two members of one name the last wins unless it is undefined.
        yield named.size() == 1 ? of(named.getFirst(), bindings) : Bindings.UNKNOWN;
      }
      case Meaning.Written _, Meaning.Unknown _ -> Bindings.UNKNOWN;
    };
  }

  static Meaning element(Meaning of, double number) {
    return of instanceof Meaning.Located(var place)
        ? new Meaning.Located(place.at(number))
        : Bindings.UNKNOWN;
  }
}
