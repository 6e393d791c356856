package io.orrery.query.function;

import static io.orrery.query.function.Function.lenient;
import static io.orrery.query.function.Function.strict;

import io.orrery.value.Value;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** Functions of a choice, of the item itself, and of vectors. */
final class OtherFunctions {
  private static final int RID_BYTES_OF_DOCUMENT = 16;

  static final List<Function> ALL =
      List.of(
          lenient("IIF", 3, 3, a -> a[0].equals(Value.TRUE) ? a[1] : a[2]),
          strict("DOCUMENTID", 1, (a, work) -> documentId(a[0], work)),
          strict("VECTORDISTANCE", 2, 4, VectorDistance::of));

  private OtherFunctions() {}

  /** The item's number inside its partition: the last eight bytes of its resource id. */
  private static Value documentId(Value item, Work work) {
    work.steps(Work.walkSteps(item));
    if (!(item instanceof Value.Obj(Map<String, Value> members))
        || !(members.get("_rid") instanceof Value.Text(String rid))) {
      return Value.UNDEFINED;
    }
    try {
      byte[] bytes = Base64.getDecoder().decode(rid.replace('-', '/'));
      return bytes.length == RID_BYTES_OF_DOCUMENT
          ? Value.of(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(8))
          : Value.UNDEFINED;
    } catch (IllegalArgumentException notAResourceId) {
      return Value.UNDEFINED;
    }
  }
}
