package io.orrery.routing.definition;

import io.orrery.operation.ContainerRef;
import io.orrery.operation.ScriptKind;
import io.orrery.value.MalformedBody;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The path of a resource that a permission can be for, by names or rids.
 *
 * @param container the container, or the one that it is in
 * @param within what of the container; null for the container itself
 */
public record ResourceLink(ContainerRef container, @Nullable Within within) {

  /** Something in a container. */
  public sealed interface Within {}

  /** An item by id or rid. */
  public record Item(String idOrRid) implements Within {}

  /** A script by id or rid. */
  public record Script(ScriptKind kind, String idOrRid) implements Within {}

  /**
   * Takes a link apart; slashes at its ends do not count.
   *
   * @throws MalformedBody when no permission can be for it
   */
  static ResourceLink parse(String link) {
    int begin = link.startsWith("/") ? 1 : 0;
    int end = link.endsWith("/") && link.length() > begin ? link.length() - 1 : link.length();
    List<String> segments = List.of(link.substring(begin, end).split("/", -1));
    boolean inContainer =
        (segments.size() == 4 || segments.size() == 6)
            && segments.get(0).equals("dbs")
            && segments.get(2).equals("colls")
            && segments.stream().noneMatch(String::isEmpty);
    if (!inContainer) {
      throw noLink(link);
    }
    var container = ContainerRef.of(segments.get(1), segments.get(3));
    return segments.size() == 4
        ? new ResourceLink(container, null)
        : new ResourceLink(container, within(segments.get(4), segments.get(5), link));
  }

  private static Within within(String kind, String name, String link) {
    if (kind.equals("docs")) {
      return new Item(name);
    }
    for (ScriptKind script : ScriptKind.values()) {
      if (script.feed().equals(kind)) {
        return new Script(script, name);
      }
    }
    throw noLink(link);
  }

  private static MalformedBody noLink(String link) {
    return new MalformedBody(
        "The permission.resource must be the link of a container (dbs/DB/colls/COLL), or of an"
            + " item, stored procedure, trigger or function in one (…/docs/ID, …/sprocs/ID,"
            + " …/triggers/ID, …/udfs/ID), not '"
            + link
            + "'");
  }
}
