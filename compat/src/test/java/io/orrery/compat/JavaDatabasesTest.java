package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.models.CosmosDatabaseProperties;
import com.azure.cosmos.models.CosmosDatabaseResponse;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Databases through the Java SDK. */
@EveryDeployment
class JavaDatabasesTest {
  private final JavaAccount account;

  JavaDatabasesTest(Deployment deployment) {
    account = JavaAccount.of(deployment);
  }

  @Test
  void createdIsReadAndDeleted() {
    String name = SharedServer.freshName("db");
    CosmosDatabaseResponse created = account.client().createDatabase(name);
    assertEquals(201, created.getStatusCode());
    assertTrue(created.getRequestCharge() > 0);
    CosmosDatabaseProperties properties = created.getProperties();
    assertEquals(name, properties.getId());
    assertTrue(properties.getResourceId().matches("[A-Za-z0-9+-]{6}=="));
    assertTrue(properties.getETag().startsWith("\""));
    Duration age = Duration.between(properties.getTimestamp(), Instant.now()).abs();
    assertTrue(age.compareTo(Duration.ofMinutes(1)) < 0, age::toString);

    CosmosDatabase database = account.client().getDatabase(name);
    CosmosDatabaseResponse read = database.read();
    assertEquals(200, read.getStatusCode());
    assertEquals(properties.getResourceId(), read.getProperties().getResourceId());
    assertEquals(properties.getETag(), read.getProperties().getETag());

    assertEquals(204, database.delete().getStatusCode());
    JavaAccount.refused(404, 0, database::read);
    JavaAccount.refused(404, 0, database::delete);
  }

  @Test
  void secondCreateIfNotExistsFindsTheFirst() {
    String name = SharedServer.freshName("db");
    assertEquals(201, account.client().createDatabaseIfNotExists(name).getStatusCode());
    assertEquals(200, account.client().createDatabaseIfNotExists(name).getStatusCode());
  }

  @Test
  void existingNameIsRefused() {
    JavaAccount.refused(409, 0, () -> account.client().createDatabase(account.database().getId()));
  }

  @Test
  void listComesInPages() {
    var names = new HashSet<String>();
    for (int i = 0; i < 3; i++) {
      names.add(SharedServer.freshName("listed"));
    }
    names.forEach(account.client()::createDatabase);
    var seen = new ArrayList<String>();
    for (var page : account.client().readAllDatabases().iterableByPage(2)) {
      assertTrue(page.getResults().size() <= 2);
      page.getResults().forEach(database -> seen.add(database.getId()));
    }
    assertEquals(new HashSet<>(seen).size(), seen.size(), "nothing is listed twice");
    assertTrue(seen.containsAll(names), seen::toString);
    names.forEach(name -> account.client().getDatabase(name).delete());
  }

  @Test
  void queryFindsByName() {
    String name = account.database().getId();
    var query =
        new SqlQuerySpec(
            "SELECT * FROM root r WHERE r.id = @id", List.of(new SqlParameter("@id", name)));
    List<CosmosDatabaseProperties> found =
        account.client().queryDatabases(query, new CosmosQueryRequestOptions()).stream().toList();
    assertEquals(1, found.size());
    assertEquals(name, found.getFirst().getId());
  }

  @ParameterizedTest
  @ValueSource(strings = {"with space", "Straße", "台北市", "a+b", "a%20b", "😀"})
  void unusualNamesWork(String start) {
    String name = SharedServer.freshName(start);
    assertEquals(201, account.client().createDatabase(name).getStatusCode());
    CosmosDatabase database = account.client().getDatabase(name);
    assertEquals(name, database.read().getProperties().getId());
    assertEquals(204, database.delete().getStatusCode());
  }
}
