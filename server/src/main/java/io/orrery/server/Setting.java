package io.orrery.server;

import io.orrery.script.ScriptSettings;
import java.util.List;
import java.util.Locale;

/** Everything that can be set: once here, and so as option, as key in the file, as variable. */
enum Setting {
  CONFIG("config", "FILE", "", "YAML file with settings; every option is a key of it"),
  DATA("data", "DIR", "data", "directory of the data, made if it is missing"),
  MEMORY("memory", "true|false", "false", "keep everything in memory and forget it at the end"),
  ENGINE("engine", "rocksdb|memory|hbase", "rocksdb", "where the data is kept"),
  HBASE_ZOOKEEPER(
      "hbase.zookeeper",
      "HOST:PORT,...",
      "",
      "ZooKeeper servers of the HBase cluster; needed with --engine hbase"),
  HBASE_PARENT(
      "hbase.parent",
      "/NODE",
      "/hbase",
      "node in ZooKeeper that HBase keeps its own in, its zookeeper.znode.parent"),
  HBASE_TABLE("hbase.table", "NAME", "orrery", "table in HBase, made if it is missing"),
  HBASE_WAL(
      "hbase.wal",
      "sync|fsync",
      "sync",
      "a write is answered when all copies of HBase's log have it, or have it on disk"),
  HBASE_SESSION(
      "hbase.session",
      "SECONDS",
      "6",
      "how long a node may give no sign of life before the others take over its work"),
  HOST("host", "ADDRESS", "127.0.0.1", "address to listen on; other than loopback needs --key"),
  PORT("port", "NUMBER", "8081", "port of the NoSQL API, 0 for any free one"),
  TABLE_PORT(
      "tablePort",
      "NUMBER|off",
      "8902",
      "port of the Table API, 0 for any free one, off for none; with --port 0 any free one"),
  TABLE_ACCOUNT(
      "tableAccount", "NAME", "localhost", "name of the account that clients of tables sign with"),
  NODE_PORT(
      "nodePort",
      "NUMBER",
      "8903",
      "port for other nodes, with --engine hbase; 0 for any free one; with --port 0 any free one"),
  NODE_ADDRESS(
      "nodeAddress",
      "HOST:PORT",
      "",
      "where other nodes reach this one; else --host and --node-port"),
  PRIMARY_KEY("keys.primary", "BASE64", "", "account key that may read and write"),
  SECONDARY_KEY("keys.secondary", "BASE64", "", "second account key that may read and write"),
  PRIMARY_READONLY_KEY("keys.primaryReadonly", "BASE64", "", "account key that may read"),
  SECONDARY_READONLY_KEY("keys.secondaryReadonly", "BASE64", "", "second key that may read"),
  WELL_KNOWN_KEY(
      "wellKnownKey",
      "auto|everywhere|off",
      "auto",
      "whether the emulator's well-known key works: on loopback while no key is given, always, or"
          + " never"),
  HOST_NAME(
      "hostName",
      "NAME",
      "",
      "another name of this server, for its certificate and for requests with the well-known key;"
          + " may be given several times"),
  TLS(
      "tls",
      "auto|off|CERT,KEY",
      "auto",
      "certificate of an own authority, none, or two PEM files"),
  PLAIN_HTTP(
      "plainHttp",
      "on|off",
      "on",
      "serve connections without TLS, too; off is refused together with --tls off"),
  CONNECTIONS("connections", "NUMBER", "10000", "most connections of clients at a time"),
  CONNECTIONS_PER_ADDRESS(
      "connectionsPerAddress",
      "NUMBER",
      "1000",
      "most of them from one address, or from one IPv6 network (/64); loopback addresses count"
          + " towards --connections only"),
  METRICS_NAMES(
      "metricsNames",
      "on|off",
      "off",
      "show names of databases and containers in /metrics without a signature, too"),
  LIMITS("limits", "seeds|today", "seeds", "limits of the documents of 2017/18 or of today"),
  PARTITION_BYTES(
      "partitionBytes", "SIZE", "", "storage beyond which a partition splits; else by --limits"),
  LOGICAL_PARTITION_BYTES(
      "logicalPartitionBytes", "SIZE", "", "most for one partition key; else by --limits"),
  PARTITION_UNITS(
      "partitionUnits", "NUMBER", "", "RU/s that a partition carries; else by --limits"),
  ENFORCEMENT(
      "throughput.enforcement",
      "enforce|meter",
      "enforce",
      "refuse requests beyond the provisioned throughput with 429, or only count them"),
  CLOCK(
      "clock",
      "system|virtual",
      "system",
      "virtual: throughput is refilled and partitions split only while POST"
          + " /_orrery/clock/advance lets time pass, for tests"),
  CONSISTENCY(
      "consistency",
      "LEVEL",
      "Session",
      "default level of the account: Strong, BoundedStaleness, Session, ConsistentPrefix,"
          + " Eventual"),
  DURABILITY(
      "durability",
      "sync|os",
      "sync",
      "a write is answered when it is on disk, or when the operating system has it"),
  ACCEPT_DATA_LOSS(
      "acceptDataLoss",
      "true|false",
      "false",
      "start though the log is damaged, without the acknowledged writes from the damage on"),
  CACHE("cache", "SIZE", "256MB", "memory for blocks read from disk"),
  QUERY_SPILL_BYTES(
      "querySpillBytes",
      "SIZE",
      "",
      "most that queries keep on disk at a time; without it a quarter of what is free, at most"
          + " 10GB"),
  CACHE_COUNTED(
      "cacheCounted",
      "true|false",
      "false",
      "count blocks found in memory and read from disk; costs a tenth of a point read"),
  SCRIPT_PROCESSES(
      "script.processes",
      "NUMBER",
      Integer.toString(ScriptSettings.DEFAULT.processes()),
      "processes for scripts, each runs one at a time; started when they are needed"),
  SCRIPT_MEMORY("script.memory", "SIZE", "256MB", "heap of each process for scripts"),
  DRAIN("drainSeconds", "SECONDS", "10", "how long a stop waits for requests in flight"),
  AUDIT_LOG(
      "auditLog",
      "PATH|off",
      "",
      "file of refused sign-ins and changes to keys, permissions, catalog and throughput; else"
          + " audit.log in the data directory, or standard output with --memory"),
  LOG("log", "error|warn|info|debug", "info", "what is logged, on standard error");

