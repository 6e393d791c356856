package io.orrery.value;

import io.orrery.operation.Body;
import io.orrery.operation.Resource;
import java.util.LinkedHashMap;
import java.util.Map;

/** Resources as clients and queries see them: their own members, then the system properties. */
public final class ResourceJson {
  private ResourceJson() {}

  public static Value.Obj value(Resource resource) {
    var members = new LinkedHashMap<String, Value>();
    if (Json.parse(resource.definition().bytes().array()) instanceof Value.Obj(var own)) {
      members.putAll(own);
    }
    addSystemProperties(resource, members);
    return new Value.Obj(members);
  }

  public static Body body(Resource resource) {
    return Body.json(Json.write(value(resource)));
  }

  /** The order of the members is that of the service, kind by kind. */
  private static void addSystemProperties(Resource resource, Map<String, Value> members) {
    members.put("_rid", Value.of(resource.rid()));
    switch (resource.kind()) {
      case DATABASE -> {
        addSelfAndEtag(resource, members);
        addLinks(members, "colls", "users");
        addTimestamp(resource, members);
      }
      case CONTAINER -> {
        addTimestamp(resource, members);
        addSelfAndEtag(resource, members);
        addLinks(members, "docs", "sprocs", "triggers", "udfs", "conflicts");
      }
      case USER -> {
        addSelfAndEtag(resource, members);
        addLinks(members, "permissions");
        addTimestamp(resource, members);
      }
      case OFFER, SCRIPT, PERMISSION -> {
        addSelfAndEtag(resource, members);
        addTimestamp(resource, members);
      }
    }
  }

  private static void addSelfAndEtag(Resource resource, Map<String, Value> members) {
    members.put("_self", Value.of(resource.self()));
    members.put("_etag", Value.of(resource.etag().text()));
  }

  private static void addTimestamp(Resource resource, Map<String, Value> members) {
    members.put("_ts", Value.of(resource.timestampSeconds()));
  }

  private static void addLinks(Map<String, Value> members, String... feeds) {
    for (String feed : feeds) {
      members.put("_" + feed, Value.of(feed + "/"));
    }
  }
}
