/*
 * Records what a process does to the files below one directory, in order, so that the directory can
 * be rebuilt as a disk could look after a power cut. Loaded by LD_PRELOAD:
 *
 *   POWERLOSS_ROOT     the directory, an absolute path without symbolic links
 *   POWERLOSS_JOURNAL  a file outside of it, to which records are appended
 *   POWERLOSS_CONTROL  a file of 16 bytes that is mapped: events so far, and the event before which
 *                      the process is killed (0 for never)
 *   POWERLOSS_SYNC_MICROS  how long a sync takes; nothing is really synced
 *
 * One mutex orders all events, so that the journal and the files say the same at any moment.
 * io.orrery.faults.Journal reads the records. Calls go to the kernel by syscall(): dlsym() is not
 * ready when the first libraries open files.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/falloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define FILES_MAX 65536
#define JOURNAL_FD_LEAST 60000

enum kind {
  CREATED = 1, /* first: path, file: inode */
  RESIZED = 2, /* file, number: size */
  WRITTEN = 3, /* file, number: offset, first: bytes */
  RENAMED = 4, /* first: from, second: to */
  LINKED = 5,  /* first: from, second: to */
  REMOVED = 6, /* first: path */
  SYNCED = 7,  /* file, number: records of before the sync began */
  EXTENDED = 8, /* file, number: least size */
  UNKNOWN = 9  /* first: what cannot be recorded */
};

struct header {
  uint32_t kind;
  uint32_t flags; /* 1: a directory, 2: opened with O_SYNC or O_DSYNC */
  uint64_t file;
  uint64_t number;
  uint32_t first;
  uint32_t second;
};

struct control {
  volatile uint64_t events;
  volatile uint64_t cut_before;
};

static char root[PATH_MAX];
static size_t root_length;
static dev_t device;
static int journal = -1;
static struct control *control;
static long sync_micros;
static pid_t owner;
static uint64_t records;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile uint64_t inode_of[FILES_MAX];
static volatile char is_synchronous[FILES_MAX];

static long sys_open(const char *path, int flags, mode_t mode) {
  return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

static void refuse(const char *what) {
  fprintf(stderr, "powerloss: %s: %s\n", what, strerror(errno));
  _exit(99);
}

__attribute__((constructor)) static void begin(void) {
  const char *directory = getenv("POWERLOSS_ROOT");
  const char *records_to = getenv("POWERLOSS_JOURNAL");
  const char *control_at = getenv("POWERLOSS_CONTROL");
  const char *micros = getenv("POWERLOSS_SYNC_MICROS");
  unsetenv("LD_PRELOAD"); /* children are none of our business */
  if (!directory || !records_to || !control_at) return;
  struct stat found;
  if (stat(directory, &found) != 0) refuse(directory);
  device = found.st_dev;
  snprintf(root, sizeof root, "%s/", directory);
  root_length = strlen(root);
  int fd = (int)sys_open(records_to, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0) refuse(records_to);
  journal = fcntl(fd, F_DUPFD_CLOEXEC, JOURNAL_FD_LEAST);
  if (journal < 0) journal = fd; /* fewer files are allowed here */
  else syscall(SYS_close, fd);
  int shared = (int)sys_open(control_at, O_RDWR | O_CLOEXEC, 0);
  if (shared < 0) refuse(control_at);
  control = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);
  if (control == MAP_FAILED) refuse(control_at);
  syscall(SYS_close, shared);
  sync_micros = micros ? atol(micros) : 0;
  owner = getpid();
}

static int is_recording(void) { return owner != 0 && getpid() == owner; }

