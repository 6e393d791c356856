// The whole query language. Every decision needs at most three tokens of lookahead, so parsing is
// linear; precedence inside `operand` is applied by OperandFold, which keeps the stack shallow.
grammar Sql;

options { caseInsensitive = true; }

statement : query EOF ;

// Filters of partial updates: `from c where c.n = 10`.
condition : fromClause whereClause EOF ;

query
  : SELECT DISTINCT? top? selection fromClause? whereClause? groupByClause? orderByClause?
    offsetLimitClause?
  ;

top : TOP count ;
count : NUMBER | PARAMETER ;

selection
  : STAR
  | VALUE expression
  | selectItem (COMMA selectItem)*
  ;

selectItem : expression (AS? identifier)? ;

fromClause : FROM source (JOIN source)* ;

source
  : identifier IN collection
  | collection (AS? identifier)?
  ;

collection
  : identifier pathStep*
  | LPAREN query RPAREN
  ;

pathStep
  : DOT memberName
  | LBRACKET (STRING | NUMBER) RBRACKET
  ;

whereClause : WHERE expression ;
groupByClause : GROUP BY expression (COMMA expression)* ;

orderByClause
  : ORDER BY RANK rankItem (COMMA rankItem)*
  | ORDER BY orderItem (COMMA orderItem)*
  ;

rankItem : functionCall (ASC | DESC)? ;
orderItem : expression (ASC | DESC)? ;

offsetLimitClause : OFFSET count LIMIT count ;

expression : coalescence (QUESTION expression COLON expression)? ;
coalescence : disjunction (COALESCE disjunction)* ;
disjunction : conjunction (OR conjunction)* ;
conjunction : predicate (AND predicate)* ;

predicate : operand predicateSuffix* ;

predicateSuffix
  : NOT? IN LPAREN expression (COMMA expression)* RPAREN
  | NOT? LIKE operand (ESCAPE (STRING | PARAMETER))?
  | NOT? BETWEEN operand AND operand
  ;

operand : unary (binaryOperator unary)* ;

binaryOperator
  : STAR | SLASH | PERCENT
  | PLUS | MINUS
  | SHIFT_LEFT | SHIFT_RIGHT | SHIFT_RIGHT_ZERO
  | AMPERSAND | CARET | PIPE
  | CONCAT
  | LESS | LESS_EQUAL | GREATER | GREATER_EQUAL
  | EQUAL | NOT_EQUAL
  ;

unary
  : (PLUS | MINUS | TILDE | NOT) unary
  | postfix
  ;

postfix : primary (DOT memberName | LBRACKET expression RBRACKET)* ;

primary
  : literal
  | PARAMETER
  | functionCall
  | UDF DOT memberName LPAREN (expression (COMMA expression)*)? RPAREN
  | identifier
  | LBRACKET (expression (COMMA expression)*)? RBRACKET
  | LBRACE (objectMember (COMMA objectMember)*)? RBRACE
  | LPAREN query RPAREN
  | LPAREN expression RPAREN
  | (EXISTS | ARRAY | ALL | FIRST | LAST) LPAREN query RPAREN
  ;

functionCall : identifier LPAREN (expression (COMMA expression)*)? RPAREN ;
objectMember : (STRING | identifier) COLON expression ;
literal : NUMBER | STRING | TRUE | FALSE | NULL | UNDEFINED ;

// Words that are keywords in one place only and may name things everywhere else.
identifier : IDENTIFIER | ALL | FIRST | LAST | RANK | LEFT | RIGHT ;
memberName : identifier | UDF ;

AND : 'AND' ;
ARRAY : 'ARRAY' ;
AS : 'AS' ;
ASC : 'ASC' ;
BETWEEN : 'BETWEEN' ;
BY : 'BY' ;
DESC : 'DESC' ;
DISTINCT : 'DISTINCT' ;
ESCAPE : 'ESCAPE' ;
EXISTS : 'EXISTS' ;
FROM : 'FROM' ;
GROUP : 'GROUP' ;
IN : 'IN' ;
JOIN : 'JOIN' ;
LIKE : 'LIKE' ;
LIMIT : 'LIMIT' ;
NOT : 'NOT' ;
OFFSET : 'OFFSET' ;
OR : 'OR' ;
ORDER : 'ORDER' ;
SELECT : 'SELECT' ;
TOP : 'TOP' ;
UDF : 'UDF' ;
VALUE : 'VALUE' ;
WHERE : 'WHERE' ;
ALL : 'ALL' ;
FIRST : 'FIRST' ;
LAST : 'LAST' ;
LEFT : 'LEFT' ;
RANK : 'RANK' ;
RIGHT : 'RIGHT' ;
TRUE options { caseInsensitive = false; } : 'true' ;
FALSE options { caseInsensitive = false; } : 'false' ;
NULL options { caseInsensitive = false; } : 'null' ;
UNDEFINED options { caseInsensitive = false; } : 'undefined' ;

STAR : '*' ;
SLASH : '/' ;
PERCENT : '%' ;
PLUS : '+' ;
MINUS : '-' ;
TILDE : '~' ;
SHIFT_LEFT : '<<' ;
SHIFT_RIGHT : '>>' ;
SHIFT_RIGHT_ZERO : '>>>' ;
AMPERSAND : '&' ;
CARET : '^' ;
PIPE : '|' ;
CONCAT : '||' ;
LESS : '<' ;
LESS_EQUAL : '<=' ;
GREATER : '>' ;
GREATER_EQUAL : '>=' ;
EQUAL : '=' ;
NOT_EQUAL : '!=' | '<>' ;
COALESCE : '??' ;
QUESTION : '?' ;
COLON : ':' ;
COMMA : ',' ;
DOT : '.' ;
LPAREN : '(' ;
RPAREN : ')' ;
LBRACKET : '[' ;
RBRACKET : ']' ;
LBRACE : '{' ;
RBRACE : '}' ;

NUMBER
  : '0x' [0-9A-F]+
  | [0-9]+ ('.' [0-9]*)? ('E' [-+]? [0-9]+)?
  | '.' [0-9]+ ('E' [-+]? [0-9]+)?
  ;

STRING
  : '\'' (~['\\] | ESCAPED)* '\''
  | '"' (~["\\] | ESCAPED)* '"'
  ;
// A string without its end is one token, too: the lexer would otherwise start again at each quote.
UNENDED
  : '\'' (~['\\] | ESCAPED)*
  | '"' (~["\\] | ESCAPED)*
  ;
fragment ESCAPED : '\\' (['"\\/BFNRT] | 'U' [0-9A-F] [0-9A-F] [0-9A-F] [0-9A-F]) ;

PARAMETER : '@' [\p{L}\p{N}_]+ ;
IDENTIFIER : [\p{L}\p{Nl}_] [\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]* ;

COMMENT : '--' ~[\r\n]* -> skip ;
SPACE : [\p{White_Space}\uFEFF]+ -> skip ;
UNKNOWN : . ;
