package io.orrery.query.syntax;

import java.util.BitSet;
import java.util.List;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.Token;

/**
 * Bounds the depth of the syntax tree before it is built, so that no walk over it can exhaust the
 * stack: along any path, brackets and operators that nest are counted from the left and from the
 * right (the first operand of a chain is its deepest, and its operators follow it).
 */
final class NestingLimit {
  static final int MAX_DEPTH = 256;

  private NestingLimit() {}

  /** Whether a text could be parsed, as far as its nesting goes. */
  static boolean allows(String text) {
    return allows(text, MAX_DEPTH);
  }

  static boolean allows(String text, int depthMax) {
    if (text.length() <= depthMax) {
      return true;
    }
    SqlLexer lexer = new SqlLexer(CharStreams.fromString(text));
    lexer.removeErrorListeners();
    try {
      check(List.copyOf(lexer.getAllTokens()), Offsets.of(text), depthMax);
      return true;
    } catch (QueryRefused refused) {
      return false;
    }
  }

  static void check(List<Token> tokens, Offsets offsets) {
    check(tokens, offsets, MAX_DEPTH);
  }

  private static void check(List<Token> tokens, Offsets offsets, int depthMax) {
    BitSet bounds = new BitSet();
    Depth forward = new Depth(tokens.size(), depthMax);
    for (int i = 0; i < tokens.size(); i++) {
      if (forward.isBound(tokens.get(i).getType())) {
        bounds.set(i);
        continue;
      }
      if (isIndex(tokens, i)) {
        forward.deepen();
      }
      if (forward.exceeds(tokens.get(i).getType(), true)) {
        throw refused(tokens.get(i), offsets);
      }
    }
    Depth backward = new Depth(tokens.size(), depthMax);
    for (int i = tokens.size() - 1; i >= 0; i--) {
      if (bounds.get(i)) {
        continue;
      }
      boolean deep = backward.exceeds(tokens.get(i).getType(), false);
      if (isIndex(tokens, i)) {
        backward.deepen();
      }
      if (deep) {
        throw refused(tokens.get(i), offsets);
      }
    }
  }

  /** A bracket behind an operand is a step down from it, as a dot is; others hold arrays. */
  private static boolean isIndex(List<Token> tokens, int at) {
    return tokens.get(at).getType() == SqlParser.LBRACKET
        && at > 0
        && switch (tokens.get(at - 1).getType()) {
          case SqlParser.IDENTIFIER,
              SqlParser.PARAMETER,
              SqlParser.RPAREN,
              SqlParser.RBRACKET,
              SqlParser.RBRACE ->
              true;
          default -> false;
        };
  }

  private static QueryRefused refused(Token token, Offsets offsets) {
    return new QueryRefused(
        "SC1001",
        "Syntax error, the query nests deeper than " + MAX_DEPTH + " levels.",
        offsets.span(token, token));
  }

  private static final class Depth {
    private final int[] chains;

    /** Operators ?? and ?: of each level, whose nesting AND and OR do not end. */
    private final int[] choices;

    /** The BETWEENs of each level whose AND has not come yet. */
    private final int[] open;

    private final int max;
    private int level;
    private int total;

    Depth(int tokens, int max) {
      this.max = max;
      chains = new int[Math.min(tokens, max) + 2];
      choices = new int[chains.length];
      open = new int[chains.length];
    }

    /** Whether the next token is the AND of a BETWEEN, which separates no conditions. */
    boolean isBound(int type) {
      if (type == SqlParser.BETWEEN) {
        open[level]++;
      } else if (type == SqlParser.AND && open[level] > 0) {
        open[level]--;
        return true;
      }
      return false;
    }

    void deepen() {
      chains[level]++;
      total++;
    }

    boolean exceeds(int type, boolean leftToRight) {
      switch (type) {
        case SqlParser.LPAREN, SqlParser.LBRACKET, SqlParser.LBRACE -> step(leftToRight);
        case SqlParser.RPAREN, SqlParser.RBRACKET, SqlParser.RBRACE -> step(!leftToRight);
        // What these separate are siblings: the chain starts anew.
        case SqlParser.COMMA, SqlParser.WHERE, SqlParser.FROM -> {
          restart();
          total -= choices[level];
          choices[level] = 0;
        }
        case SqlParser.AND, SqlParser.OR -> restart();
        // Whole conditions are operands of these, and each nests in the next.
        case SqlParser.COALESCE, SqlParser.QUESTION, SqlParser.COLON -> {
          choices[level]++;
          total++;
        }
        case SqlParser.IDENTIFIER, SqlParser.NUMBER, SqlParser.STRING, SqlParser.PARAMETER -> {
          return false;
        }
        default -> deepen();
      }
      return total + level > max || level >= chains.length - 1;
    }

    private void restart() {
      total -= chains[level];
      chains[level] = 0;
    }

    private void step(boolean in) {
      if (in) {
        level++;
        chains[level] = 0;
        choices[level] = 0;
        open[level] = 0;
      } else if (level > 0) {
        total -= chains[level] + choices[level];
        level--;
      }
    }
  }
}
