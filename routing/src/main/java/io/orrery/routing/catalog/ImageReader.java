package io.orrery.routing.catalog;

import io.orrery.storage.Entry;
import java.util.Arrays;
import java.util.List;

/** Makes an image of the entries of partition 0. */
final class ImageReader {
  private final CatalogEntries found = CatalogEntries.none();
  private Counters counters = Counters.FIRST;
  private Secrets secrets = Secrets.NONE;

  ImageReader(List<Entry> entries) {
    // Nothing may be read before the format is known, and containers need their databases.
    entries.forEach(this::readFormat);
    entries.forEach(this::readDatabase);
    entries.forEach(this::readOther);
  }

  CatalogImage image() {
    return new CatalogImage(counters, secrets, found);
  }

  private void readFormat(Entry entry) {
    if (isFormat(entry) && FormatV1.formatOf(entry.value()) > FormatV1.FORMAT) {
      throw new CatalogFault(
          "The data was written by a newer Orrery: its format is "
              + FormatV1.formatOf(entry.value())
              + ", this version reads up to "
              + FormatV1.FORMAT
              + ". Start the newer version.");
    }
  }

  private static boolean isFormat(Entry entry) {
    return Arrays.equals(entry.key(), FormatV1.FORMAT_KEY);
  }

  private void readDatabase(Entry entry) {
    if (!isFormat(entry) && entry.key()[1] == 'd') {
      var database = FormatV1.database(entry.key(), entry.value());
      found.databases().put(database.number(), database);
    }
  }

  private void readOther(Entry entry) {
    if (isFormat(entry)) {
      return;
    }
    byte[] key = entry.key();
    byte[] value = entry.value();
    switch (key[1]) {
      case 'd' -> {}
      case 's' -> secrets = Secrets.decoded(value);
      case 'n' -> counters = FormatV1.counters(value);
      case 'c' -> readContainer(key, value);
      case 'o' -> {
        var offer = FormatV1.offer(key, value);
        found.offers().put(offer.number(), offer);
      }
      case 'i' -> {
        var intent = FormatV1.intent(key, value);
        found.intents().put(intent.number(), intent);
      }
      case 'j' -> {
        var script = ScriptFormatV1.script(key, value);
        found.scripts().put(script.number(), script);
      }
      case 'u' -> {
        var user = UserFormatV1.user(databaseOf(key), key, value);
        found.users().put(user.number(), user);
      }
      case 'p' -> {
        var permission = UserFormatV1.permission(key, value);
        found.permissions().put(permission.number(), permission);
      }
      default -> throw new CatalogFault("The catalog holds an entry of unknown kind " + key[1]);
    }
  }

  private void readContainer(byte[] key, byte[] value) {
    var container = FormatV1.container(databaseOf(key), key, value);
    found.containers().put(container.number(), container);
  }

  private DatabaseEntry databaseOf(byte[] key) {
    var database = found.databases().get(FormatV1.databaseOf(key));
    if (database == null) {
      throw new CatalogFault(
          "The database of a container or user is missing: " + FormatV1.databaseOf(key));
    }
    return database;
  }
}
