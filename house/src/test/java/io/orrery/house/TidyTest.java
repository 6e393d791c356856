package io.orrery.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** House rules a compiler cannot see. */
class TidyTest {
  private static final int FILE_LINES_MAX = 400;
  private static final int METHOD_LINES_MAX = 70;
  private static final int POM_LINES_MAX = 25;
  private static final Pattern MAY_USE = Pattern.compile("May depend on: ([\\w, ]+)\\.");
  private static final Pattern IMPORT =
      Pattern.compile("(?m)^import (?:static )?io\\.orrery\\.(\\w+)\\.");
  private static final Pattern EMPTY_NAME =
      Pattern.compile("(?:Impl|Managers?|Helpers?|Utils?|Abstract)(?![a-z])");
  private static final Pattern DEPENDENCIES =
      Pattern.compile(
          "(?s)<(dependencies|dependencyManagement)>.*?</\\1>(?:</dependencyManagement>)?");
  private static final Pattern REGISTRY =
      Pattern.compile(
          "//(?:[\\w-]+\\.)*(?:registry|repo\\d*|artifactory|nexus|npmjs|pypi|mirrors?)\\.\\w");
  private static final Pattern MACHINE_PATH =
      Pattern.compile("(?<![\\w.}/-])/(?:root|home|work|Users)/[\\w.]");

  @Test
  void everyPackageHasItsDoorPlate() throws IOException {
    var broken = new ArrayList<String>();
    for (Path folder : packages()) {
      Optional<Path> plate = doorPlateOf(folder);
      if (plate.isEmpty()) {
        broken.add(Repository.nameOf(folder) + " has no package-info.java");
      } else if (!Files.readString(plate.get()).contains("@NullMarked")) {
        broken.add(Repository.nameOf(plate.get()) + " is not @NullMarked");
      }
    }
    assertEquals(List.of(), broken);
  }

  @Test
  void roomsUseOnlyWhatTheirDoorPlateSays() throws IOException {
    var broken = new ArrayList<String>();
    for (Path file : Repository.javaSources()) {
      Path folder = parentOf(file);
      Optional<Path> plate = doorPlateOf(folder);
      // Tests may use other rooms, as they start real parts around the one they test.
      if (plate.isEmpty() || !file.toString().contains("/src/main/java/")) {
        continue;
      }
      String room = roomOf(folder);
      Set<String> allowed = promisedBy(plate.get());
      IMPORT
          .matcher(Files.readString(file))
          .results()
          .map(match -> match.group(1))
          .filter(used -> !used.equals(room) && !allowed.contains(used))
          .forEach(used -> broken.add(Repository.nameOf(file) + " uses " + used));
    }
    assertEquals(List.of(), broken);
  }

  @Test
  void doorPlatesPromiseNoMoreThanTheDesign() throws IOException {
    var broken = new ArrayList<String>();
    for (Path folder : packages()) {
      Set<String> allowed = Rooms.MAY_SEE.get(roomOf(folder));
      assertTrue(allowed != null, () -> folder + " belongs to no room of Rooms.MAY_SEE");
      Optional<Path> plate = doorPlateOf(folder);
      if (plate.isPresent()) {
        var more = new TreeSet<>(promisedBy(plate.get()));
        more.removeAll(allowed);
        more.forEach(room -> broken.add(Repository.nameOf(plate.get()) + " promises " + room));
      }
    }
    assertEquals(List.of(), broken);
  }

  @Test
  void filesAndMethodsAreShortAndNamesSaySomething() throws IOException {
    var broken = new ArrayList<String>();
    for (Path file : Repository.javaSources()) {
      String name = Repository.nameOf(file);
      int lines = Files.readAllLines(file).size();
      if (lines > FILE_LINES_MAX) {
        broken.add(name + " has " + lines + " lines");
      }
      SourceFile source = SourceFile.parse(file);
      for (SourceFile.Method method : source.methods()) {
        if (method.lines() > METHOD_LINES_MAX) {
          broken.add(name + ": " + method.name() + " has " + method.lines() + " lines");
        }
      }
      source.types().stream()
          .filter(type -> EMPTY_NAME.matcher(type).find())
          .forEach(type -> broken.add(name + ": the name " + type + " says too little"));
    }
    assertEquals(List.of(), broken);
  }

  @Test
  void childPomsAreShort() throws IOException {
    var broken = new ArrayList<String>();
    for (Path file : Repository.files()) {
      if (file.endsWith("pom.xml") && !file.equals(Repository.ROOT.resolve("pom.xml"))) {
        String rest = DEPENDENCIES.matcher(Files.readString(file)).replaceAll("");
        long lines = rest.lines().filter(line -> !line.isBlank()).count();
        if (lines > POM_LINES_MAX) {
          broken.add(Repository.nameOf(file) + " has " + lines + " lines beside dependencies");
        }
      }
    }
    assertEquals(List.of(), broken);
  }

  @Test
  void nothingNamesAMachineOrARegistry() throws IOException {
    var broken = new ArrayList<String>();
    for (Path file : Repository.files()) {
      String text = Repository.textOf(file).orElse("");
      String name = Repository.nameOf(file);
      for (Pattern pattern : List.of(REGISTRY, MACHINE_PATH)) {
        var found = pattern.matcher(text);
        if (found.find()) {
          broken.add(name + " names " + found.group());
        }
      }
      if (file.endsWith("package-lock.json") && text.contains("\"resolved\"")) {
        broken.add(name + " says where packages were resolved");
      }
    }
    assertEquals(List.of(), broken);
  }

  private static Set<Path> packages() throws IOException {
    return Repository.javaSources().stream()
        .map(TidyTest::parentOf)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** A package of tests beside the code shares the door plate of the code. */
  private static Optional<Path> doorPlateOf(Path folder) {
    String main = folder.toString().replaceFirst("/src/\\w+/java/", "/src/main/java/");
    return List.of(Path.of(main), folder).stream()
        .map(path -> path.resolve("package-info.java"))
        .filter(Files::exists)
        .findFirst();
  }

  private static Set<String> promisedBy(Path packageInfo) throws IOException {
    String text = Files.readString(packageInfo).replaceAll("\\s*\\n \\*\\s*", " ");
    var promise = MAY_USE.matcher(text);
    assertTrue(promise.find(), () -> packageInfo + " does not say what it may depend on");
    String rooms = promise.group(1);
    return rooms.equals("nothing") ? Set.of() : Set.of(rooms.split(", "));
  }

  private static String roomOf(Path folder) {
    String path = folder.toString();
    String marker = "/io/orrery/";
    int start = path.lastIndexOf(marker);
    assertTrue(start >= 0, () -> folder + " lies outside of io.orrery");
    return path.substring(start + marker.length()).split("/", 2)[0];
  }

  private static Path parentOf(Path file) {
    return Objects.requireNonNull(file.getParent());
  }
}
