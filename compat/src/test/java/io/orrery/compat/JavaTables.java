package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.core.exception.HttpResponseException;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.policy.ExponentialBackoffOptions;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.http.policy.RetryOptions;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.TableServiceException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.function.Executable;

/** The Java SDK for tables, with the account that the server has when nothing is said. */
final class JavaTables {
  static final String ACCOUNT = "localhost";
  private static final HttpHeaderName THROUGHPUT =
      HttpHeaderName.fromString("x-ms-offer-throughput");
  private static final AtomicInteger NAMES = new AtomicInteger();

  static {
    Trust.install();
  }

  private JavaTables() {}

  static String connectionString(String endpoint) {
    return connectionString(endpoint, SharedServer.PRIMARY);
  }

  static String connectionString(String endpoint, String key) {
    return "DefaultEndpointsProtocol=http;AccountName="
        + (ACCOUNT + ";AccountKey=" + key)
        + (";TableEndpoint=" + endpoint + ";");
  }

  /** The table of a server that has keys of its own. */
  static TableClient table(String endpoint, String key, String name) {
    return new TableServiceClientBuilder()
        .connectionString(connectionString(endpoint, key))
        .retryOptions(new RetryOptions(new ExponentialBackoffOptions().setMaxRetries(0)))
        .buildClient()
        .getTableClient(name);
  }

  static TableServiceClient service(String endpoint, int throughput) {
    HttpPipelinePolicy asked =
        (context, next) -> {
          context.getHttpRequest().setHeader(THROUGHPUT, Integer.toString(throughput));
          return next.process();
        };
    return new TableServiceClientBuilder()
        .connectionString(connectionString(endpoint))
        .retryOptions(new RetryOptions(new ExponentialBackoffOptions().setMaxRetries(0)))
        .addPolicy(asked)
        .buildClient();
  }

  static TableServiceClient service(Deployment deployment) {
    return service(deployment.tableEndpoint(), deployment.throughput());
  }

  /** A new table with as many partitions as the deployment asks for. */
  static TableClient table(Deployment deployment) {
    return service(deployment).createTable(freshName());
  }

  static String freshName() {
    return "table" + NAMES.incrementAndGet();
  }

  /** The same where pages are read: there the SDK hands on what its transport throws. */
  static void refusedPage(int status, String code, Executable call) {
    HttpResponseException refusal = assertThrows(HttpResponseException.class, call);
    assertEquals(status, refusal.getResponse().getStatusCode(), refusal::getMessage);
    String told = String.valueOf(refusal.getMessage());
    assertTrue(told.contains("\"code\":\"" + code + "\""), told);
  }

  /** A call that must fail with this status and code. */
  static TableServiceException refused(int status, String code, Executable call) {
    TableServiceException refusal = assertThrows(TableServiceException.class, call);
    assertEquals(status, refusal.getResponse().getStatusCode(), refusal::getMessage);
    assertEquals(code, refusal.getValue().getErrorCode().toString(), refusal::getMessage);
    return refusal;
  }
}
