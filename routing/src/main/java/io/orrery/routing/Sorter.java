package io.orrery.routing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Sorts more than memory holds: what has gathered is sorted and written to disk whenever it reaches
 * the limit, and the sorted runs are merged at the end, as many at a time as memory can read side
 * by side. Belongs to one thread at a time.
 */
final class Sorter<T> implements AutoCloseable {
  private final Comparator<T> order;
  private final Form<T> form;
  private final SpillSpace space;
  private final GatheringMemory memory;

  /** For reading the runs that are merged. */
  private final GatheringMemory merging;

  private final long most;
  private final List<Sized<T>> gathered = new ArrayList<>();

  /** The sorted runs, one after the other in the file. */
  private final List<Run> runs = new ArrayList<>();

  private long gatheredBytes;
  private @Nullable SpillFile file;

  /**
   * @param most how many of the first elements suffice
   */
  Sorter(Comparator<T> order, Form<T> form, SpillSpace space, long memoryBytes, long most) {
    this.most = most;
    this.order = counted(order, space);
    this.form = form;
    this.space = space;
    this.memory = space.memory(memoryBytes);
    this.merging = space.mergingMemory(memoryBytes);
  }

  /** The same order, whose comparisons count: those of long texts take their time, too. */
  private static <T> Comparator<T> counted(Comparator<T> order, SpillSpace space) {
    return (left, right) -> {
      space.count(0);
      return order.compare(left, right);
    };
  }

  /** An element that waits in memory. */
  private record Sized<T>(T element, long sizeBytes) {}

  /** How elements are written. */
  interface Form<T> {
    byte[] write(T element);

    T read(byte[] bytes);
  }

  void add(T element, long sizeBytes) {
    space.count(sizeBytes);
    gathered.add(new Sized<>(element, sizeBytes));
    gatheredBytes += sizeBytes;
    if (gathered.size() / 2 >= most) {
      forgetTheRest();
    }
    if (!memory.holds(gatheredBytes)) {
      addRun(sorted());
      gathered.clear();
      gatheredBytes = 0;
    }
  }

  private void forgetTheRest() {
    sort();
    List<Sized<T>> rest = gathered.subList((int) most, gathered.size());
    gatheredBytes -= rest.stream().mapToLong(Sized::sizeBytes).sum();
    rest.clear();
  }

  private List<T> sorted() {
    sort();
    return gathered.stream().map(Sized::element).toList();
  }

  private void sort() {
    gathered.sort((left, right) -> order.compare(left.element, right.element));
  }

  /** Adds elements that are sorted already. */
  void addRun(List<T> sorted) {
    SpillFile out = file;
    if (out == null) {
      out = space.open();
      file = out;
    }
    var run = new Writing(out);
    sorted.forEach(run::add);
    runs.add(run.end());
  }

  boolean hasSpilled() {
    return file != null;
  }

  /** All elements in order, as long as the sink wants more; equal ones in any order. */
  void each(Predicate<T> sink) {
    SpillFile spilled = file;
    if (spilled == null) {
      for (T element : sorted()) {
        space.count(0);
        if (!sink.test(element)) {
          return;
        }
      }
      return;
    }
    if (!gathered.isEmpty()) {
      addRun(sorted());
      gathered.clear();
    }
    memory.close();
    spilled.flush();
    while (mergeable(0) < runs.size()) {
      spilled = mergeSome(spilled);
    }
    merge(spilled, runs, sink);
  }

  /** Where a run lies in the file, and the largest record that is read of it. */
  private record Run(long from, long to, int largestBytes) {
    /** What reading it takes: the next record, as bytes and as an element, and a buffer. */
    long memoryBytes() {
      return SpillFile.READ_BYTES + 2L * largestBytes;
    }
  }

  /** A run while it is appended to a file. */
  private final class Writing {
    private final SpillFile to;
    private final long from;
    private int largestBytes;

    Writing(SpillFile to) {
      this.to = to;
      this.from = to.endBytes();
    }

    boolean add(T element) {
      byte[] written = form.write(element);
      space.count(written.length);
      largestBytes = Math.max(largestBytes, written.length);
      to.append(written);
      return true;
    }

    Run end() {
      return new Run(from, to.endBytes(), largestBytes);
    }
  }

  /**
   * How many runs, from the given one on, memory can read side by side; two at least, if there are.
   *
   * @throws io.orrery.query.syntax.QueryRefused when memory has no room for two
   */
  private int mergeable(int from) {
    long bytes = 0;
    int count = 0;
    for (Run run : runs.subList(from, runs.size())) {
      bytes += run.memoryBytes();
      if (count < 2) {
        merging.require(bytes);
      } else if (!merging.holds(bytes)) {
        break;
      }
      count++;
    }
    return count;
  }

  /** Merges runs that lie next to each other into another file, so that fewer are left. */
  private SpillFile mergeSome(SpillFile before) {
    SpillFile after = space.open();
    List<Run> fewer = new ArrayList<>();
    try {
      for (int from = 0; from < runs.size(); ) {
        int count = mergeable(from);
        var merged = new Writing(after);
        merge(before, runs.subList(from, from + count), merged::add);
        fewer.add(merged.end());
        from += count;
      }
      after.flush();
    } catch (RuntimeException | Error e) {
      after.close();
      throw e;
    }
    file = after;
    runs.clear();
    runs.addAll(fewer);
    before.close();
    return after;
  }

  private void merge(SpillFile spilled, List<Run> some, Predicate<T> sink) {
    var heads = new PriorityQueue<Head<T>>((left, right) -> order.compare(left.next, right.next));
    for (Run run : some) {
      addHead(spilled.read(run.from, run.to), heads);
    }
    while (!heads.isEmpty()) {
      Head<T> least = heads.remove();
      if (!sink.test(least.next)) {
        return;
      }
      addHead(least.rest, heads);
    }
  }

  /** The first element of a run, and what is behind it. */
  private record Head<T>(T next, SpillFile.Reader rest) {}

  private void addHead(SpillFile.Reader reader, PriorityQueue<Head<T>> heads) {
    if (reader.hasNext()) {
      byte[] read = reader.next();
      space.count(read.length);
      heads.add(new Head<>(form.read(read), reader));
    }
  }

  @Override
  public void close() {
    memory.close();
    merging.close();
    if (file != null) {
      file.close();
    }
  }
}
