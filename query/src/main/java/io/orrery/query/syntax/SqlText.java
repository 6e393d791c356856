package io.orrery.query.syntax;

import io.orrery.query.syntax.SqlParser.StatementContext;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.antlr.v4.runtime.BailErrorStrategy;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.DefaultErrorStrategy;
import org.antlr.v4.runtime.NoViableAltException;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.atn.PredictionMode;
import org.antlr.v4.runtime.misc.ParseCancellationException;
import org.jspecify.annotations.Nullable;

/** Reads query text: bounded in length and nesting, linear in time. */
public final class SqlText {
  /** Documented limit of the service. */
  public static final int MAX_BYTES = 512 * 1024;

  private SqlText() {}

  public static Query parse(String text) {
    return read(text, SqlParser::statement, StatementContext::query, TreeBuilder::query);
  }

  /** A filter of a partial update: {@code from c where c.n = 10}. */
  public static Query parseCondition(String text) {
    return read(text, SqlParser::condition, Function.identity(), TreeBuilder::condition);
  }

  private interface Building<C> {
    Query build(TreeBuilder builder, C context);
  }

  private static <C, D> Query read(
      String text, Function<SqlParser, C> rule, Function<C, D> inner, Building<D> building) {
    // A char is at least one byte, so the longer test runs only near the limit.
    if (text.length() > MAX_BYTES || utf8Length(text) > MAX_BYTES) {
      throw new QueryRefused(
          null, "The SQL query text exceeded the maximum limit of " + MAX_BYTES + " bytes.", null);
    }
    SqlLexer lexer = new SqlLexer(CharStreams.fromString(text));
    lexer.removeErrorListeners();
    CommonTokenStream tokens = new CommonTokenStream(lexer);
    tokens.fill();
    Offsets offsets = Offsets.of(text);
    NestingLimit.check(tokens.getTokens(), offsets);
    C tree = parseTree(tokens, rule, offsets, text);
    return building.build(new TreeBuilder(offsets), inner.apply(tree));
  }

  private static int utf8Length(String text) {
    return text.length() * 3 <= MAX_BYTES
        ? text.length()
        : text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static <C> C parseTree(
      CommonTokenStream tokens, Function<SqlParser, C> rule, Offsets offsets, String text) {
    SqlParser parser = new SqlParser(tokens);
    parser.removeErrorListeners();
    parser.setErrorHandler(new BailErrorStrategy());
    parser.getInterpreter().setPredictionMode(PredictionMode.SLL);
    try {
      return rule.apply(parser);
    } catch (ParseCancellationException e) {
      // Simple prediction may refuse what full prediction accepts; the second run decides.
      tokens.seek(0);
      parser.reset();
      parser.getInterpreter().setPredictionMode(PredictionMode.LL);
      FirstError first = new FirstError();
      parser.setErrorHandler(first);
      try {
        return rule.apply(parser);
      } catch (ParseCancellationException refused) {
        Token offending = first.offending;
        throw syntaxError(offending == null ? parser.getCurrentToken() : offending, offsets, text);
      }
    }
  }

  private static QueryRefused syntaxError(Token token, Offsets offsets, String text) {
    if (token.getType() == Token.EOF) {
      return new QueryRefused(
          "SC1002",
          "Syntax error, unexpected end-of-file.",
          new Span(text.length(), text.length()));
    }
    if (token.getType() == SqlLexer.UNENDED) {
      // The error is at the opening quote, not in the text behind it.
      return nearBy(token.getText().substring(0, 1), offsets.first(token));
    }
    return nearBy(token.getText(), offsets.span(token, token));
  }

  private static QueryRefused nearBy(String text, Span at) {
    return new QueryRefused("SC1001", "Syntax error, incorrect syntax near '" + text + "'.", at);
  }

  /** Remembers the first token that fits nowhere and gives up there. */
  private static final class FirstError extends DefaultErrorStrategy {
    private @Nullable Token offending;

    @Override
    public void reportError(Parser recognizer, RecognitionException e) {
      note(
          e instanceof NoViableAltException n && n.getOffendingToken() != null
              ? n.getOffendingToken()
              : recognizer.getCurrentToken());
    }

    @Override
    public void recover(Parser recognizer, RecognitionException e) {
      throw new ParseCancellationException(e);
    }

    @Override
    public Token recoverInline(Parser recognizer) {
      note(recognizer.getCurrentToken());
      throw new ParseCancellationException();
    }

    @Override
    public void sync(Parser recognizer) {
      // Recovery is not wanted; the rule itself meets the token and reports it.
    }

    private void note(Token token) {
      if (offending == null) {
        offending = token;
      }
    }
  }
}
