package io.orrery.script.child;

import org.jspecify.annotations.Nullable;

/**
 * The system calls of Linux that {@link Confinement} knows, by their numbers on amd64 and aarch64.
 * All calls before {@link Machine#newer} were gone through: those that are not named here act on
 * nothing but the process itself and the files that it has open, or only read.
 */
enum SystemCall {
  // Connections; sockets cannot exist, so what works on them is refused with them.
  SOCKET(41, 198),
  SOCKETPAIR(53, 199),
  CONNECT(42, 203),
  BIND(49, 200),
  LISTEN(50, 201),
  ACCEPT(43, 202),
  ACCEPT4(288, 242),
  SENDTO(44, 206),
  SENDMSG(46, 211),
  SENDMMSG(307, 269),
  RECVFROM(45, 207),
  RECVMSG(47, 212),
  RECVMMSG(299, 243),
  SETSOCKOPT(54, 208),
  // Programs and processes; clone is looked at more closely.
  EXECVE(59, 221),
  EXECVEAT(322, 281),
  FORK(57),
  VFORK(58),
  // Signals to others; tgkill is looked at more closely.
  KILL(62, 129),
  TKILL(200, 130),
  RT_SIGQUEUEINFO(129, 138),
  RT_TGSIGQUEUEINFO(297, 240),
  // The memory of others, and how they run.
  PTRACE(101, 117),
  PROCESS_VM_READV(310, 270),
  PROCESS_VM_WRITEV(311, 271),
  KCMP(312, 272),
  MIGRATE_PAGES(256, 238),
  MOVE_PAGES(279, 239),
  SETPRIORITY(141, 140),
  IOPRIO_SET(251, 30),
  SCHED_SETPARAM(142, 118),
  SCHED_SETSCHEDULER(144, 119),
  SCHED_SETAFFINITY(203, 122),
  SCHED_SETATTR(314, 274),
  // Files: content, names, attributes and locks; open and openat are looked at more closely.
  CREAT(85),
  TRUNCATE(76, 45),
  FTRUNCATE(77, 46),
  FALLOCATE(285, 47),
  RENAME(82),
  RENAMEAT(264, 38),
  RENAMEAT2(316, 276),
  MKDIR(83),
  MKDIRAT(258, 34),
  RMDIR(84),
  LINK(86),
  LINKAT(265, 37),
  UNLINK(87),
  UNLINKAT(263, 35),
  SYMLINK(88),
  SYMLINKAT(266, 36),
  MKNOD(133),
  MKNODAT(259, 33),
  CHMOD(90),
  FCHMOD(91, 52),
  FCHMODAT(268, 53),
  CHOWN(92),
  FCHOWN(93, 55),
  LCHOWN(94),
  FCHOWNAT(260, 54),
  UTIME(132),
  UTIMES(235),
  FUTIMESAT(261),
  UTIMENSAT(280, 88),
  SETXATTR(188, 5),
  LSETXATTR(189, 6),
  FSETXATTR(190, 7),
  REMOVEXATTR(197, 14),
  LREMOVEXATTR(198, 15),
  FREMOVEXATTR(199, 16),
  FLOCK(73, 32),
  SYNC(162, 81),
  SYNCFS(306, 267),
  MEMFD_CREATE(319, 279),
  // Files by other ways than their names, and news of them.
  NAME_TO_HANDLE_AT(303, 264),
  OPEN_BY_HANDLE_AT(304, 265),
  INOTIFY_INIT(253),
  INOTIFY_INIT1(294, 26),
  FANOTIFY_INIT(300, 262),
  FANOTIFY_MARK(301, 263),
  // Memory and queues shared with others.
  SHMGET(29, 194),
  SHMAT(30, 196),
  SHMCTL(31, 195),
  SEMGET(64, 190),
  SEMOP(65, 193),
  SEMTIMEDOP(220, 192),
  SEMCTL(66, 191),
  MSGGET(68, 186),
  MSGSND(69, 189),
  MSGRCV(70, 188),
  MSGCTL(71, 187),
  MQ_OPEN(240, 180),
  MQ_UNLINK(241, 181),
  ADD_KEY(248, 217),
  REQUEST_KEY(249, 218),
  KEYCTL(250, 219),
  // Parts of the kernel that mistakes are found in, and no JVM uses.
  BPF(321, 280),
  PERF_EVENT_OPEN(298, 241),
  USERFAULTFD(323, 282),
  IO_SETUP(206, 0),
  SPLICE(275, 76),
  TEE(276, 77),
  VMSPLICE(278, 75),
  MODIFY_LDT(154),
  USELIB(134),
  // What an administrator does: servers in containers often run as root.
  MOUNT(165, 40),
  UMOUNT2(166, 39),
  PIVOT_ROOT(155, 41),
  CHROOT(161, 51),
  UNSHARE(272, 97),
  SETNS(308, 268),
  SETUID(105, 146),
  SETGID(106, 144),
  SETREUID(113, 145),
  SETREGID(114, 143),
  SETRESUID(117, 147),
  SETRESGID(119, 149),
  SETFSUID(122, 151),
  SETFSGID(123, 152),
  SETGROUPS(116, 159),
  CAPSET(126, 91),
  SETSID(112, 157),
  SETPGID(109, 154),
  ACCT(163, 89),
  QUOTACTL(179, 60),
  SWAPON(167, 224),
  SWAPOFF(168, 225),
  REBOOT(169, 142),
  SETHOSTNAME(170, 161),
  SETDOMAINNAME(171, 162),
  SETTIMEOFDAY(164, 170),
  ADJTIMEX(159, 171),
  CLOCK_SETTIME(227, 112),
  CLOCK_ADJTIME(305, 266),
  IOPL(172),
  IOPERM(173),
  INIT_MODULE(175, 105),
  FINIT_MODULE(313, 273),
  DELETE_MODULE(176, 106),
  KEXEC_LOAD(246, 104),
  KEXEC_FILE_LOAD(320, 294),
  SYSLOG(103, 116),
  VHANGUP(153, 58),
  // Looked at more closely, or used by the filter itself.
  OPEN(2),
  OPENAT(257, 56),
  CLONE(56, 220),
  TGKILL(234, 131),
  PRLIMIT64(302, 261),
  FCNTL(72, 25),
  IOCTL(16, 29),
  PRCTL(157, 167),
  SECCOMP(317, 277);

