package io.orrery.query.function;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.query.Parameters;
import io.orrery.query.Queries;
import io.orrery.query.QueryBudget;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FunctionsTest {
  /** Every documented scalar function; aggregates and scores are known to the query itself. */
  private static final String NAMES =
      """
      CONCAT CONTAINS ENDSWITH STARTSWITH STRINGEQUALS INDEX_OF LASTINDEXOF LEFT RIGHT LENGTH LOWER
      UPPER LTRIM RTRIM TRIM REGEXMATCH REPLACE REPLICATE REVERSE SUBSTRING TOSTRING STRINGTOARRAY
      STRINGTOBOOLEAN STRINGTONULL STRINGTONUMBER STRINGTOOBJECT STRINGJOIN STRINGSPLIT
      CONTAINS_ALL_CI CONTAINS_ALL_CS CONTAINS_ANY_CI CONTAINS_ANY_CS ABS ACOS ASIN ATAN ATN2 CEILING
      COS COT DEGREES EXP FLOOR LOG LOG10 NUMBERBIN PI POWER RADIANS RAND ROUND SIGN SIN SQRT SQUARE
      TAN TRUNC INTADD INTSUB INTMUL INTDIV INTMOD INTBITAND INTBITOR INTBITXOR INTBITNOT
      INTBITLEFTSHIFT INTBITRIGHTSHIFT IS_ARRAY IS_BOOL IS_DEFINED IS_FINITE_NUMBER IS_INTEGER IS_NULL
      IS_NUMBER IS_OBJECT IS_PRIMITIVE IS_STRING IS_DATETIME ARRAY_CONCAT ARRAY_CONTAINS
      ARRAY_CONTAINS_ALL ARRAY_CONTAINS_ANY ARRAY_LENGTH ARRAY_SLICE ARRAY_AVG ARRAY_MAX ARRAY_MEDIAN
      ARRAY_MIN ARRAY_SUM CHOOSE OBJECTTOARRAY SETINTERSECT SETUNION SETDIFFERENCE SETEQUAL
      DATETIMEADD DATETIMEBIN DATETIMEDIFF DATETIMEFORMAT DATETIMEFROMPARTS DATETIMEPART
      DATETIMETOTICKS DATETIMETOTIMESTAMP TICKSTODATETIME TIMESTAMPTODATETIME GETCURRENTDATETIME
      GETCURRENTDATETIMESTATIC GETCURRENTTICKS GETCURRENTTICKSSTATIC GETCURRENTTIMESTAMP
      GETCURRENTTIMESTAMPSTATIC NOW AGO DAY MONTH YEAR ST_AREA ST_DISTANCE ST_INTERSECTS ST_ISVALID
      ST_ISVALIDDETAILED ST_WITHIN DOCUMENTID IIF FULLTEXTCONTAINS FULLTEXTCONTAINSALL
      FULLTEXTCONTAINSANY VECTORDISTANCE
      """;

  private static String value(String expression) {
    return text(Queries.compile("SELECT VALUE " + expression).run(List.of(), Parameters.none()));
  }

  private static String text(List<Value> rows) {
    return new String(Json.write(new Value.Arr(rows)), StandardCharsets.UTF_8);
  }

  @Test
  void everyDocumentedFunctionIsKnown() {
    for (String name : NAMES.strip().split("\\s+", -1)) {
      assertTrue(Functions.named(name) != null, name);
    }
  }

  @Test
  void ignoringCaseFindsWhatIsThere() {
    String greek = "'\u03A3\u0391\u03A3\u0391', '\u03A3\u0391\u03A3'";
    for (String name : List.of("STARTSWITH", "CONTAINS")) {
      assertEquals("[true]", value(name + "(" + greek + ")"));
      assertEquals("[true]", value(name + "(" + greek + ", true)"));
    }
  }

  @Test
  void roundsHalvesAndNothingLess() {
    assertEquals("[0]", value("ROUND(0.49999999999999994)"));
    assertEquals("[1]", value("ROUND(0.5)"));
    assertEquals("[-3]", value("ROUND(-2.5)"));
    assertEquals("[4503599627370495]", value("ROUND(4503599627370494.5)"));
  }

  @Test
  void momentsReachTheYear9999() {
    String last = "'9999-12-31T23:59:59.0000000Z'";
    assertEquals("[true]", value("TIMESTAMPTODATETIME(253402300799000) = " + last));
    assertEquals("[true]", value("TICKSTODATETIME(DATETIMETOTICKS(" + last + ")) = " + last));
    assertEquals("[]", value("TIMESTAMPTODATETIME(253402300800000)"));
    assertEquals(
        "[3.15537897599E20]",
        value("DATETIMEDIFF('ns', '0001-01-01T00:00:00.0000000Z', " + last + ")"));
  }

  @Test
  void wrongTypesGiveNoValueAndNoError() {
    for (String name : NAMES.strip().split("\\s+", -1)) {
      Function function = Functions.named(name);
      if (function == null || function.least() == 0) {
        continue;
      }
      for (String argument : List.of("null", "[]", "{}", "'x'", "-1.5", "undefined", "1e300")) {
        String arguments = String.join(",", Collections.nCopies(function.least(), argument));
        value(name + "(" + arguments + ")");
      }
    }
  }

  @Test
  void datesCountBoundariesAndKeepTicks() {
    assertEquals(
        "[1]",
        value("DATETIMEDIFF('yyyy', '2019-12-31T23:59:59.9999999Z', '2020-01-01T00:00:00Z')"));
    assertEquals("[\"2020-02-29T00:00:00.0000000Z\"]", value("DATETIMEADD('mm', 1, '2020-01-31')"));
    assertEquals("[678912]", value("DATETIMEPART('mcs', '2020-01-02T03:04:05.6789123Z')"));
    assertEquals("[]", value("DATETIMEADD('yyyy', 9000, '2020-01-31')"));
    assertEquals("[]", value("DATETIMEPART('week', '2020-01-31')"));
    assertEquals("[\"2020-07-01T00:00:00.0000000Z\"]", value("DATETIMEBIN('2020-09-17', 'mm', 3)"));
    assertEquals("[\"2020-08-13T23:19:54.3002652Z\"]", value("TICKSTODATETIME(15973607943002652)"));
  }

  /** Facts of the public DATETIMEFORMAT page. */
  @Test
  void datesAreFormattedByLetters() {
    assertEquals("[\"20241010\"]", value("DATETIMEFORMAT('2024-10-10 14:40:20', 'yyyyMMdd')"));
    assertEquals(
        "[\"Today is: 2024-10-10T14:40:20.000\"]",
        value(
            "DATETIMEFORMAT('2024-10-10 14:40:20', 'To\\\\da\\\\y i\\\\s:"
                + " yyyy-MM-ddTHH:mm:ss.fff')"));
    assertEquals("[\"2:40 PM.\"]", value("DATETIMEFORMAT('2024-10-10 14:40:20', 'h:mm tt.FFF')"));
  }

  @Test
  void staticTimeStandsStillWithinAStatement() {
    Instant fixed = Instant.parse("2026-01-02T03:04:05.678Z");
    Parameters parameters =
        new Parameters(
            Map.of(),
            Parameters.none().functions(),
            new QueryClock(Instant::now, fixed),
            QueryBudget.unaccounted());
    assertEquals(
        "[{\"$1\":\"2026-01-02T03:04:05.6780000Z\",\"$2\":1767323045678}]",
        text(
            Queries.compile("SELECT GetCurrentDateTimeStatic(), GetCurrentTimestampStatic()")
                .run(List.of(), parameters)));
  }

  @Test
  void regularExpressionsAreBounded() {
    assertEquals("[true]", value("REGEXMATCH('abc', '^A.C$', 'i')"));
    assertEquals("[]", value("REGEXMATCH('abc', '(', 'i')"));
    assertTimeoutPreemptively(
        Duration.ofSeconds(10),
        () ->
            assertThrows(
                QueryRefused.class,
                () -> value("REGEXMATCH('" + "a".repeat(5000) + "!', '^(a+)+$')")));
  }

  @Test
  void shapesAreMeasuredOnTheEarth() {
    String square = "{'type':'Polygon','coordinates':[[[0,0],[2,0],[2,2],[0,2],[0,0]]]}";
    String inverse = "{'type':'Polygon','coordinates':[[[0,0],[0,2],[2,2],[2,0],[0,0]]]}";
    assertEquals(
        "[true]", value("ST_WITHIN({'type':'Point','coordinates':[1,1]}, " + square + ")"));
    assertEquals(
        "[false]", value("ST_WITHIN({'type':'Point','coordinates':[3,1]}, " + square + ")"));
    assertEquals(
        "[true]", value("ST_WITHIN({'type':'Point','coordinates':[3,1]}, " + inverse + ")"));
    assertEquals(
        "[true]",
        value("ST_INTERSECTS({'type':'LineString','coordinates':[[-1,1],[3,1]]}, " + square + ")"));
    assertEquals("[0]", value("ST_DISTANCE({'type':'Point','coordinates':[1,1]}, " + square + ")"));
    assertEquals(
        "[111319]",
        value("ROUND(ST_DISTANCE({'type':'Point','coordinates':[3,0]}, " + square + "))"));
    assertEquals("[]", value("ST_DISTANCE({'type':'Point','coordinates':[3,95]}, " + square + ")"));
  }

  @Test
  void vectorsAreComparedExactly() {
    assertEquals("[1]", value("VECTORDISTANCE([1,0],[2,0])"));
    assertEquals("[5]", value("VECTORDISTANCE([0,0],[3,4],true,{distanceFunction:'euclidean'})"));
    assertEquals("[]", value("VECTORDISTANCE([0,0],[3,4,5])"));
  }

  @Test
  void fullTextIsRankedByRarityAndLength() {
    List<Value> items =
        List.of(item("red bike"), item("red mountain bike with red wheels"), item("blue boat"));
    assertEquals(
        "[\"blue boat\"]",
        text(
            Queries.compile(
                    "SELECT TOP 1 VALUE c.text FROM c ORDER BY RANK FullTextScore(c.text, 'boat')")
                .run(items, Parameters.none())));
    assertEquals(
        "[\"red bike\"]",
        text(
            Queries.compile(
                    "SELECT VALUE c.text FROM c WHERE FullTextContains(c.text, 'Red BIKE')"
                        + " ORDER BY RANK RRF(FullTextScore(c.text, 'red'), FullTextScore(c.text,"
                        + " 'bike'), [2, 1])")
                .run(items, Parameters.none())));
  }

  private static Value item(String text) {
    return new Value.Obj(Map.of("text", Value.of(text)));
  }
}
