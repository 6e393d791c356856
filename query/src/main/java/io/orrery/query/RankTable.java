package io.orrery.query;

import io.orrery.query.function.FullText;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The facts of all rows of a query with ORDER BY RANK; scores are known when the last row has come,
 * because they depend on all. Belongs to one thread at a time.
 */
public final class RankTable {
  private static final int RRF_CONSTANT = 60;

  private final Ranking ranking;

  /** A column per number that rows bring; shorter ones end in zeros. */
  private final List<List<Column>> columns = new ArrayList<>();

  private int size;

  RankTable(Ranking ranking) {
    this.ranking = ranking;
    ranking.components().forEach(component -> columns.add(new ArrayList<>()));
  }

  private static final class Column {
    private double[] numbers = new double[16];

    void put(int row, double number) {
      if (row >= numbers.length) {
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
      all.add(new Column());
    }
    all.get(column).put(size, number);
  }

  public int size() {
    return size;
  }

  /** The positions of the rows, best first; equals in the order in which they were added. */
  public int[] order() {
    double[] scores = new double[size];
    for (int c = 0; c < columns.size(); c++) {
      Ranking.Component component = ranking.components().get(c);
      double[] own = component.text() ? bm25(c) : similarity(c, component.smallest());
      if (columns.size() == 1) {
        return best(own);
      }
      int[] ranks = best(own);
      for (int rank = 0; rank < ranks.length; rank++) {
        scores[ranks[rank]] += component.weight() / (RRF_CONSTANT + rank + 1);
      }
    }
    return best(scores);
  }

  private static int[] best(double[] scores) {
    return IntStream.range(0, scores.length)
        .boxed()
        .sorted(Comparator.comparingDouble((Integer row) -> -scores[row]))
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

  /** The first column is the length of the text in words, the others the hits of each phrase. */
  private double[] bm25(int c) {
    double[] scores = new double[size];
    if (size == 0) {
      return scores;
    }
    Column lengths = columns.get(c).getFirst();
    double words = IntStream.range(0, size).mapToDouble(lengths::at).sum();
    double average = words == 0 ? 1 : words / size;
    for (Column hits : columns.get(c).subList(1, columns.get(c).size())) {
      long containing = IntStream.range(0, size).filter(row -> hits.at(row) > 0).count();
      for (int row = 0; row < size; row++) {
        scores[row] +=
            FullText.bm25((int) hits.at(row), lengths.at(row) / average, size, (double) containing);
      }
    }
    return scores;
  }
}
