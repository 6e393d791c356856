package io.orrery.server;

import io.orrery.routing.ReshapeStep;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * For tests only: {@code -Dorrery.crash.at=SEALED} ends the process as a power cut would when a
 * split or merge reaches that {@link ReshapeStep}.
 */
final class CrashPoint implements Consumer<ReshapeStep> {
  static final int EXIT_CODE = 86;

  private final @Nullable ReshapeStep at;

  private CrashPoint(@Nullable ReshapeStep at) {
    this.at = at;
  }

  static CrashPoint given() {
    String at = System.getProperty("orrery.crash.at");
    return new CrashPoint(at == null ? null : ReshapeStep.valueOf(at));
  }

  @Override
  public void accept(ReshapeStep step) {
    if (step == at) {
      Runtime.getRuntime().halt(EXIT_CODE);
    }
  }
}
