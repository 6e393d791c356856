package io.orrery.operation;

import java.io.Serializable;

/** The price of a request in hundredths of a request unit. */
public record RequestCharge(long hundredths) implements Serializable {
  public static final RequestCharge NONE = new RequestCharge(0);

  public static RequestCharge units(double units) {
    return new RequestCharge(Math.round(units * 100));
  }

  public RequestCharge plus(RequestCharge other) {
    return new RequestCharge(hundredths + other.hundredths);
  }

  public RequestCharge atLeast(RequestCharge other) {
    return hundredths < other.hundredths ? other : this;
  }

  public double units() {
    return hundredths / 100.0;
  }
}