/* The path below the root, or NULL; absolute in a buffer of PATH_MAX. */
static const char *below(int at, const char *path, char *buffer) {
  if (!is_recording() || !path) return NULL;
  int saved = errno;
  char full[PATH_MAX];
  if (path[0] == '/') {
    if (strlen(path) >= sizeof full) return NULL;
    strcpy(full, path);
  } else {
    char folder[PATH_MAX];
    ssize_t length;
    if (at == AT_FDCWD) {
      length = getcwd(folder, sizeof folder) ? (ssize_t)strlen(folder) : -1;
    } else {
      char link[64];
      snprintf(link, sizeof link, "/proc/self/fd/%d", at);
      length = readlink(link, folder, sizeof folder - 1);
      if (length >= 0) folder[length] = 0;
    }
    errno = saved;
    if (length < 0 || (size_t)length + strlen(path) + 2 > sizeof full) return NULL;
    memcpy(full, folder, (size_t)length);
    full[length] = '/';
    strcpy(full + length + 1, path);
  }
  char *to = buffer;
  for (const char *from = full; *from; from++) {
    if (from[0] == '/' && (from[1] == '/' || from[1] == 0)) continue;
    if (from[0] == '/' && from[1] == '.' && (from[2] == '/' || from[2] == 0)) {
      from++;
      continue;
    }
    *to++ = *from;
  }
  *to = 0;
  if ((size_t)(to - buffer) + 1 == root_length && !memcmp(buffer, root, root_length - 1)) return to;
  return strncmp(buffer, root, root_length) ? NULL : buffer + root_length;
}

/* The inode behind a descriptor that was opened below the root; 0 for all others. */
static uint64_t inode(int fd) {
  if (fd < 0 || fd >= FILES_MAX || inode_of[fd] == 0 || !is_recording()) return 0;
  struct stat found;
  int saved = errno;
  /* fclose() closes without a call that is seen here: what has the number now may be a socket. */
  if (fstat(fd, &found) != 0 || found.st_dev != device || found.st_ino != inode_of[fd]) {
    inode_of[fd] = 0;
  }
  errno = saved;
  return inode_of[fd];
}

/* Counts an event and dies if it is the one that must not happen; the mutex is held. */
static void event(void) {
  uint64_t number = ++control->events;
  if (control->cut_before != 0 && number >= control->cut_before) {
    kill(owner, SIGKILL);
    for (;;) pause();
  }
}

static void append(struct iovec *parts, int count) {
  size_t skip = 0;
  while (count > 0) {
    struct iovec first = {(char *)parts->iov_base + skip, parts->iov_len - skip};
    ssize_t n = syscall(SYS_write, journal, first.iov_base, first.iov_len);
    if (n < 0 && errno != EINTR) refuse("the journal cannot be written");
    if (n > 0) skip += (size_t)n;
    if (skip == parts->iov_len) {
      parts++;
      count--;
      skip = 0;
    }
  }
}

static void record(struct header head, const char *first, const char *second) {
  struct iovec parts[3] = {
      {&head, sizeof head}, {(void *)first, head.first}, {(void *)second, head.second}};
  records++;
  int saved = errno;
  append(parts, 3);
  errno = saved;
}

static void record_paths(enum kind kind, uint64_t file, int is_directory, const char *first,
                         const char *second) {
  struct header head = {kind, is_directory != 0, file, 0, (uint32_t)strlen(first),
                        second ? (uint32_t)strlen(second) : 0};
  record(head, first, second ? second : "");
}

static void record_unknown(const char *what) { record_paths(UNKNOWN, 0, 0, what, NULL); }

static void record_bytes(int fd, uint64_t file, uint64_t offset, const struct iovec *from, int count,
                         size_t length) {
  struct header head = {WRITTEN, 0, file, offset, (uint32_t)length, 0};
  records++;
  int saved = errno;
  struct iovec part = {&head, sizeof head};
  append(&part, 1);
  for (int i = 0; i < count && length > 0; i++) {
    struct iovec next = {from[i].iov_base, from[i].iov_len < length ? from[i].iov_len : length};
    length -= next.iov_len;
    if (next.iov_len > 0) append(&next, 1);
  }
  if (is_synchronous[fd]) {
    struct header synced = {SYNCED, 0, file, records, 0, 0};
    record(synced, "", "");
  }
  errno = saved;
}

static int note_open(int fd, int flags, int is_new, const char *name) {
  struct stat found;
  if (fd < 0 || fstat(fd, &found) != 0) return fd;
  if (!S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode)) return fd;
  if (fd >= FILES_MAX) {
    record_unknown("a descriptor beyond the table");
    return fd;
  }
  inode_of[fd] = found.st_ino;
  is_synchronous[fd] = (flags & (O_SYNC | O_DSYNC)) != 0;
  if (is_new) {
    record_paths(CREATED, found.st_ino, 0, name, NULL);
  } else if ((flags & O_TRUNC) && S_ISREG(found.st_mode)) {
    struct header head = {RESIZED, 0, found.st_ino, 0, 0, 0};
    record(head, "", "");
  }
  return fd;
}

