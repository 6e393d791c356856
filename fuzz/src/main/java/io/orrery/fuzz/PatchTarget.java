package io.orrery.fuzz;

import io.orrery.nosql.FuzzedNosql;
import io.orrery.operation.Patch;
import io.orrery.value.Json;
import io.orrery.value.MalformedBody;
import io.orrery.value.Patches;
import io.orrery.value.Value;
import org.jspecify.annotations.Nullable;

/** Reads patches and applies them; a patch of plain maps gives the same item or fails as well. */
final class PatchTarget implements Target {
  private static final String ITEM =
      "{\"id\":\"1\",\"n\":1,\"f\":1.5,\"s\":\"x\",\"z\":null,\"t\":[1,[2,3],{\"x\":4}],"
          + "\"o\":{\"a\":{\"b\":5},\"~\":6,\"/\":7,\"0\":8},\"big\":9223372036854775807}";

  @Override
  public void run(byte[] input) {
    byte[] text = Expansion.of(input);
    Patch patch;
    try {
      patch = FuzzedNosql.patch(text);
    } catch (MalformedBody refused) {
      return;
    }
    if (patch == null) {
      return;
    }
    Object expected = null;
    String refused = null;
    try {
      expected = PlainPatch.applied(ITEM, text);
    } catch (PlainPatch.DoesNotFit e) {
      refused = e.getMessage();
    }
    Value patched = patched(patch);
    if (patched == null) {
      Finding.unless(refused != null, "a patch that fits is refused: " + patch);
      return;
    }
    Finding.unless(refused == null, "a patch is applied that does not fit: " + refused);
    Finding.unless(
        JsonTarget.sameNumbers(patched, expected), "patched " + patched + ", expected " + expected);
  }

  private static @Nullable Value patched(Patch patch) {
    try {
      return Patches.apply((Value.Obj) Json.parse(ITEM), patch);
    } catch (MalformedBody refused) {
      return null;
    }
  }
}
