package io.orrery.hbase;

import org.apache.hadoop.hbase.DoNotRetryIOException;

/** A region server has not loaded the coprocessor that commits need, whatever the table says. */
final class EndpointMissing extends DoNotRetryIOException {
  private static final long serialVersionUID = 1;

  EndpointMissing(Throwable cause) {
    super(
        "a region server has not loaded its coprocessor "
            + ConditionalCall.ENDPOINT
            + "; set hbase.coprocessor.enabled and hbase.coprocessor.user.enabled to true in the"
            + " hbase-site.xml of all region servers and restart them",
        cause);
  }
}
