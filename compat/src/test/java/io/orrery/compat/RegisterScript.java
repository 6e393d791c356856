package io.orrery.compat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/** The stored procedure that reads and changes registers. */
final class RegisterScript {
  static final String NAME = "append";

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Reads all registers of the partition, then adds values to some, by replacing or recreating
   * them; throws at the end if it is told so.
   */
  private static final String TEXT =
      """
      function append(ids, values, recreates, inVain) {
        const collection = getContext().getCollection();
        const seen = {};
        function link(id) { return collection.getAltLink() + '/docs/' + id; }
        function must(accepted) { if (!accepted) { throw new Error('out of time'); } }
        function read(i) {
          if (i === ids.length) { return write(Object.keys(values)); }
          must(collection.readDocument(link(ids[i]), (error, item) => {
            if (error) { throw error; }
            seen[ids[i]] = item;
            read(i + 1);
          }));
        }
        function write(left) {
          if (left.length === 0) {
            if (inVain) { throw new Error('in vain'); }
            getContext().getResponse().setBody(seen);
            return;
          }
          const { id, pk, values: before } = seen[left[0]];
          const next = { id, pk, values: [...before, values[left[0]]] };
          function written(error) {
            if (error) { throw error; }
            write(left.slice(1));
          }
          if (!recreates) {
            must(collection.replaceDocument(link(left[0]), next, written));
            return;
          }
          must(collection.deleteDocument(link(left[0]), {}, (error) => {
            if (error) { throw error; }
            must(collection.createDocument(collection.getSelfLink(), next, written));
          }));
        }
        read(0);
      }
      """;

  private RegisterScript() {}

  /** What creates it. */
  static String definition() {
    return JSON.createObjectNode().put("id", NAME).put("body", TEXT).toString();
  }

  /**
   * What a call gives it.
   *
   * @param ids the registers that it reads
   * @param values what it adds, by the id of the register
   */
  static String arguments(
      List<String> ids, Map<String, String> values, boolean recreates, boolean inVain) {
    ArrayNode arguments = JSON.createArrayNode();
    ids.forEach(arguments.addArray()::add);
    ObjectNode added = arguments.addObject();
    values.forEach(added::put);
    return arguments.add(recreates).add(inVain).toString();
  }
}
