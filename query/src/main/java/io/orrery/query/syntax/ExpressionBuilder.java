package io.orrery.query.syntax;

import io.orrery.query.syntax.Expression.SubqueryKind;
import io.orrery.query.syntax.Expression.UnaryOperator;
import io.orrery.query.syntax.SqlParser.BinaryOperatorContext;
import io.orrery.query.syntax.SqlParser.CoalescenceContext;
import io.orrery.query.syntax.SqlParser.ConjunctionContext;
import io.orrery.query.syntax.SqlParser.DisjunctionContext;
import io.orrery.query.syntax.SqlParser.ExpressionContext;
import io.orrery.query.syntax.SqlParser.FunctionCallContext;
import io.orrery.query.syntax.SqlParser.LiteralContext;
import io.orrery.query.syntax.SqlParser.OperandContext;
import io.orrery.query.syntax.SqlParser.PostfixContext;
import io.orrery.query.syntax.SqlParser.PredicateContext;
import io.orrery.query.syntax.SqlParser.PredicateSuffixContext;
import io.orrery.query.syntax.SqlParser.PrimaryContext;
import io.orrery.query.syntax.SqlParser.UnaryContext;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.ParseTree;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.jspecify.annotations.Nullable;

/** Builds expressions from the parser's tree. */
final class ExpressionBuilder {
  private final TreeBuilder queries;
  private final Offsets offsets;

  /** Tokens of NOT before this index were lifted above the predicate they begin. */
  private int liftedBefore;

  ExpressionBuilder(TreeBuilder queries, Offsets offsets) {
    this.queries = queries;
    this.offsets = offsets;
  }

  List<Expression> all(List<ExpressionContext> contexts) {
    List<Expression> expressions = new ArrayList<>(contexts.size());
    contexts.forEach(context -> expressions.add(expression(context)));
    return expressions;
  }

  Expression expression(ExpressionContext context) {
    Expression test = coalescence(context.coalescence());
    if (context.QUESTION() == null) {
      return test;
    }
    return new Expression.Conditional(
        test, expression(context.expression(0)), expression(context.expression(1)), span(context));
  }

  private Expression coalescence(CoalescenceContext context) {
    Expression left = disjunction(context.disjunction(0));
    for (int i = 1; i < context.disjunction().size(); i++) {
      Expression right = disjunction(context.disjunction(i));
      left = new Expression.Coalesce(left, right, left.at().to(right.at()));
    }
    return left;
  }

  private Expression disjunction(DisjunctionContext context) {
    List<Expression> operands = new ArrayList<>();
    context.conjunction().forEach(operand -> operands.add(conjunction(operand)));
    return operands.size() == 1
        ? operands.getFirst()
        : new Expression.Logical(false, operands, span(context));
  }

  private Expression conjunction(ConjunctionContext context) {
    List<Expression> operands = new ArrayList<>();
    context.predicate().forEach(operand -> operands.add(predicate(operand)));
    return operands.size() == 1
        ? operands.getFirst()
        : new Expression.Logical(true, operands, span(context));
  }

  /**
   * NOT is a prefix in the grammar; in front of a comparison it takes the whole of it, since {@code
   * (NOT c.n) = 1} never has a value and {@code NOT c.n = 1} is what people mean.
   */
  private Expression predicate(PredicateContext context) {
    List<Token> lifted = new ArrayList<>();
    UnaryContext first = context.operand().unary(0);
    while (first.NOT() != null) {
      lifted.add(first.start);
      first = first.unary();
    }
    liftedBefore = first.start.getTokenIndex();
    Expression value = operand(context.operand());
    for (PredicateSuffixContext suffix : context.predicateSuffix()) {
      value = suffixed(value, suffix);
    }
    for (Token not : lifted.reversed()) {
      Span at = new Span(offsets.span(not, not).start(), value.at().end());
      value = new Expression.Unary(UnaryOperator.NOT, value, at);
    }
    return value;
  }

