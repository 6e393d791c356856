package io.orrery.fuzz;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every input that is kept, those that once found something among them, finds nothing now. */
class CorpusTest {
  static List<Targets> targets() {
    return Targets.ALL;
  }

  @ParameterizedTest
  @MethodSource("targets")
  void keptInputsFindNothing(Targets target) throws IOException {
    List<byte[]> kept = FuzzRun.kept(target);
    assertFalse(kept.isEmpty(), "there is a corpus");
    Bounded bounded = target.bounded();
    for (byte[] input : kept) {
      assertDoesNotThrow(() -> bounded.run(input), () -> CorpusFile.line(input));
    }
  }
}
