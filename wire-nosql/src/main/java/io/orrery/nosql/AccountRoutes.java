package io.orrery.nosql;

import io.netty.handler.codec.http.HttpMethod;
import io.orrery.http.JsonText;
import io.orrery.operation.ConsistencyLevel;
import java.util.List;

/** The account: what clients read first to learn where to send requests and what to expect. */
final class AccountRoutes {
  private static final String QUERY_ENGINE =
      """
      {"maxSqlQueryInputLength":524288,"maxJoinsPerSqlQuery":10,"maxLogicalAndPerSqlQuery":2000,\
      "maxLogicalOrPerSqlQuery":2000,"maxUdfRefPerSqlQuery":10,\
      "maxInExpressionItemsCount":2147483647,"queryMaxInMemorySortDocumentCount":-1000,\
      "maxQueryRequestTimeoutFraction":0.9,"sqlAllowNonFiniteNumbers":false,\
      "sqlAllowAggregateFunctions":true,"sqlAllowSubQuery":true,"sqlAllowScalarSubQuery":true,\
      "allowNewKeywords":true,"sqlAllowLike":true,"sqlAllowGroupByClause":true,\
      "maxSpatialQueryCells":12,"spatialMaxGeometryPointCount":256,"sqlDisableQueryILOptimization":false,\
      "sqlDisableFilterPlanOptimization":false,"sqlAllowTop":true,"enableSpatialIndexing":true}\
      """;

  private final ConsistencyLevel consistency;

  AccountRoutes(ConsistencyLevel consistency) {
    this.consistency = consistency;
  }

  List<Route> routes() {
    return List.of(
        Route.tell("ReadAccount", HttpMethod.GET, ResourcePath.Shape.ACCOUNT, this::account));
  }

  /**
   * Locations carry the URL under which this very client came, since it goes on with what it reads
   * here. No thin client locations: they would make the Java SDK speak HTTP/2.
   */
  private byte[] account(NosqlRequest request) {
    String endpoint = JsonText.quote(request.endpoint());
    String locations = "[{\"name\":\"Local\",\"databaseAccountEndpoint\":" + endpoint + "}]";
    String body =
        """
        {"_self":"","id":"orrery","_rid":"orrery","media":"//media/","addresses":"//addresses/",\
        "_dbs":"//dbs/","writableLocations":LOCATIONS,"readableLocations":LOCATIONS,\
        "enableMultipleWriteLocations":false,"continuousBackupEnabled":false,\
        "enableNRegionSynchronousCommit":false,"enablePerPartitionFailoverBehavior":false,\
        "disableCrossRegionalHedging":false,\
        "userReplicationPolicy":{"asyncReplication":false,"minReplicaSetSize":1,"maxReplicasetSize":1},\
        "userConsistencyPolicy":{"defaultConsistencyLevel":"LEVEL","maxStalenessPrefix":100,\
        "maxIntervalInSeconds":5},\
        "systemReplicationPolicy":{"minReplicaSetSize":1,"maxReplicasetSize":1},\
        "readPolicy":{"primaryReadCoefficient":1,"secondaryReadCoefficient":1},\
        "queryEngineConfiguration":ENGINE}\
        """
            .replace("LOCATIONS", locations)
            .replace("LEVEL", consistency.text())
            .replace("ENGINE", JsonText.quote(QUERY_ENGINE));
    return JsonText.utf8(body);
  }
}
