package io.orrery.server;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** Reads settings from YAML: nested mappings of scalars, nothing that is not a setting. */
final class SettingsFile {
  private final Path file;
  private final Map<Setting, Given> found = new EnumMap<>(Setting.class);

  private SettingsFile(Path file) {
    this.file = file;
  }

  static Map<Setting, Given> read(Path file) {
    var reader = new SettingsFile(file);
    var yaml = YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
    try (InputStream input = Files.newInputStream(file);
        JsonParser parser = yaml.createParser(input)) {
      JsonToken first = parser.nextToken();
      if (first == JsonToken.START_OBJECT) {
        reader.mapping(parser, "");
      } else if (first != null) {
        throw new StartRefused(file + ": settings are 'key: value' lines, this is something else");
      }
      return reader.found;
    } catch (NoSuchFileException e) {
      throw new StartRefused("config: the file '" + file + "' does not exist", e);
    } catch (IOException e) {
      throw new StartRefused(file + ": cannot be read as YAML: " + e.getMessage(), e);
    }
  }

  private void mapping(JsonParser parser, String prefix) throws IOException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String key = prefix + parser.currentName();
      JsonToken token = parser.nextToken();
      if (token == JsonToken.START_OBJECT) {
        if (Arrays.stream(Setting.values()).noneMatch(s -> s.key().startsWith(key + "."))) {
          throw unknown(key);
        }
        mapping(parser, key + ".");
      } else {
        scalar(key, token, parser);
      }
    }
  }

  private void scalar(String key, JsonToken token, JsonParser parser) throws IOException {
    Setting setting = settingOf(key).orElseThrow(() -> unknown(key));
    if (token == JsonToken.START_ARRAY && setting.repeatable()) {
      put(setting, list(setting, parser));
      return;
    }
    if (!token.isScalarValue() || token == JsonToken.VALUE_NULL) {
      throw new Given(setting, token == JsonToken.VALUE_NULL ? "" : "a list", file.toString())
          .refused(setting.label());
    }
    put(setting, parser.getText());
  }

  private void put(Setting setting, String value) {
    if (found.put(setting, new Given(setting, value, file.toString())) != null) {
      throw new StartRefused(file + ": " + setting.key() + " is given twice");
    }
  }

  private String list(Setting setting, JsonParser parser) throws IOException {
    var values = new ArrayList<String>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (!parser.currentToken().isScalarValue()) {
        throw new Given(setting, "a list of lists", file.toString()).refused(setting.label());
      }
      values.add(parser.getText());
    }
    return String.join(",", values);
  }

  private StartRefused unknown(String key) {
    String known =
        String.join(
            ", ", Arrays.stream(Setting.values()).filter(this::ours).map(Setting::key).toList());
    return new StartRefused(file + ": '" + key + "' is no setting; allowed: " + known);
  }

  private Optional<Setting> settingOf(String key) {
    return Arrays.stream(Setting.values())
        .filter(this::ours)
        .filter(setting -> setting.keys().contains(key))
        .findFirst();
  }

  /** A file does not name another file. */
  private boolean ours(Setting setting) {
    return setting != Setting.CONFIG;
  }
}
