package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.sas.TableAccountSasPermission;
import com.azure.data.tables.sas.TableAccountSasResourceType;
import com.azure.data.tables.sas.TableAccountSasService;
import com.azure.data.tables.sas.TableAccountSasSignatureValues;
import com.azure.data.tables.sas.TableSasIpRange;
import com.azure.data.tables.sas.TableSasPermission;
import com.azure.data.tables.sas.TableSasProtocol;
import com.azure.data.tables.sas.TableSasSignatureValues;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Shared access signatures that the Java SDK makes, of tables and of the account. */
@EveryDeployment
class JavaTableAccessTest {
  private final Deployment deployment;
  private final TableClient table;

  JavaTableAccessTest(Deployment deployment) {
    this.deployment = deployment;
    this.table = JavaTables.table(deployment);
  }

  @BeforeEach
  void write() {
    for (String key : List.of("a", "b", "c")) {
      table.createEntity(new TableEntity(key, "1"));
    }
  }

  private static TableSasSignatureValues may(String permissions) {
    return new TableSasSignatureValues(
        OffsetDateTime.now(ZoneOffset.UTC).plusHours(1), TableSasPermission.parse(permissions));
  }

  private TableClient with(TableSasSignatureValues values) {
    return new TableClientBuilder()
        .endpoint(deployment.tableEndpoint())
        .sasToken(table.generateSas(values))
        .tableName(table.getTableName())
        .buildClient();
  }

  private static List<String> keys(TableClient client) {
    return client.listEntities().stream().map(TableEntity::getPartitionKey).toList();
  }

  @Test
  void signaturesOfATableAreHeldToTheirKeys() {
    assertEquals(List.of("a", "b", "c"), keys(with(may("r"))));
    TableClient some =
        with(
            may("raud")
                .setStartPartitionKey("b")
                .setStartRowKey("0")
                .setEndPartitionKey("b")
                .setEndRowKey("5"));
    assertEquals(List.of("b"), keys(some));
    some.createEntity(new TableEntity("b", "2"));
    some.deleteEntity("b", "2");
    JavaTables.refused(403, "AuthorizationFailure", () -> some.getEntity("a", "1"));
    JavaTables.refused(
        403, "AuthorizationFailure", () -> some.createEntity(new TableEntity("b", "7")));
    JavaTables.refused(403, "AuthorizationFailure", () -> some.deleteEntity("c", "1"));
  }

  @Test
  void signaturesOfATableAreHeldToWhenWhenceAndHow() {
    String denied = "AuthorizationPermissionMismatch";
    JavaTables.refused(403, denied, () -> with(may("r")).createEntity(new TableEntity("d", "1")));
    JavaTables.refused(403, denied, () -> with(may("a")).getEntity("a", "1"));
    with(may("a")).createEntity(new TableEntity("d", "1"));
    OffsetDateTime now = OffsetDateTime.now(ZoneOffset.UTC);
    JavaTables.refused(
        403,
        "AuthenticationFailed",
        () -> with(may("r").setStartTime(now.plusMinutes(30))).getEntity("a", "1"));
    JavaTables.refused(
        403,
        "AuthenticationFailed",
        () -> with(may("r").setExpiryTime(now.minusMinutes(1))).getEntity("a", "1"));
    JavaTables.refused(
        403,
        "AuthorizationSourceIPMismatch",
        () ->
            with(may("r").setSasIpRange(TableSasIpRange.parse("10.0.0.1-10.0.0.9")))
                .getEntity("a", "1"));
    TableClient secure = with(may("r").setProtocol(TableSasProtocol.HTTPS_ONLY));
    if (deployment.scheme().equals("https")) {
      assertEquals("1", secure.getEntity("a", "1").getRowKey());
    } else {
      JavaTables.refused(403, "AuthorizationProtocolMismatch", () -> secure.getEntity("a", "1"));
    }
  }

  @Test
  void signaturesOfTheAccountAreTaken() {
    var values =
        new TableAccountSasSignatureValues(
            OffsetDateTime.now(ZoneOffset.UTC).plusHours(1),
            TableAccountSasPermission.parse("rl"),
            TableAccountSasService.parse("t"),
            TableAccountSasResourceType.parse("sco"));
    TableServiceClient service =
        new TableServiceClientBuilder()
            .endpoint(deployment.tableEndpoint())
            .sasToken(JavaTables.service(deployment).generateAccountSas(values))
            .buildClient();
    assertEquals(
        1,
        service.listTables().stream()
            .filter(found -> found.getName().equals(table.getTableName()))
            .count());
    assertEquals("1", service.getTableClient(table.getTableName()).getEntity("a", "1").getRowKey());
    JavaTables.refused(
        403, "AuthorizationPermissionMismatch", () -> service.createTable(JavaTables.freshName()));
  }
}
