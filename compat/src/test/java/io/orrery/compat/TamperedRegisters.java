package io.orrery.compat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;

/** Registers with one of the mistakes that the checker must find, made for real on the server. */
final class TamperedRegisters extends RestRegisters {
  /** What is done wrong. */
  enum Mistake {
    /** A transaction that fails is undone by hand afterwards, so others see it meanwhile. */
    DIRTY_READ,
    /** A replace does not say what it relies on. */
    LOST_UPDATE,
    /** A batch is sent operation by operation. */
    TORN_BATCH,
    /** Reads are answered from a copy that is renewed now and then. */
    STALE_READ,
    /** The first read behind a write of the same client is answered from a copy made before. */
    STALE_SESSION
  }

  /** How often a copy answers before it is renewed. */
  private static final int READS_OF_A_COPY = 10;

  private final Map<Integer, Told> copies = new HashMap<>();

  private final Mistake mistake;
  private int reads;

  TamperedRegisters(Rest rest, String path, Mistake mistake) {
    super(Way.to(rest), path);
    this.mistake = mistake;
  }

  @Override
  public Told read(int register) {
    return switch (mistake) {
      case STALE_READ -> {
        if (reads++ % READS_OF_A_COPY == 0) {
          copies.clear();
        }
        yield copies.computeIfAbsent(register, super::read);
      }
      case STALE_SESSION -> {
        Told copy = copies.remove(register);
        yield copy == null ? super.read(register) : copy;
      }
      case DIRTY_READ, LOST_UPDATE, TORN_BATCH -> super.read(register);
    };
  }

  @Override
  public Told append(int register, String value) {
    if (mistake == Mistake.STALE_SESSION) {
      copies.put(register, super.read(register));
    }
    return super.append(register, value);
  }

  @Override
  protected boolean conditional(Rest.Request replace, String etag, int register) {
    if (mistake != Mistake.LOST_UPDATE) {
      return super.conditional(replace, etag, register);
    }
    send(replace, register).expect(200);
    return true;
  }

  @Override
  public Told appendTogether(Map<Integer, String> values) {
    if (mistake != Mistake.TORN_BATCH) {
      return super.appendTogether(values);
    }
    values.forEach(this::append);
    return Told.nothing();
  }

  @Override
  public Told appendInVain(Map<Integer, String> values) {
    if (mistake != Mistake.DIRTY_READ) {
      return super.appendInVain(values);
    }
    super.appendTogether(values);
    values.forEach(this::takeBack);
    return Told.REFUSED;
  }

  private void takeBack(int register, String value) {
    boolean done = false;
    while (!done) {
      RestAnswer found = send(item("GET", register), register).expect(200);
      ObjectNode item = (ObjectNode) found.json();
      var left = values(item, register);
      left.remove(value);
      var array = item.putArray("values");
      left.forEach(array::add);
      var replace = item("PUT", register).body(item.toString());
      done = super.conditional(replace, found.header("etag"), register);
    }
  }
}
