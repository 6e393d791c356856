package io.orrery.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Requests flow one way, in the compiled classes too. */
class RoomsTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.orrery");

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

  @Test
  void roomsHaveNoCycles() {
    slices().matching("io.orrery.(*)..").should().beFreeOfCycles().check(CLASSES);
  }
}
