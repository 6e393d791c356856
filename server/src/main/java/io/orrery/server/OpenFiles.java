package io.orrery.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The limit of open files of the process. Connections count among them: clients without a key must
 * not take those that the storage needs.
 */
final class OpenFiles {
  private static final Logger LOG = LoggerFactory.getLogger(OpenFiles.class);

  /** This file is read because loading the platform's management beans would slow the start. */
  private static final Path LIMITS = Path.of("/proc/self/limits");

  private static final Pattern LIMIT = Pattern.compile("Max open files +(\\d+) .*");

  /** What is left to the storage, or half of all where there are few. */
  private static final long STORAGE_FILES = 1_000;

  private OpenFiles() {}

  /** As many connections as asked for, or fewer where these would take too many files. */
  static int connections(int asked) {
    return connections(asked, limit());
  }

  static int connections(int asked, long files) {
    long room = Math.max(files / 2, files - STORAGE_FILES);
    if (asked <= room) {
      return asked;
    }
    LOG.warn(
        "at most {} connections are served, not {}: the process may have no more than {} files"
            + " open; raise that (ulimit -n)",
        room,
        asked,
        files);
    return (int) room;
  }

  private static long limit() {
    try {
      return Files.exists(LIMITS) ? limit(Files.readString(LIMITS)) : Long.MAX_VALUE;
    } catch (IOException e) {
      LOG.info("the limit of open files cannot be read reason={}", e.toString());
      return Long.MAX_VALUE;
    }
  }

  private static long limit(String limits) {
    return limits
        .lines()
        .map(LIMIT::matcher)
        .filter(Matcher::matches)
        .map(found -> Long.parseLong(found.group(1)))
        .findFirst()
        .orElse(Long.MAX_VALUE);
  }
}
