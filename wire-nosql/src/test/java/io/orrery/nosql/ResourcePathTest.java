package io.orrery.nosql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResourcePathTest {

  private static ResourcePath path(String target) {
    return Objects.requireNonNull(ResourcePath.parse(target));
  }

  @ParameterizedTest
  @CsvSource({
    "/, ACCOUNT, '', ''",
    "'', ACCOUNT, '', ''",
    "/?a=b, ACCOUNT, '', ''",
    "http://host:1/dbs/d, DATABASE, dbs, dbs/d",
    "http://host, ACCOUNT, '', ''",
    "/dbs, DATABASES, dbs, ''",
    "/dbs/, DATABASES, dbs, ''",
    "/dbs/Shop, DATABASE, dbs, dbs/Shop",
    "/dbs/d/colls, CONTAINERS, colls, dbs/d",
    "/dbs/d/colls/c, CONTAINER, colls, dbs/d/colls/c",
    "/dbs/d/colls/c/pkranges, RANGES, pkranges, dbs/d/colls/c",
    "/dbs/d/colls/c/docs, ITEMS, docs, dbs/d/colls/c",
    "/dbs/d/colls/c/docs/a%20b+c, ITEM, docs, dbs/d/colls/c/docs/a b+c",
    "/dbs/d/colls/c/operations/partitionkeydelete, KEY_DELETION, colls, dbs/d/colls/c",
    "/offers, OFFERS, offers, ''",
    "/offers/AUAA/, OFFER, offers, offers/AUAA",
    "/_orrery/databases, SURVEY, '', ''",
    "/_orrery/databases/d/containers/c/partitions, PARTITIONS, '', ''",
    "/_orrery/databases/d/containers/c/partitions/7/split, PARTITION_SPLIT, '', ''",
    "/_orrery/databases/d/containers/c/partitions/merge, PARTITION_MERGE, '', ''",
    "/_orrery/databases/d/containers/c/partitions/7, UNKNOWN, '', ''",
    "/_orrery/operations?container=d/c, RESHAPES, '', ''",
    "/_orrery/operations/7, RESHAPE, '', ''",
    "/_orrery/operations/7/advance, RESHAPE_ADVANCE, '', ''",
    "/_orrery/clock, CLOCK, '', ''",
    "/_orrery/clock/advance, CLOCK_ADVANCE, '', ''",
    "/_orrery/keys/secret/rotate, KEY_ROTATION, '', ''",
    "/_orrery/keys/secret, UNKNOWN, '', ''",
    "/_orrery, UNKNOWN, '', ''",
    "/dbs/d/colls/c/sprocs, PROCEDURES, sprocs, dbs/d/colls/c",
    "/dbs/d/colls/c/sprocs/s, PROCEDURE, sprocs, dbs/d/colls/c/sprocs/s",
    "/dbs/d/colls/c/triggers, TRIGGERS, triggers, dbs/d/colls/c",
    "/dbs/d/colls/c/triggers/t, TRIGGER, triggers, dbs/d/colls/c/triggers/t",
    "/dbs/d/colls/c/udfs, FUNCTIONS, udfs, dbs/d/colls/c",
    "/dbs/d/colls/c/udfs/f, FUNCTION, udfs, dbs/d/colls/c/udfs/f",
    "/dbs/d/colls/c/media/m, UNKNOWN, media, dbs/d/colls/c/media/m",
    "/dbs/d/colls/c/conflicts, CONFLICTS, conflicts, dbs/d/colls/c",
    "/dbs/d/colls/c/conflicts/f, CONFLICT, conflicts, dbs/d/colls/c/conflicts/f",
    "/dbs/d/users, USERS, users, dbs/d",
    "/dbs/d/users/u, USER, users, dbs/d/users/u",
    "/dbs/d/users/u/permissions, PERMISSIONS, permissions, dbs/d/users/u",
    "/dbs/d/users/u/permissions/p, PERMISSION, permissions, dbs/d/users/u/permissions/p",
    "/dbs/d/users/u/media, UNKNOWN, media, dbs/d/users/u",
    "/dbs/d/users/u/permissions/p/q, UNKNOWN, q, dbs/d/users/u/permissions/p",
    "/dbs/d/clientencryptionkeys, ENCRYPTION_KEYS, clientencryptionkeys, dbs/d",
    "//dbs//py/, DATABASE, dbs, dbs/py",
    "//, ACCOUNT, '', ''",
    "//dbs/d/colls/c//docs///, ITEMS, docs, dbs/d/colls/c",
    "http://host:1//dbs/d//, DATABASE, dbs, dbs/d",
    "/dbs//colls, DATABASE, dbs, dbs/colls",
    "/a/b/c/d/e/f/g/h/i/j/k/l/m, UNKNOWN, '', a/b/c/d/e/f/g/h/i/j/k/l/m",
    "*, UNKNOWN, *, ''",
  })
  void pathsAreTakenApart(String target, ResourcePath.Shape shape, String type, String link) {
    ResourcePath path = path(target);
    assertEquals(shape, path.shape());
    assertEquals(type, path.type());
    assertEquals(link, path.link());
  }

  @Test
  void brokenEncodingsAreNoPath() {
    assertNull(ResourcePath.parse("/dbs/%"));
    assertNull(ResourcePath.parse("/dbs/%4"));
    assertNull(ResourcePath.parse("/dbs/%zz"));
    assertNull(ResourcePath.parse("/dbs/%FF%FE"));
    assertNull(ResourcePath.parse("/dbs/\u00ff"));
  }

  @Test
  void itemsAreNamedByRidOnlyWhenTheWholePathIs() {
    String container = "/dbs/DJB7AA==/colls/DJB7AI1lZHo=/docs/";
    assertTrue(path(container + "DJB7AI1lZHoBAAAAAAAAAA==").namesItemByRid());
    assertFalse(path(container + "one").namesItemByRid());
    assertFalse(path(container + "DJB7AI1lZHx=").namesItemByRid());
    assertFalse(
        path("/dbs/abcdef==/colls/DJB7AI1lZHo=/docs/DJB7AI1lZHoBAAAAAAAAAA==").namesItemByRid());
    assertFalse(path("/dbs/d/colls/c/docs/DJB7AI1lZHoBAAAAAAAAAA==").namesItemByRid());
  }
}