  private final String key;
  private final String label;
  private final String standard;
  private final String meaning;

  Setting(String key, String label, String standard, String meaning) {
    this.key = key;
    this.label = label;
    this.standard = standard;
    this.meaning = meaning;
  }

  /** Whether the option alone says yes. */
  boolean isSwitch() {
    return this == MEMORY || this == ACCEPT_DATA_LOSS;
  }

  /** Name in the file; a dot leads into a nested mapping. */
  String key() {
    return key;
  }

  /** Names in the file that mean this setting, the best first. */
  List<String> keys() {
    return this == PRIMARY_KEY ? List.of(key, "key") : List.of(key);
  }

  /** Names on the command line. */
  List<String> options() {
    return keys().stream().map(name -> "--" + separated(name, '-')).toList().reversed();
  }

  /** Names in the environment. */
  List<String> variables() {
    return keys().stream()
        .map(name -> "ORRERY_" + separated(name, '_').toUpperCase(Locale.ROOT))
        .toList()
        .reversed();
  }

  String label() {
    return label;
  }

  String standard() {
    return standard;
  }

  String meaning() {
    return meaning;
  }

  /** Whether it may be given several times; its values are then separated by commas. */
  boolean repeatable() {
    return this == HOST_NAME;
  }

  boolean secret() {
    return key.startsWith("keys.");
  }

  private static String separated(String name, char separator) {
    String spaced = name.replace('.', separator).replaceAll("([A-Z])", separator + "$1");
    return spaced.toLowerCase(Locale.ROOT);
  }
}
