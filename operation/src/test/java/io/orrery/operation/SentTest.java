package io.orrery.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.ObjectStreamConstants;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SentTest {
  private static final Operation.ItemOperation CREATE =
      new Operation.CreateItem(
          new ItemScope(ContainerRef.of("d", "c"), PartitionKey.of("a")),
          Body.json("{\"id\":\"1\"}"));

  static Stream<Class<?>> words() {
    return Stream.of(Operation.class, Outcome.class, Answer.class, Grant.class)
        .flatMap(Samples::leaves);
  }

  @ParameterizedTest
  @MethodSource("words")
  void everyWordArrivesAsItWasSent(Class<?> word) {
    for (Object sample : Samples.of(word)) {
      assertEquals(sample, Sent.read(Sent.write((Serializable) sample)));
    }
  }

  @Test
  void listsOfAnswersAreValues() {
    List<Bytes> rows = List.of(Bytes.utf8("1"), Bytes.utf8("2"), Bytes.utf8("3"));
    var part = new Outcome.QueryPage(rows.subList(1, 3), null, QueryMetrics.NONE, null);
    assertEquals(part, Sent.read(Sent.write(part)));
  }

  /** Stands for the messages that another room makes of the words. */
  record Wrapped(Operation operation) implements Serializable {}

  @Test
  void otherPackagesAreAdmittedByName() {
    byte[] message = Sent.write(new java.awt.Point(1, 2));
    assertThrows(UnreadableMessage.class, () -> Sent.read(message));
    assertEquals(new java.awt.Point(1, 2), Sent.read(message, "java.awt", "java.awt.geom"));
    assertEquals(new Wrapped(CREATE), Sent.read(Sent.write(new Wrapped(CREATE))));
  }

  @Test
  void foreignClassesAreRefused() {
    UnreadableMessage refused =
        assertThrows(UnreadableMessage.class, () -> Sent.read(Sent.write(new File("/"))));
    assertTrue(String.valueOf(refused.getMessage()).contains("java.io.File"));
    assertThrows(UnreadableMessage.class, () -> Sent.read(Sent.write(new File[] {})));
  }

  @Test
  void codeIsRefused() {
    ItemRule rule = item -> null;
    var merge = new Operation.MergeItem(CREATE.scope(), Body.json("{}"), Precondition.NONE, rule);
    byte[] message = Sent.write(merge);
    assertThrows(UnreadableMessage.class, () -> Sent.read(message));
  }

  @Test
  void whatIsNoValueCannotBeSent() {
    record Holder(Object held) implements Serializable {}
    var holder = new Holder(new Object());
    assertThrows(UncheckedIOException.class, () -> Sent.write(holder));
  }

  @Test
  void everyCutAndEveryTailIsRefused() {
    byte[] message = Sent.write(CREATE);
    for (int length = 0; length < message.length; length++) {
      byte[] cut = Arrays.copyOf(message, length);
      assertThrows(UnreadableMessage.class, () -> Sent.read(cut));
    }
    byte[] longer = Arrays.copyOf(message, message.length + 1);
    assertThrows(UnreadableMessage.class, () -> Sent.read(longer));
  }

  /** Java's own reader throws more than it documents. */
  @Test
  void everyChangedBitIsReadOrRefused() {
    byte[] message = Sent.write(CREATE);
    int refusals = 0;
    for (int bit = 0; bit < Byte.SIZE * message.length; bit++) {
      byte[] changed = message.clone();
      changed[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      try {
        // What was read is whole: it can be looked at.
        assertTrue(!String.valueOf(Sent.read(changed)).isEmpty());
      } catch (UnreadableMessage refused) {
        refusals++;
      }
    }
    assertTrue(refusals > message.length, "most of a message is no text");
  }

  @Test
  void deepNestsAreRefused() {
    Operation nest = CREATE;
    for (int i = 0; i < 60; i++) {
      nest = new Operation.ReadInSession(nest, CREATE.scope().container(), java.util.Map.of());
    }
    byte[] message = Sent.write(nest);
    assertThrows(UnreadableMessage.class, () -> Sent.read(message));
  }

  @Test
  void arraysLongerThanTheMessageAreNotMade() throws IOException {
    var bytes = new ByteArrayOutputStream();
    byte[] honest = Sent.write(new byte[0]);
    try (var out = new DataOutputStream(bytes)) {
      assertEquals(ObjectStreamConstants.TC_ARRAY, honest[4]);
      out.write(honest, 0, honest.length - 4);
      out.writeInt(Integer.MAX_VALUE - 8);
    }
    assertThrows(UnreadableMessage.class, () -> Sent.read(bytes.toByteArray()));
  }
}