static int do_open(int at, const char *path, int flags, mode_t mode) {
  char buffer[PATH_MAX];
  const char *name = below(at, path, buffer);
  if (!name) return (int)syscall(SYS_openat, at, path, flags, mode);
  pthread_mutex_lock(&mutex);
  int changes = (flags & (O_CREAT | O_TRUNC)) != 0;
  if (changes) event();
  int saved = errno;
  int is_new = (flags & O_CREAT) && syscall(SYS_faccessat, at, path, F_OK) != 0;
  errno = saved;
  int fd = note_open((int)syscall(SYS_openat, at, path, flags, mode), flags, is_new, name);
  pthread_mutex_unlock(&mutex);
  return fd;
}

static mode_t mode_of(int flags, va_list more) {
  return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? (mode_t)va_arg(more, int) : 0;
}

EXPORT int open(const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  mode_t mode = mode_of(flags, more);
  va_end(more);
  return do_open(AT_FDCWD, path, flags, mode);
}

EXPORT int openat(int at, const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  mode_t mode = mode_of(flags, more);
  va_end(more);
  return do_open(at, path, flags, mode);
}

EXPORT int open64(const char *, int, ...) __attribute__((alias("open")));
EXPORT int openat64(int, const char *, int, ...) __attribute__((alias("openat")));

EXPORT int __open_2(const char *path, int flags) { return do_open(AT_FDCWD, path, flags, 0); }
EXPORT int __open64_2(const char *path, int flags) { return do_open(AT_FDCWD, path, flags, 0); }

EXPORT int creat(const char *path, mode_t mode) {
  return do_open(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}
EXPORT int creat64(const char *, mode_t) __attribute__((alias("creat")));

EXPORT int close(int fd) {
  /* In a child after vfork() the table is that of the parent. */
  if (fd >= 0 && fd < FILES_MAX && is_recording()) inode_of[fd] = 0;
  return (int)syscall(SYS_close, fd);
}

EXPORT int dup2(int from, int to) {
  if (is_recording() && to >= 0 && to < FILES_MAX) inode_of[to] = inode(from);
  return from == to ? fcntl(from, F_GETFD) < 0 ? -1 : to : (int)syscall(SYS_dup3, from, to, 0);
}

EXPORT ssize_t write(int fd, const void *bytes, size_t length) {
  uint64_t file = inode(fd);
  if (!file) return syscall(SYS_write, fd, bytes, length);
  pthread_mutex_lock(&mutex);
  event();
  ssize_t n = syscall(SYS_write, fd, bytes, length);
  if (n > 0) {
    struct iovec part = {(void *)bytes, length};
    record_bytes(fd, file, (uint64_t)(lseek(fd, 0, SEEK_CUR) - n), &part, 1, (size_t)n);
  }
  pthread_mutex_unlock(&mutex);
  return n;
}

EXPORT ssize_t writev(int fd, const struct iovec *parts, int count) {
  uint64_t file = inode(fd);
  if (!file) return syscall(SYS_writev, fd, parts, count);
  pthread_mutex_lock(&mutex);
  event();
  ssize_t n = syscall(SYS_writev, fd, parts, count);
  if (n > 0) record_bytes(fd, file, (uint64_t)(lseek(fd, 0, SEEK_CUR) - n), parts, count, (size_t)n);
  pthread_mutex_unlock(&mutex);
  return n;
}

EXPORT ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) {
  uint64_t file = inode(fd);
  if (!file) return syscall(SYS_pwritev, fd, parts, count, offset, 0L);
  pthread_mutex_lock(&mutex);
  event();
  ssize_t n = syscall(SYS_pwritev, fd, parts, count, offset, 0L);
  if (n > 0) record_bytes(fd, file, (uint64_t)offset, parts, count, (size_t)n);
  pthread_mutex_unlock(&mutex);
  return n;
}
EXPORT ssize_t pwritev64(int, const struct iovec *, int, off_t) __attribute__((alias("pwritev")));

EXPORT ssize_t pwritev2(int fd, const struct iovec *parts, int count, off_t offset, int flags) {
  if (!inode(fd)) return syscall(SYS_pwritev2, fd, parts, count, offset, 0L, flags);
  return offset == -1 ? writev(fd, parts, count) : pwritev(fd, parts, count, offset);
}
EXPORT ssize_t pwritev64v2(int, const struct iovec *, int, off_t, int)
    __attribute__((alias("pwritev2")));

