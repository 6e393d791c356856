package io.orrery.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Requests flow one way, in the compiled classes too. */
class RoomsTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.orrery");

  /** What the index policies and the terms of items are made of, in {@code query.index}. */
  private static final Set<String> TERMS =
      Set.of(
          "CompositeIndex",
          "IndexPath",
          "IndexPolicy",
          "Indexed",
          "ItemTerms",
          "PathHash",
          "PathPattern",
          "PatternTree",
          "SystemPaths",
          "TermCount",
          "TermEncoding",
          "TermWriter",
          "UsableIndexes");

  @Test
  void classFilesOfTheRoomsAreRead() {
    assertTrue(CLASSES.contain("io.orrery.storage.Storage"), "the reader knows this class format");
    assertTrue(CLASSES.get("io.orrery.storage.Head").isRecord());
  }

  @Test
  void everyRoomIsKnown() {
    Set<String> found =
        CLASSES.stream()
            .map(type -> type.getPackageName().split("\\.", 4)[2])
            .collect(Collectors.toCollection(TreeSet::new));
    found.removeAll(Rooms.MAY_SEE.keySet());
    assertEquals(Set.of(), found, "rooms that are missing in Rooms.MAY_SEE");
  }

  @Test
  void roomsSeeOnlyWhatTheyMay() {
    Rooms.MAY_SEE.forEach(
        (room, allowed) ->
            noClasses()
                .that()
                .resideInAPackage("io.orrery." + room + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                    Rooms.MAY_SEE.keySet().stream()
                        .filter(other -> !other.equals(room) && !allowed.contains(other))
                        .map(other -> "io.orrery." + other + "..")
                        .toArray(String[]::new))
                .allowEmptyShould(true)
                .check(CLASSES));
  }

  /**
   * The only writer of a partition does nothing whose cost a client's query decides, neither itself
   * nor by what it calls through an interface.
   */
  @Test
  void theWriterReachesNoQueries() {
    var reached = new LinkedHashSet<JavaClass>();
    var toLookAt = new ArrayDeque<JavaClass>(List.of(CLASSES.get("io.orrery.partition.Writer")));
    while (!toLookAt.isEmpty()) {
      JavaClass next = toLookAt.remove();
      if (reached.add(next)) {
        Stream.concat(
                next.getDirectDependenciesFromSelf().stream().map(Dependency::getTargetClass),
                next.getSubclasses().stream())
            .filter(type -> type.getPackageName().startsWith("io.orrery.partition") || isTerm(type))
            .forEach(toLookAt::add);
      }
    }
    assertTrue(reached.size() > 20, "the writer has parts");
    Set<String> queries =
        reached.stream()
            .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
            .filter(use -> isQuery(use.getTargetClass()))
            .map(Dependency::getDescription)
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(Set.of(), queries);
  }

  private static boolean isQuery(JavaClass type) {
    return type.getPackageName().startsWith("io.orrery.query") && !isTerm(type);
  }

  /** Terms and policies of the index are encodings, not queries. */
  private static boolean isTerm(JavaClass type) {
    String room = "io.orrery.query.index.";
    return type.getName().startsWith(room)
        && TERMS.contains(type.getName().substring(room.length()).split("\\$", 2)[0]);
  }

  @Test
  void roomsHaveNoCycles() {
    slices().matching("io.orrery.(*)..").should().beFreeOfCycles().check(CLASSES);
  }
}