  private Expression suffixed(Expression value, PredicateSuffixContext context) {
    boolean negated = context.NOT() != null;
    Span at = value.at().to(span(context));
    if (context.IN() != null) {
      return new Expression.In(value, all(context.expression()), negated, at);
    }
    Expression first = operand(context.operand(0));
    if (context.BETWEEN() != null) {
      return new Expression.Between(value, first, operand(context.operand(1)), negated, at);
    }
    return new Expression.Like(value, first, escape(context), negated, at);
  }

  private @Nullable Expression escape(PredicateSuffixContext context) {
    TerminalNode text = context.STRING();
    if (text != null) {
      return new Expression.Literal(Value.of(Literals.string(text.getText())), span(text));
    }
    TerminalNode parameter = context.PARAMETER();
    return parameter == null
        ? null
        : new Expression.Parameter(parameter.getText(), span(parameter));
  }

  private Expression operand(OperandContext context) {
    List<Expression> operands = new ArrayList<>(context.unary().size());
    context.unary().forEach(operand -> operands.add(unary(operand)));
    List<BinaryOperator> operators = new ArrayList<>();
    context.binaryOperator().forEach(operator -> operators.add(operator(operator)));
    return OperandFold.fold(operands, operators);
  }

  private static BinaryOperator operator(BinaryOperatorContext context) {
    return switch (context.start.getType()) {
      case SqlParser.STAR -> BinaryOperator.MULTIPLY;
      case SqlParser.SLASH -> BinaryOperator.DIVIDE;
      case SqlParser.PERCENT -> BinaryOperator.MODULO;
      case SqlParser.PLUS -> BinaryOperator.ADD;
      case SqlParser.MINUS -> BinaryOperator.SUBTRACT;
      case SqlParser.SHIFT_LEFT -> BinaryOperator.SHIFT_LEFT;
      case SqlParser.SHIFT_RIGHT -> BinaryOperator.SHIFT_RIGHT;
      case SqlParser.SHIFT_RIGHT_ZERO -> BinaryOperator.SHIFT_RIGHT_ZERO;
      case SqlParser.AMPERSAND -> BinaryOperator.BITWISE_AND;
      case SqlParser.CARET -> BinaryOperator.BITWISE_XOR;
      case SqlParser.PIPE -> BinaryOperator.BITWISE_OR;
      case SqlParser.CONCAT -> BinaryOperator.CONCAT;
      case SqlParser.LESS -> BinaryOperator.LESS;
      case SqlParser.LESS_EQUAL -> BinaryOperator.LESS_EQUAL;
      case SqlParser.GREATER -> BinaryOperator.GREATER;
      case SqlParser.GREATER_EQUAL -> BinaryOperator.GREATER_EQUAL;
      case SqlParser.EQUAL -> BinaryOperator.EQUAL;
      default -> BinaryOperator.NOT_EQUAL;
    };
  }

  private Expression unary(UnaryContext context) {
    if (context.postfix() != null) {
      return postfix(context.postfix());
    }
    if (context.NOT() != null && context.start.getTokenIndex() < liftedBefore) {
      return unary(context.unary());
    }
    if (context.MINUS() != null && context.unary().start.getType() == SqlParser.NUMBER) {
      Expression operand = unary(context.unary());
      if (operand instanceof Expression.Literal) {
        String digits = context.unary().start.getText();
        return new Expression.Literal(negative(digits), span(context));
      }
      return new Expression.Unary(UnaryOperator.MINUS, operand, span(context));
    }
    UnaryOperator operator =
        switch (context.start.getType()) {
          case SqlParser.MINUS -> UnaryOperator.MINUS;
          case SqlParser.PLUS -> UnaryOperator.PLUS;
          case SqlParser.TILDE -> UnaryOperator.BITWISE_NOT;
          default -> UnaryOperator.NOT;
        };
    return new Expression.Unary(operator, unary(context.unary()), span(context));
  }

