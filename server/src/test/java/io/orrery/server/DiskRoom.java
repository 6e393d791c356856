package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * How long a process may make its files. Linux lets everybody change this limit of their own
 * processes while they run (prlimit, RLIMIT_FSIZE): without room every write of a file fails as it
 * does on a full disk, and a write across the limit is cut in the middle.
 */
@SuppressWarnings("restricted") // The JDK has no other way to set limits of a process.
final class DiskRoom {
  private static final int FILE_SIZE = 1;
  private static final long UNLIMITED = -1;
  private static final MethodHandle PRLIMIT =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("prlimit"),
              FunctionDescriptor.of(
                  ValueLayout.JAVA_INT,
                  ValueLayout.JAVA_INT,
                  ValueLayout.JAVA_INT,
                  ValueLayout.ADDRESS,
                  ValueLayout.ADDRESS));

  private DiskRoom() {}

  static void none(ServerProcess server) {
    limit(server, 0);
  }

  static void upTo(ServerProcess server, long fileBytes) {
    limit(server, fileBytes);
  }

  static void plenty(ServerProcess server) {
    limit(server, UNLIMITED);
  }

  private static void limit(ServerProcess server, long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      // The hard limit stays unlimited, or the soft one could not be raised again.
      MemorySegment limits = arena.allocateFrom(ValueLayout.JAVA_LONG, bytes, UNLIMITED);
      int result =
          (int) PRLIMIT.invokeExact((int) server.pid(), FILE_SIZE, limits, MemorySegment.NULL);
      assertEquals(0, result, "prlimit failed");
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
