package io.orrery.routing;

import io.orrery.operation.Memory;
import io.orrery.operation.Refusal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Room for what queries gather: in memory as far as the account allows, then on disk. Nothing of it
 * outlives the process. The space of one query is a part of the space of all.
 */
final class SpillSpace {
  private static final Logger LOG = LoggerFactory.getLogger(SpillSpace.class);

  /** One query leaves room for others. */
  private static final int QUERIES_MIN = 2;

  /** One query may hold this share of the lane, as its budget says. */
  private static final int SHARES_OF_LANE = 4;

  /** The time is looked at after so many rows, or so many bytes of them. */
  private static final int ROWS_PER_LOOK = 256;

  private static final int BYTES_PER_ROW = 256;

  /** The disk's room is looked at again after so many bytes. */
  private static final long LOOK_BYTES = 4L << 20;

  private final SpillSettings settings;
  private final Memory memory;
  private final @Nullable SpillSpace all;
  private final long maxBytes;
  private final Runnable look;
  private final AtomicLong usedBytes = new AtomicLong();
  private final AtomicLong lookedAtBytes = new AtomicLong(-LOOK_BYTES);
  private volatile BooleanSupplier relief = () -> false;

  /** By whichever thread of the query has its turn. */
  private long sinceLook;

  SpillSpace(SpillSettings settings, Memory memory) {
    this(settings, memory, null, settings.maxBytes(), () -> {});
  }

  private SpillSpace(
      SpillSettings settings,
      Memory memory,
      @Nullable SpillSpace all,
      long maxBytes,
      Runnable look) {
    this.settings = settings;
    this.memory = memory;
    this.all = all;
    this.maxBytes = maxBytes;
    this.look = look;
  }

  /**
   * The space of one query.
   *
   * @param look looks at the query's time; called while much is gathered, sorted and merged
   */
  SpillSpace ofQuery(Runnable look) {
    return new SpillSpace(settings, memory, this, maxBytes / QUERIES_MIN, look);
  }

  /**
   * Called for every row that is gathered, written or read again; looks at the time now and then.
   * Rows may have megabytes each, so a number of them says little about the time they take.
   */
  void count(long bytes) {
    sinceLook += 1 + bytes / BYTES_PER_ROW;
    if (sinceLook >= ROWS_PER_LOOK) {
      sinceLook = 0;
      look.run();
    }
  }

  /**
   * @param dropping gives up something that was kept for later; false when there is nothing
   */
  void relievedBy(BooleanSupplier dropping) {
    relief = dropping;
  }

  /** The memory of a step that gathers. */
  GatheringMemory memory(long mostBytes) {
    return new GatheringMemory(memory, mostBytes);
  }

  /** The memory of a step that merges runs on disk, whose rows may be large. */
  GatheringMemory mergingMemory(long leastBytes) {
    long share = memory.boundBytes(Memory.Lane.QUERY) / SHARES_OF_LANE;
    return new GatheringMemory(memory, Math.max(leastBytes, share));
  }

  long usedBytes() {
    return usedBytes.get();
  }

  SpillFile open() {
    try {
      Path path = Files.createTempFile(settings.directory(), "orrery-query-", ".spill");
      FileChannel channel =
          FileChannel.open(
              path,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE);
      // An open file needs no name; without one not even a crash leaves it behind.
      Files.deleteIfExists(path);
      return new SpillFile(this, channel);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /**
   * Counts bytes before they are written.
   *
   * @throws Refused when the query, or all queries together, would keep too much on disk
   */
  void reserve(long bytes) {
    if (all == null) {
      reserveOfAll(bytes);
      return;
    }
    if (usedBytes.addAndGet(bytes) > maxBytes) {
      usedBytes.addAndGet(-bytes);
      throw new Refused(
          new Refusal.BadRequest(
              "The query gathers more than "
                  + (maxBytes >> 20)
                  + " MB of temporary data, which is what one query may keep on disk. Select,"
                  + " sort or group less in one query."));
    }
    try {
      all.reserve(bytes);
    } catch (RuntimeException e) {
      usedBytes.addAndGet(-bytes);
      throw e;
    }
  }

  private void reserveOfAll(long bytes) {
    while (usedBytes.addAndGet(bytes) > maxBytes || !leavesReserve()) {
      usedBytes.addAndGet(-bytes);
      if (!relief.getAsBoolean()) {
        throw new Refused(
            new Refusal.Unavailable(
                "Queries need more temporary space on disk than there is; try again"));
      }
    }
  }

  /** Writes of items come first: the disk they share is never filled up by queries. */
  private boolean leavesReserve() {
    long used = usedBytes.get();
    if (Math.abs(used - lookedAtBytes.get()) < LOOK_BYTES) {
      return true;
    }
    try {
      long free = Files.getFileStore(settings.directory()).getUsableSpace();
      if (free < settings.reserveBytes()) {
        return false;
      }
      lookedAtBytes.set(used);
      return true;
    } catch (IOException e) {
      throw failed(e);
    }
  }

  void release(long bytes) {
    usedBytes.addAndGet(-bytes);
    if (all != null) {
      all.release(bytes);
    }
  }

  static void writeFully(FileChannel channel, ByteBuffer bytes, long at) {
    try {
      long place = at;
      while (bytes.hasRemaining()) {
        place += channel.write(bytes, place);
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** A disk that is full or broken is the server's fault, and may be over soon. */
  static Refused failed(IOException e) {
    LOG.warn("Temporary data of a query could not be kept on disk: {}", e.toString());
    return new Refused(
        new Refusal.Unavailable(
            "The disk did not take the query's temporary data ("
                + e.getMessage()
                + "); try again"));
  }
}
