package io.orrery.routing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Sorts more than memory holds: what has gathered is sorted and written to disk whenever it reaches
 * the limit, and the sorted runs are merged at the end. Belongs to one thread at a time.
 */
final class Sorter<T> implements AutoCloseable {
  private final Comparator<T> order;
  private final Form<T> form;
  private final SpillSpace space;
  private final GatheringMemory memory;
  private final long most;
  private final List<T> gathered = new ArrayList<>();
  private final List<Long> runEnds = new ArrayList<>();
  private long gatheredBytes;
  private @Nullable SpillFile file;

  /**
   * @param most how many of the first elements suffice
   */
  Sorter(Comparator<T> order, Form<T> form, SpillSpace space, long memoryBytes, long most) {
    this.most = most;
    this.order = order;
    this.form = form;
    this.space = space;
    this.memory = space.memory(memoryBytes);
  }

  /** How elements are written. */
  interface Form<T> {
    byte[] write(T element);

    T read(byte[] bytes);
  }

  void add(T element, long sizeBytes) {
    space.count();
    gathered.add(element);
    gatheredBytes += sizeBytes;
    if (gathered.size() / 2 >= most) {
      forgetTheRest();
    }
    if (!memory.holds(gatheredBytes)) {
      gathered.sort(order);
      addRun(gathered);
      gathered.clear();
      gatheredBytes = 0;
    }
  }

  private void forgetTheRest() {
    gathered.sort(order);
    int before = gathered.size();
    gathered.subList((int) most, before).clear();
    gatheredBytes = gatheredBytes / before * gathered.size();
  }

  /** Adds elements that are sorted already. */
  void addRun(List<T> sorted) {
    SpillFile out = file;
    if (out == null) {
      out = space.open();
      file = out;
    }
    for (T element : sorted) {
      out.append(form.write(element));
    }
    runEnds.add(out.endBytes());
  }

  boolean hasSpilled() {
    return file != null;
  }

  /** All elements in order, as long as the sink wants more; equal ones in any order. */
  void each(Predicate<T> sink) {
    gathered.sort(order);
    SpillFile spilled = file;
    if (spilled == null) {
      for (T element : gathered) {
        space.count();
        if (!sink.test(element)) {
          return;
        }
      }
      return;
    }
    spilled.flush();
    merge(spilled, sink);
  }

  private void merge(SpillFile spilled, Predicate<T> sink) {
    var runs = new PriorityQueue<Run<T>>((left, right) -> order.compare(left.head, right.head));
    long from = 0;
    for (long end : runEnds) {
      SpillFile.Reader reader = spilled.read(from, end);
      from = end;
      if (reader.hasNext()) {
        runs.add(new Run<>(form.read(reader.next()), reader, -1));
      }
    }
    if (!gathered.isEmpty()) {
      runs.add(new Run<>(gathered.getFirst(), null, 0));
    }
    while (!runs.isEmpty()) {
      space.count();
      Run<T> least = runs.remove();
      if (!sink.test(least.head)) {
        return;
      }
      Run<T> rest = following(least);
      if (rest != null) {
        runs.add(rest);
      }
    }
  }

  /** A run with its next element; the last one is in memory. */
  private record Run<T>(T head, SpillFile.@Nullable Reader reader, int inMemory) {}

  private @Nullable Run<T> following(Run<T> run) {
    if (run.reader != null) {
      return run.reader.hasNext() ? new Run<>(form.read(run.reader.next()), run.reader, -1) : null;
    }
    int next = run.inMemory + 1;
    return next < gathered.size() ? new Run<>(gathered.get(next), null, next) : null;
  }

  @Override
  public void close() {
    memory.close();
    if (file != null) {
      file.close();
    }
  }
}
