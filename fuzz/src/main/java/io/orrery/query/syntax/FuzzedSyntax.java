package io.orrery.query.syntax;

/** Opens the limit of nesting to the fuzzer. */
public final class FuzzedSyntax {
  /** Parentheses that a printed query has around its parts and the text may lack. */
  private static final int MARGIN = 8;

  private FuzzedSyntax() {}

  public static boolean isNearlyTooDeep(String text) {
    return !NestingLimit.allows(text, NestingLimit.MAX_DEPTH - MARGIN);
  }
}
