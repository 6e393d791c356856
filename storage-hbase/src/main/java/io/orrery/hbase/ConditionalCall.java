package io.orrery.hbase;

import com.google.protobuf.ServiceException;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MultiRowMutationService;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsRequest;

/**
 * Changes of several rows of one region, all or nothing, in one call that may hang on a condition.
 * The only place that touches the generated classes of the endpoint, which differ between HBase's
 * major versions.
 */
final class ConditionalCall {
  static final String ENDPOINT = "org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint";

  private final byte[] row;
  private final MutateRowsRequest.Builder request = MutateRowsRequest.newBuilder();

  /**
   * @param row lies in the region that is called
   */
  ConditionalCall(byte[] row) {
    this.row = row;
  }

  /**
   * Makes the call depend on the mark in this row: it has these bytes, or for empty ones it has
   * none or they are empty, which HBase does not tell apart.
   */
  ConditionalCall ifMarked(byte[] headRow, byte[] mark) throws IOException {
    request.addCondition(
        ProtobufUtil.toCondition(
            headRow, Layout.FAMILY, Layout.MARK, CompareOperator.EQUAL, mark, TimeRange.allTime()));
    return this;
  }

  ConditionalCall with(List<? extends Mutation> mutations) throws IOException {
    for (Mutation mutation : mutations) {
      var type = mutation instanceof Delete ? MutationType.DELETE : MutationType.PUT;
      request.addMutationRequest(ProtobufUtil.toMutation(type, mutation));
    }
    return this;
  }

  /** Whether the condition held and the changes were made. An exception leaves both unknown. */
  @SuppressWarnings("deprecation") // the asynchronous successor reaches the same endpoint
  boolean send(Table table) throws IOException {
    try {
      var service = MultiRowMutationService.newBlockingStub(table.coprocessorService(row));
      return service.mutateRows(null, request.build()).getProcessed();
    } catch (ServiceException e) {
      if (e.getCause() instanceof UnknownProtocolException unknown) {
        throw new EndpointMissing(unknown);
      }
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e);
    }
  }
}
