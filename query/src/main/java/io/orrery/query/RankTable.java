package io.orrery.query;

import io.orrery.query.function.FullText;
import io.orrery.query.function.Work;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The facts of all rows of a query with ORDER BY RANK; scores are known when the last row has come,
 * because they depend on all. They are held in the memory of the query until its end. Belongs to
 * one thread at a time.
 */
public final class RankTable {
  private static final int RRF_CONSTANT = 60;

  /** Where there is no text, as clients that merge score it; texts without a hit have zero. */
  private static final double NO_TEXT = -1;

  /** A score of each kind, and the row's place while they are sorted. */
  private static final long SORTED_ROW_BYTES = 48;

  /** The memory of a new column, which has room for a few rows. */
  private static final long COLUMN_BYTES = 192;

  private final Ranking ranking;
  private final QueryBudget budget;

  /** A column per number that rows bring; shorter ones end in zeros. */
  private final List<List<Column>> columns = new ArrayList<>();

  private int size;
  private RankTable statistics = this;

  RankTable(Ranking ranking, QueryBudget budget) {
    this.ranking = ranking;
    this.budget = budget;
    ranking.components().forEach(component -> columns.add(new ArrayList<>()));
  }

  private final class Column {
    private double[] numbers = new double[16];

    void put(int row, double number) {
      if (row >= numbers.length) {
        budget.take((long) Double.BYTES * (2L * row - numbers.length));
        numbers = Arrays.copyOf(numbers, 2 * row);
      }
      numbers[row] = number;
    }

    double at(int row) {
      return row < numbers.length ? numbers[row] : 0;
    }
  }

  /** Adds the keys of the next row. */
  public void add(List<Value> facts) {
    for (int c = 0; c < facts.size(); c++) {
      switch (facts.get(c)) {
        case Value.Arr(List<Value> numbers) -> {
          for (int i = 0; i < numbers.size(); i++) {
            put(c, i, ((Value.Num) numbers.get(i)).asDouble());
          }
        }
        case Value.Num number -> put(c, 0, number.asDouble());
        default -> put(c, 0, Double.NaN);
      }
    }
    size++;
  }

  private void put(int component, int column, double number) {
    List<Column> all = columns.get(component);
    while (all.size() <= column) {
      budget.take(COLUMN_BYTES);
      all.add(new Column());
    }
    all.get(column).put(size, number);
  }

  public int size() {
    return size;
  }

  /** Statistics of BM25 are taken from the rows of that table instead of this one's. */
  public void takeStatistics(RankTable ofAll) {
    statistics = ofAll;
  }

  /**
   * The positions of the rows, best first; equals in the order in which they were added.
   *
   * @param work counts the scoring and the sorting
   */
  public int[] order(Work work) {
    budget.take(SORTED_ROW_BYTES * size);
    double[] scores = new double[size];
    for (int c = 0; c < columns.size(); c++) {
      Ranking.Component component = ranking.components().get(c);
      double[] own = component.text() ? bm25(c, work) : similarity(c, component.smallest());
      if (columns.size() == 1) {
        return best(own, work);
      }
      // Equal scores have one rank, and the next score has the next one, as clients count.
      int rank = 0;
      double before = Double.NaN;
      for (int row : best(own, work)) {
        rank += own[row] == before ? 0 : 1;
        before = own[row];
        scores[row] += component.weight() / (RRF_CONSTANT + rank);
      }
    }
    return best(scores, work);
  }

  private static int[] best(double[] scores, Work work) {
    Comparator<Integer> descending = Comparator.comparingDouble(row -> -scores[row]);
    return IntStream.range(0, scores.length)
        .boxed()
        .sorted(
            (left, right) -> {
              work.steps(1);
              return descending.compare(left, right);
            })
        .mapToInt(row -> row)
        .toArray();
  }

  private double[] similarity(int c, boolean smallest) {
    double[] scores = new double[size];
    for (int row = 0; row < size; row++) {
      double number = columns.get(c).getFirst().at(row);
      scores[row] = Double.isNaN(number) ? Double.NEGATIVE_INFINITY : smallest ? -number : number;
    }
    return scores;
  }

  /**
   * The first column is the length of the text in words, or not a number where there is none; the
   * others are the hits of each phrase.
   */
  private double[] bm25(int c, Work work) {
    double[] scores = new double[size];
    if (size == 0) {
      return scores;
    }
    List<Column> own = columns.get(c);
    for (int row = 0; row < size; row++) {
      scores[row] = Double.isNaN(own.getFirst().at(row)) ? NO_TEXT : 0;
    }
    // The first items may have come after the statistics.
    int documents = Math.max(1, statistics.size);
    double average = Math.max(1, statistics.sum(c) / documents);
    for (int phrase = 1; phrase < own.size(); phrase++) {
      // To count hits takes a few instructions, to score them a logarithm.
      work.steps(size + statistics.size / 8);
      double containing = statistics.containing(c, phrase);
      for (int row = 0; row < size; row++) {
        double hits = own.get(phrase).at(row);
        if (hits > 0) {
          double length = own.getFirst().at(row) / average;
          scores[row] += FullText.bm25((int) hits, length, documents, containing);
        }
      }
    }
    return scores;
  }

  /** The words of all texts. */
  private double sum(int c) {
    if (columns.get(c).isEmpty()) {
      return 0;
    }
    Column lengths = columns.get(c).getFirst();
    return IntStream.range(0, size)
        .mapToDouble(lengths::at)
        .filter(length -> !Double.isNaN(length))
        .sum();
  }

  private double containing(int c, int phrase) {
    if (phrase >= columns.get(c).size()) {
      return 0;
    }
    Column hits = columns.get(c).get(phrase);
    return IntStream.range(0, size).filter(row -> hits.at(row) > 0).count();
  }
}