  private static final int NONE = -1;

  private final int amd64;
  private final int aarch64;

  SystemCall(int amd64, int aarch64) {
    this.amd64 = amd64;
    this.aarch64 = aarch64;
  }

  /** A call of amd64 alone: of its hardware, or an old one that aarch64 never had. */
  SystemCall(int amd64) {
    this(amd64, NONE);
  }

  /** Its number; negative where the machine does not have it. */
  int number(Machine machine) {
    return switch (machine) {
      case AMD64 -> amd64;
      case AARCH64 -> aarch64;
    };
  }

  /** A kind of machine whose numbers are known. */
  enum Machine {
    AMD64(0xc000003e, 335),
    AARCH64(0xc00000b7, 295);

    private final int code;
    private final int newer;

    Machine(int code, int newer) {
      this.code = code;
      this.newer = newer;
    }

    /**
     * From here on calls came with Linux 5.1 or later; most have the same number on all machines,
     * from 424 on. A JVM runs without them, as it does on older kernels. On amd64 the numbers of
     * x32 are larger still.
     */
    int newer() {
      return newer;
    }

    /** What a filter sees of the machine that a call is meant for. */
    int code() {
      return code;
    }

    /** The one that runs this; null where there is no Linux, or on another machine. */
    static @Nullable Machine current() {
      if (!System.getProperty("os.name").equals("Linux")) {
        return null;
      }
      return switch (System.getProperty("os.arch")) {
        case "amd64" -> AMD64;
        case "aarch64" -> AARCH64;
        default -> null;
      };
    }
  }
}
