package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The ways in which users of the emulator make the Java SDK accept its certificate. */
class JavaTlsTest {
  private static final String UNCHECKED = "COSMOS.EMULATOR_SERVER_CERTIFICATE_VALIDATION_DISABLED";
  private static final String TRUST_STORE = "javax.net.ssl.trustStore";

  @AfterEach
  void restore() {
    System.clearProperty(UNCHECKED);
    Trust.install();
  }

  private static void serve() {
    String endpoint = "https://localhost:" + SharedServer.server().port() + "/";
    var builder =
        new CosmosClientBuilder().endpoint(endpoint).key(SharedServer.PRIMARY).gatewayMode();
    try (CosmosClient client = builder.buildClient()) {
      String name = SharedServer.freshName("tls");
      assertEquals(201, client.createDatabase(name).getStatusCode());
      assertEquals(204, client.getDatabase(name).delete().getStatusCode());
    }
  }

  @Test
  void localhostIsNamedByTheCertificate() {
    Trust.install();
    serve();
  }

  @Test
  void certificateNeedNotBeChecked() {
    System.clearProperty(TRUST_STORE);
    System.setProperty(UNCHECKED, "true");
    serve();
  }

  @Test
  void unknownAuthorityIsNotTrusted() {
    System.clearProperty(TRUST_STORE);
    assertThrows(RuntimeException.class, JavaTlsTest::serve);
  }
}
