package io.orrery.nosql;

import io.netty.util.AsciiString;

/** The request headers that are read here; all others are ignored. */
final class NosqlHeaders {
  static final AsciiString AUTHORIZATION = name("authorization");
  static final AsciiString DATE = name("date");
  static final AsciiString MS_DATE = name("x-ms-date");
  static final AsciiString CONTENT_SHA256 = name(Authorization.DIGEST_HEADER);
  static final AsciiString HOST = name("host");
  static final AsciiString CONTENT_TYPE = name("content-type");
  static final AsciiString PREFER = name("prefer");
  static final AsciiString IF_MATCH = name("if-match");
  static final AsciiString IF_NONE_MATCH = name("if-none-match");
  static final AsciiString A_IM = name("a-im");
  static final AsciiString IF_MODIFIED_SINCE = name("if-modified-since");
  static final AsciiString CHANGE_FORMAT = name("x-ms-cosmos-changefeed-wire-format-version");
  static final AsciiString ACTIVITY_ID = name("x-ms-activity-id");
  static final AsciiString MAX_ITEM_COUNT = name("x-ms-max-item-count");
  static final AsciiString CONTINUATION = name("x-ms-continuation");
  static final AsciiString CONSISTENCY_LEVEL = name("x-ms-consistency-level");
  static final AsciiString SESSION_TOKEN = name("x-ms-session-token");
  static final AsciiString READ_CONSISTENCY_STRATEGY =
      name("x-ms-cosmos-read-consistency-strategy");
  static final AsciiString IS_QUERY = name("x-ms-documentdb-isquery");
  static final AsciiString IS_UPSERT = name("x-ms-documentdb-is-upsert");
  static final AsciiString PARTITION_KEY = name("x-ms-documentdb-partitionkey");
  static final AsciiString RANGE_ID = name("x-ms-documentdb-partitionkeyrangeid");
  static final AsciiString PRE_TRIGGERS = name("x-ms-documentdb-pre-trigger-include");
  static final AsciiString POST_TRIGGERS = name("x-ms-documentdb-post-trigger-include");
  static final AsciiString SCRIPT_LOGGING = name("x-ms-documentdb-script-enable-logging");
  static final AsciiString OFFER_THROUGHPUT = name("x-ms-offer-throughput");
  static final AsciiString OFFER_AUTOPILOT = name("x-ms-cosmos-offer-autopilot-settings");
  static final AsciiString IS_QUERY_PLAN = name("x-ms-cosmos-is-query-plan-request");
  static final AsciiString IS_BATCH = name("x-ms-cosmos-is-batch-request");
  static final AsciiString BATCH_ATOMIC = name("x-ms-cosmos-batch-atomic");
  static final AsciiString BATCH_ORDERED = name("x-ms-cosmos-batch-ordered");
  static final AsciiString BATCH_CONTINUES = name("x-ms-cosmos-batch-continue-on-error");
  static final AsciiString QUERY_FEATURES = name("x-ms-cosmos-supported-query-features");
  static final AsciiString CROSS_PARTITION = name("x-ms-documentdb-query-enablecrosspartition");
  static final AsciiString QUERY_METRICS = name("x-ms-documentdb-populatequerymetrics");
  static final AsciiString INDEX_METRICS = name("x-ms-cosmos-populateindexmetrics");
  static final AsciiString INDEX_METRICS_V2 = name("x-ms-cosmos-populateindexmetrics-v2");
  static final AsciiString CONTINUATION_LIMIT =
      name("x-ms-documentdb-responsecontinuationtokenlimitinkb");
  static final AsciiString INTENDED_RID = name("x-ms-cosmos-intended-collection-rid");
  static final AsciiString EXPIRY_SECONDS = name("x-ms-documentdb-expiry-seconds");
  static final AsciiString START_EPK = name("x-ms-start-epk");
  static final AsciiString END_EPK = name("x-ms-end-epk");

  private NosqlHeaders() {}

  private static AsciiString name(String text) {
    return AsciiString.cached(text);
  }
}
