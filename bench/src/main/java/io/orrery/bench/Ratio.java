package io.orrery.bench;

import java.util.List;
import java.util.Locale;

/** The first side's figure beside the second's. */
record Ratio(String variant, Figures orrery, Figures bare) {
  static Ratio of(String variant, List<Figures> figures) {
    return new Ratio(variant, figures.get(0), figures.get(1));
  }

  private String figures() {
    return String.format(
        Locale.ROOT,
        "orrery %,.0f/s, bare %,.0f/s; processor time %.1f us, %.1f us",
        orrery.median(),
        bare.median(),
        orrery.cpuMicros(),
        bare.cpuMicros());
  }

  private String quotient() {
    return String.format(Locale.ROOT, "ratio: %.2f", orrery.median() / bare.median());
  }

  /** One line per variant; the first variant once more, because readers look at the last line. */
  static void print(List<Ratio> ratios) {
    for (Ratio ratio : ratios) {
      System.out.println(ratio.quotient() + " (" + ratio.variant + ") " + ratio.figures());
    }
    Ratio first = ratios.getFirst();
    System.out.println(first.quotient() + " " + first.figures());
  }
}