  private static Value negative(String digits) {
    if (digits.length() == 1 || Character.toLowerCase(digits.charAt(1)) != 'x') {
      return Literals.number("-" + digits);
    }
    return switch (Literals.number(digits)) {
      case Value.Int64(long whole) -> Value.of(-whole);
      case Value.Num number -> Value.of(-number.asDouble());
      case Value other -> other;
    };
  }

  private Expression postfix(PostfixContext context) {
    Expression value = primary(context.primary());
    Span start = value.at();
    List<ParseTree> children = context.children;
    for (int i = 1; i < children.size(); i++) {
      if (children.get(i) instanceof SqlParser.MemberNameContext name) {
        Span at = start.to(span(name));
        value = new Expression.Property(value, name.getText(), false, at);
      } else if (children.get(i) instanceof ExpressionContext inner) {
        Span at = start.to(span((TerminalNode) children.get(i + 1)));
        value = indexed(value, expression(inner), at);
      }
    }
    return value;
  }

  private static Expression indexed(Expression value, Expression index, Span at) {
    return index instanceof Expression.Literal(Value.Text(String name), Span _)
        ? new Expression.Property(value, name, true, at)
        : new Expression.Indexed(value, index, at);
  }

  private Expression primary(PrimaryContext context) {
    if (context.literal() != null) {
      return new Expression.Literal(literal(context.literal()), span(context));
    }
    if (context.PARAMETER() != null) {
      return new Expression.Parameter(context.getText(), span(context));
    }
    if (context.functionCall() != null) {
      return call(context.functionCall());
    }
    if (context.UDF() != null) {
      Span name = span(context.memberName());
      return new Expression.Call(
          context.memberName().getText(), true, all(context.expression()), name, span(context));
    }
    if (context.identifier() != null) {
      return new Expression.Reference(context.getText(), span(context));
    }
    if (context.query() != null) {
      return new Expression.Subquery(
          kind(context.start), queries.query(context.query()), span(context));
    }
    if (context.LPAREN() != null) {
      return expression(context.expression(0));
    }
    return context.LBRACE() != null
        ? object(context)
        : new Expression.ArrayOf(all(context.expression()), span(context));
  }

  Expression call(FunctionCallContext context) {
    return new Expression.Call(
        context.identifier().getText(),
        false,
        all(context.expression()),
        span(context.identifier()),
        span(context));
  }

  private Expression object(PrimaryContext context) {
    List<Expression.Member> members = new ArrayList<>();
    for (var member : context.objectMember()) {
      TerminalNode quoted = member.STRING();
      String name =
          quoted == null ? member.identifier().getText() : Literals.string(quoted.getText());
      members.add(new Expression.Member(name, expression(member.expression())));
    }
    return new Expression.ObjectOf(members, span(context));
  }

  private static Value literal(LiteralContext context) {
    return switch (context.start.getType()) {
      case SqlParser.NUMBER -> Literals.number(context.getText());
      case SqlParser.STRING -> Value.of(Literals.string(context.getText()));
      case SqlParser.TRUE -> Value.TRUE;
      case SqlParser.FALSE -> Value.FALSE;
      case SqlParser.NULL -> Value.NULL;
      default -> Value.UNDEFINED;
    };
  }

  private static SubqueryKind kind(Token start) {
    return switch (start.getType()) {
      case SqlParser.EXISTS -> SubqueryKind.EXISTS;
      case SqlParser.ARRAY -> SubqueryKind.ARRAY;
      case SqlParser.ALL -> SubqueryKind.ALL;
      case SqlParser.FIRST -> SubqueryKind.FIRST;
      case SqlParser.LAST -> SubqueryKind.LAST;
      default -> SubqueryKind.SCALAR;
    };
  }

  private Span span(ParserRuleContext context) {
    return offsets.span(context.start, context.stop);
  }

  private Span span(TerminalNode node) {
    return offsets.span(node.getSymbol(), node.getSymbol());
  }
}