EXPORT ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) {
  if (!inode(fd)) return syscall(SYS_pwrite64, fd, bytes, length, offset);
  struct iovec part = {(void *)bytes, length};
  return pwritev(fd, &part, 1, offset);
}
EXPORT ssize_t pwrite64(int, const void *, size_t, off_t) __attribute__((alias("pwrite")));

/* Callers write the bytes themselves when these are not to be had. */
EXPORT ssize_t copy_file_range(int from, off_t *at, int to, off_t *to_at, size_t length,
                               unsigned flags) {
  if (!inode(to)) return syscall(SYS_copy_file_range, from, at, to, to_at, length, flags);
  errno = ENOSYS;
  return -1;
}

EXPORT ssize_t sendfile(int to, int from, off_t *at, size_t length) {
  if (!inode(to)) return syscall(SYS_sendfile, to, from, at, length);
  errno = EINVAL;
  return -1;
}
EXPORT ssize_t sendfile64(int, int, off_t *, size_t) __attribute__((alias("sendfile")));

EXPORT void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset) {
  if ((flags & MAP_SHARED) && (protection & PROT_WRITE) && inode(fd)) {
    pthread_mutex_lock(&mutex);
    record_unknown("a file mapped to be written");
    pthread_mutex_unlock(&mutex);
  }
  return (void *)syscall(SYS_mmap, address, length, protection, flags, fd, offset);
}
EXPORT void *mmap64(void *, size_t, int, int, int, off_t) __attribute__((alias("mmap")));

EXPORT int ftruncate(int fd, off_t length) {
  uint64_t file = inode(fd);
  if (!file) return (int)syscall(SYS_ftruncate, fd, length);
  pthread_mutex_lock(&mutex);
  event();
  int result = (int)syscall(SYS_ftruncate, fd, length);
  if (result == 0) {
    struct header head = {RESIZED, 0, file, (uint64_t)length, 0, 0};
    record(head, "", "");
  }
  pthread_mutex_unlock(&mutex);
  return result;
}
EXPORT int ftruncate64(int, off_t) __attribute__((alias("ftruncate")));

EXPORT int truncate(const char *path, off_t length) {
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  int result = ftruncate(fd, length);
  int saved = errno;
  close(fd);
  errno = saved;
  return result;
}
EXPORT int truncate64(const char *, off_t) __attribute__((alias("truncate")));

EXPORT int fallocate(int fd, int mode, off_t offset, off_t length) {
  uint64_t file = inode(fd);
  if (!file) return (int)syscall(SYS_fallocate, fd, mode, offset, length);
  pthread_mutex_lock(&mutex);
  event();
  int result = (int)syscall(SYS_fallocate, fd, mode, offset, length);
  if (result == 0 && mode == 0) {
    struct header head = {EXTENDED, 0, file, (uint64_t)(offset + length), 0, 0};
    record(head, "", "");
  } else if (result == 0 && mode != FALLOC_FL_KEEP_SIZE) {
    record_unknown("a mode of fallocate");
  }
  pthread_mutex_unlock(&mutex);
  return result;
}
EXPORT int fallocate64(int, int, off_t, off_t) __attribute__((alias("fallocate")));

EXPORT int posix_fallocate(int fd, off_t offset, off_t length) {
  int saved = errno;
  int result = fallocate(fd, 0, offset, length) == 0 ? 0 : errno;
  errno = saved;
  return result;
}
EXPORT int posix_fallocate64(int, off_t, off_t) __attribute__((alias("posix_fallocate")));

static int sync_file(int fd, long number) {
  uint64_t file = inode(fd);
  if (!file) return (int)syscall(number, fd);
  pthread_mutex_lock(&mutex);
  event();
  uint64_t before = records;
  pthread_mutex_unlock(&mutex);
  if (sync_micros > 0) {
    struct timespec time = {sync_micros / 1000000, sync_micros % 1000000 * 1000};
    nanosleep(&time, NULL);
  }
  pthread_mutex_lock(&mutex);
  event(); /* the power may go before the disk has answered */
  struct header head = {SYNCED, 0, file, before, 0, 0};
  record(head, "", "");
  pthread_mutex_unlock(&mutex);
  return 0;
}

