package io.orrery.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoredProceduresTest {
  private static final ScriptHost HOST = new ScriptHost(ScriptSettings.DEFAULT);
  private final HeldDocuments documents = new HeldDocuments();

  @AfterAll
  static void close() {
    HOST.close();
  }

  private ScriptAnswer answer(String body, String arguments) {
    var call =
        new ScriptCall(
            ScriptCall.Kind.STORED_PROCEDURE,
            "dbs/d==/colls/c==/",
            "dbs/d/colls/c",
            ScriptCall.Operation.EXECUTE,
            arguments,
            null);
    return HOST.inTurn(() -> HOST.run(new ScriptText("mine", body), call, documents));
  }

  private String run(String body, String arguments) {
    return String.valueOf(answer(body, arguments).body());
  }

  /** The value of an expression that may use {@code say}. */
  private String run(String statements) {
    return run(
        "function f() { const say = v => getContext().getResponse().setBody(v); "
            + statements
            + "}",
        "[]");
  }

  private ScriptRefused refused(String body) {
    return assertThrows(ScriptRefused.class, () -> run(body, "[]"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "function f(a, b) { getContext().getResponse().setBody(a + b); }",
        "function (a, b) { getContext().getResponse().setBody(a + b); };",
        "(a, b) => getContext().getResponse().setBody(a + b)",
        "// adds\n"
            + "/* two */ function add(a, b) { getContext().getResponse().setBody(plus(a, b)); }"
            + " function plus(a, b) { return a + b; }",
        "async function f(a, b) { await null; __.response.setBody(a + b); }"
      })
  void everyWayToWriteAFunctionWorks(String body) {
    assertEquals("42", run(body, "[40, 2]"));
  }

  @Test
  void withoutABodyTheAnswerIsAnEmptyText() {
    assertEquals("\"\"", run("function f() { }", "[]"));
  }

  @Test
  void aThrownErrorComesWithItsLineAndNumber() {
    ScriptRefused plain = refused("function f() {\n  throw new Error('boom');\n}");
    assertEquals(ScriptRefused.Reason.FAILED, plain.reason());
    assertTrue(plain.text().contains("Exception = Error: boom"), plain.text());
    assertTrue(plain.text().contains("at f (mine.js:2:"), plain.text());
    ScriptRefused numbered = refused("function f() { throw new Error(404, 'not here'); }");
    assertEquals(404, numbered.number());
    assertTrue(numbered.text().contains("Error: not here"), numbered.text());
    assertTrue(refused("function f() { throw 'text'; }").text().contains("Exception = text"));
    assertTrue(refused("() => { throw {a: 1}; }").text().contains("{\"a\":1}"));
  }

  @Test
  void whatIsNoFunctionDoesNotCompile() {
    assertEquals(ScriptRefused.Reason.DOES_NOT_COMPILE, refused("function f( {").reason());
    assertEquals(ScriptRefused.Reason.DOES_NOT_COMPILE, refused("1 + 1").reason());
  }

  @Test
  void callbacksRunInOrderAfterTheFunction() {
    assertEquals(
        "[\"asked\",\"a\",\"b\",\"409\",\"id\"]",
        run(
            """
            const order = [];
            const c = getContext().getCollection();
            c.createDocument(c.getSelfLink(), {id: 'a'}, (e, d) => { order.push(d.id);
              c.createDocument(c.getAltLink(), {id: 'a'}, {}, (e, d) => { order.push('' + e.number);
                c.createDocument(c.getAltLink(), {}, (e, d) => { order.push(typeof d.id === 'string' && 'id');
                  say(order); }); }); });
            c.createDocument(c.getSelfLink(), {id: 'b'}, (e, d) => order.push(d.id));
            order.push('asked');
            """));
    assertEquals(3, documents.documents.size());
  }

  @Test
  void aFailureWithoutACallbackEndsTheScript() {
    ScriptRefused refused =
        refused("function f() { __.readDocument(__.getAltLink() + '/docs/none'); }");
    assertEquals(404, refused.number());
    assertTrue(refused.text().contains("Resource Not Found"), refused.text());
  }

  @Test
  void documentsAreReadReplacedAndDeletedByLink() {
    assertEquals(
        "[2,{\"notModified\":true},0]",
        run(
            """
            const at = id => __.getAltLink() + '/docs/' + id;
            __.upsertDocument(__.getSelfLink(), {id: 'a', n: 1});
            __.replaceDocument(at('a'), {id: 'a', n: 2}, {etag: 'e'});
            __.readDocument(at('a'), (e, read) => {
              __.readDocument(at('a'), {ifNoneMatch: 'e'}, (e, d, options) => {
                __.deleteDocument(at('a'), (e) => {
                  __.readDocuments(__.getSelfLink(), (e, all) => say([read.n, options, all.length])); }); }); });
            """));
  }

  @Test
  void isAcceptedTurnsFalseWhenThereIsNoRoom() {
    documents.stepsLeft = 3;
    assertEquals(
        "3",
        run(
            """
            let done = 0;
            const next = () => __.createDocument(__.getSelfLink(), {id: 'd' + done}, () => { done++; next(); })
                || say(done);
            next();
            """));
  }

  @Test
  void pagesGoOnByTheirContinuation() {
    for (int i = 0; i < 5; i++) {
      documents.documents.put(
          "d" + i, "{\"id\":\"d" + i + "\",\"n\":" + i + ",\"tags\":[\"x\",\"y\"]}");
    }
    assertEquals(
        "[2,2,1]",
        run(
            """
            const sizes = [];
            const page = continuation => __.queryDocuments(__.getSelfLink(), {query: 'SELECT * FROM c'},
              {pageSize: 2, continuation}, (e, rows, options) => {
                sizes.push(rows.length);
                options.continuation ? page(options.continuation) : say(sizes); });
            page();
            """));
    assertEquals("[\"d1\",\"d3\"]", run("__.chain().filter(d => d.n % 2).pluck('id').value();"));
    assertEquals(
        "[4,3,2,1,0]",
        run("__.chain().sortByDescending(d => d.n).map(d => d.n).value({pageSize: 2});"));
    assertEquals(
        "[\"d0\",\"d1\"]",
        run(
            "__.chain().sortBy(d => d.n).filter(d => d.n < 2).pluck('id').value((e, v) =>"
                + " say(v));"));
    assertEquals("10", run("__.chain().pluck('tags').flatten().value((e, v) => say(v.length));"));
    assertEquals(
        "\"d4y\"", run("__.unwind(d => d.tags, (d, t) => d.id + t, (e, v) => say(v.pop()));"));
    assertEquals("[0,1]", run("__.map(d => d.n, {pageSize: 2});"));
    assertEquals("true", run("say(__.filter(d => true, () => {}).isAccepted);"));
  }

  @Test
  void whatTheSandboxReplacesWorksAsBefore() {
    assertEquals(
        "[1,true,[\"a\",\"c\"],\"xbc\",\"[1]\",\"ab\",[0,1],\"p1\",true,\"RangeError\"]",
        run(
            """
            const p = new Proxy({a: 1}, {get: (t, k) => 'p' + t[k]});
            class Mine extends Error {}
            say(['abc'.indexOf('b'), 'abc'.includes('c'), 'abc'.split('b'), 'abc'.replace('a', 'x'),
              JSON.stringify([1]), String.raw`a${'b'}`, Array.from({length: 2}, (_, i) => i), p.a,
              new Mine('x') instanceof Mine && new Error(1, 'x') instanceof Error && new TypeError() instanceof Error,
              (() => { try { 'x'.repeat(1e9); } catch (e) { return e.name; } })()]);
            """));
  }

  @Test
  void theConsoleIsLogged() {
    assertEquals(
        "a 1 {\"b\":2}\nc",
        answer("function f() { console.log('a', 1, {b: 2}); console.log('c'); }", "[]").log());
  }

  @Test
  void anAbortCountsAlsoWhenItIsCaught() {
    ScriptRefused refused =
        refused(
            "async function f() { try { getContext().abort(new Error('stop')); } catch (e) { } }");
    assertTrue(refused.text().contains("Error: stop"), refused.text());
  }

  @Test
  void triggersSeeAndChangeTheItem() {
    var before =
        new ScriptCall(
            ScriptCall.Kind.PRE_TRIGGER,
            "dbs/d==/colls/c==/",
            "dbs/d/colls/c",
            ScriptCall.Operation.CREATE,
            "{\"id\":\"a\"}",
            null);
    var text =
        new ScriptText(
            "stamp",
            """
            function stamp() {
              const request = getContext().getRequest();
              const item = request.getBody();
              item.by = request.getOperationType();
              request.setBody(item);
            }
            """);
    assertEquals(
        "{\"id\":\"a\",\"by\":\"Create\"}",
        HOST.inTurn(() -> HOST.run(text, before, documents)).body());
  }
}
