package io.orrery.compat;

import com.fasterxml.jackson.databind.node.ObjectNode;
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
    TORN_BATCH
  }

  private final Mistake mistake;

  TamperedRegisters(Rest rest, String path, Mistake mistake) {
    super(rest, path);
    this.mistake = mistake;
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
      var left = values(item);
      left.remove(value);
      var array = item.putArray("values");
      left.forEach(array::add);
      var replace = item("PUT", register).body(item.toString());
      done = super.conditional(replace, found.header("etag"), register);
    }
  }
}