EXPORT int fsync(int fd) { return sync_file(fd, SYS_fsync); }
EXPORT int fdatasync(int fd) { return sync_file(fd, SYS_fdatasync); }

/* Promises nothing after a power cut: no metadata, and not the cache of the disk. */
EXPORT int sync_file_range(int fd, off_t offset, off_t length, unsigned flags) {
  return inode(fd) ? 0 : (int)syscall(SYS_sync_file_range, fd, offset, length, flags);
}

static int do_rename(int from_at, const char *from, int to_at, const char *to, unsigned flags) {
  char from_buffer[PATH_MAX], to_buffer[PATH_MAX];
  const char *from_name = below(from_at, from, from_buffer);
  const char *to_name = below(to_at, to, to_buffer);
  if (!from_name && !to_name) return (int)syscall(SYS_renameat2, from_at, from, to_at, to, flags);
  pthread_mutex_lock(&mutex);
  event();
  int result = (int)syscall(SYS_renameat2, from_at, from, to_at, to, flags);
  if (result == 0) {
    if (from_name && to_name && flags == 0) record_paths(RENAMED, 0, 0, from_name, to_name);
    else record_unknown("a rename into or out of the directory");
  }
  pthread_mutex_unlock(&mutex);
  return result;
}

EXPORT int rename(const char *from, const char *to) {
  return do_rename(AT_FDCWD, from, AT_FDCWD, to, 0);
}
EXPORT int renameat(int from_at, const char *from, int to_at, const char *to) {
  return do_rename(from_at, from, to_at, to, 0);
}
EXPORT int renameat2(int from_at, const char *from, int to_at, const char *to, unsigned flags) {
  return do_rename(from_at, from, to_at, to, flags);
}

EXPORT int linkat(int from_at, const char *from, int to_at, const char *to, int flags) {
  char from_buffer[PATH_MAX], to_buffer[PATH_MAX];
  const char *from_name = below(from_at, from, from_buffer);
  const char *to_name = below(to_at, to, to_buffer);
  if (!to_name) return (int)syscall(SYS_linkat, from_at, from, to_at, to, flags);
  pthread_mutex_lock(&mutex);
  event();
  int result = (int)syscall(SYS_linkat, from_at, from, to_at, to, flags);
  if (result == 0) {
    if (from_name) record_paths(LINKED, 0, 0, from_name, to_name);
    else record_unknown("a link from outside of the directory");
  }
  pthread_mutex_unlock(&mutex);
  return result;
}
EXPORT int link(const char *from, const char *to) {
  return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

EXPORT int symlinkat(const char *target, int at, const char *path) {
  char buffer[PATH_MAX];
  if (below(at, path, buffer)) {
    pthread_mutex_lock(&mutex);
    record_unknown("a symbolic link");
    pthread_mutex_unlock(&mutex);
  }
  return (int)syscall(SYS_symlinkat, target, at, path);
}
EXPORT int symlink(const char *target, const char *path) {
  return symlinkat(target, AT_FDCWD, path);
}

EXPORT int unlinkat(int at, const char *path, int flags) {
  char buffer[PATH_MAX];
  const char *name = below(at, path, buffer);
  if (!name) return (int)syscall(SYS_unlinkat, at, path, flags);
  pthread_mutex_lock(&mutex);
  event();
  int result = (int)syscall(SYS_unlinkat, at, path, flags);
  if (result == 0) record_paths(REMOVED, 0, flags & AT_REMOVEDIR, name, NULL);
  pthread_mutex_unlock(&mutex);
  return result;
}
EXPORT int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
EXPORT int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }
EXPORT int remove(const char *path) {
  int result = unlink(path);
  return result != 0 && errno == EISDIR ? rmdir(path) : result;
}

EXPORT int mkdirat(int at, const char *path, mode_t mode) {
  char buffer[PATH_MAX];
  const char *name = below(at, path, buffer);
  if (!name) return (int)syscall(SYS_mkdirat, at, path, mode);
  pthread_mutex_lock(&mutex);
  event();
  int result = (int)syscall(SYS_mkdirat, at, path, mode);
  struct stat found;
  if (result == 0 && fstatat(at, path, &found, 0) == 0) {
    record_paths(CREATED, found.st_ino, 1, name, NULL);
  }
  pthread_mutex_unlock(&mutex);
  return result;
}
EXPORT int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }
