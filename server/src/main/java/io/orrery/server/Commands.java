package io.orrery.server;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** The commands and their options, made from the table of settings instead of by reflection. */
final class Commands {
  private final Map<String, String> environment;

  private Commands(Map<String, String> environment) {
    this.environment = environment;
  }

  static CommandLine with(Map<String, String> environment) {
    var commands = new Commands(environment);
    CommandSpec root = spec("Partitioned database that speaks Cosmos DB's protocols.", List.of());
    root.name("orrery");
    root.addSubcommand("serve", spec("Start the server.", List.of(Setting.values())));
    root.addSubcommand("keys", keys());
    root.addSubcommand("status", status());
    root.addSubcommand(
        "migrate",
        spec(
            "Copy the data directory of a stopped server into a table of HBase.",
            List.of(
                Setting.CONFIG,
                Setting.DATA,
                Setting.HBASE_ZOOKEEPER,
                Setting.HBASE_TABLE,
                Setting.HBASE_WAL)));
    root.addSubcommand("verify", verify());
    root.addSubcommand("version", spec("Print the version.", List.of()));
    // The launcher starts these by itself; here they only have a name.
    root.addSubcommand("bench", spec("Measure beside the bare engine.", List.of()));
    root.addSubcommand("faults", spec("Cut the power of a server, for tests.", List.of()));
    root.addSubcommand(
        "dev-cluster", spec("Start or stop an HBase on this machine, for tests.", List.of()));
    var line = new CommandLine(root);
    line.setExecutionStrategy(commands::execute);
    return line;
  }

  private int execute(ParseResult parsed) {
    Integer help = CommandLine.executeHelpRequest(parsed);
    if (help != null) {
      return help;
    }
    ParseResult chosen = parsed.hasSubcommand() ? parsed.subcommand() : parsed;
    CommandLine line = chosen.commandSpec().commandLine();
    PrintWriter out = line.getOut();
    try {
      switch (chosen.commandSpec().name()) {
        case "serve" -> Serve.run(settings(chosen), System.out);
        case "keys" -> keys(chosen, out);
        case "status" ->
            Status.show(
                settings(chosen),
                chosen.matchedPositionalValue(0, ""),
                chosen.hasMatchedOption(Setting.DATA.options().getFirst()),
                out);
        case "migrate" -> Migrate.run(settings(chosen), out);
        case "verify" -> {
          return Verify.run(verified(chosen), out) ? ExitCode.OK : ExitCode.SOFTWARE;
        }
        case "version" -> out.println("orrery " + version() + ", Java " + Runtime.version());
        case "bench", "faults", "dev-cluster" -> throw byLauncher(chosen.commandSpec().name());
        default -> line.usage(out);
      }
    } catch (StartRefused refused) {
      line.getErr().println("orrery: " + refused.getMessage());
      return ExitCode.USAGE;
    }
    return ExitCode.OK;
  }

  private static StartRefused byLauncher(String command) {
    return new StartRefused(command + " is started by the launcher: ./orrery " + command);
  }

  private Settings verified(ParseResult chosen) {
    Map<Setting, String> given = given(chosen);
    if (chosen.hasMatchedPositional(0)
        && given.put(Setting.DATA, chosen.matchedPositionalValue(0, "")) != null) {
      throw new StartRefused("verify: name the data directory once, as DIR or with --data");
    }
    return Settings.read(given, environment);
  }

  private Settings settings(ParseResult chosen) {
    return Settings.read(given(chosen), environment);
  }

  private static Map<Setting, String> given(ParseResult chosen) {
    var given = new EnumMap<Setting, String>(Setting.class);
    for (Setting setting : Setting.values()) {
      for (String option : setting.options()) {
        if (chosen.hasMatchedOption(option)) {
          given.put(
              setting,
              setting.repeatable()
                  ? String.join(",", chosen.matchedOptionValue(option, List.<String>of()))
                  : chosen.matchedOptionValue(option, ""));
        }
      }
    }
    return given;
  }

  private void keys(ParseResult chosen, PrintWriter out) {
    String task = chosen.matchedPositionalValue(0, "");
    String name = chosen.matchedPositionalValue(1, "");
    if (task.isEmpty()) {
      showKeys(settings(chosen), out);
    } else if (task.equals("rotate") && !name.isEmpty()) {
      RotateKey.run(settings(chosen), name, out);
    } else {
      throw new StartRefused("keys: write 'keys', or 'keys rotate NAME'");
    }
  }

  private static void showKeys(Settings settings, PrintWriter out) {
    Path file = DataDirectory.keys(settings.data());
    if (!Files.exists(file) && !KeyRing.followPrimary(settings)) {
      throw new StartRefused(
          "data: '" + settings.data() + "' holds no keys yet; the first serve makes them");
    }
    var keys = new EnumMap<KeyName, String>(KeyRing.kept(settings, file));
    keys.putAll(settings.keys());
    out.print(KeyRing.text(keys));
    out.flush();
  }

  static String version() {
    return Objects.requireNonNullElse(
        Commands.class.getPackage().getImplementationVersion(), "development");
  }

  private static CommandSpec verify() {
    CommandSpec spec =
        spec(
            "Check that all that a stopped server has stored fits together; changes nothing but"
                + " what a start recovers.",
            List.of(Setting.CONFIG, Setting.DATA));
    return spec.addPositional(positional("0", "DIR", "the data directory; the same as --data DIR"));
  }

  private static CommandSpec keys() {
    CommandSpec spec =
        addressed(
            "Print the account keys that the data directory keeps, or let a running server make a"
                + " new one, or take it from the file given with --config.");
    spec.addPositional(positional("0", "rotate", "put a new key in the place of one"));
    return spec.addPositional(
        positional(
            "1",
            "NAME",
            "primary, secondary, primaryReadonly, secondaryReadonly, or secret, which signs"
                + " resource tokens and continuations"));
  }

  private static CommandSpec status() {
    CommandSpec spec =
        addressed(
            "Show how the containers of a running server lie over partitions, or one of them.");
    return spec.addPositional(
        positional(
            "0",
            "DATABASE/CONTAINER",
            "the container whose partitions to show; all containers without it"));
  }

  private static PositionalParamSpec positional(String index, String label, String meaning) {
    return PositionalParamSpec.builder()
        .index(index)
        .arity("0..1")
        .type(String.class)
        .paramLabel(label)
        .description(meaning)
        .build();
  }

  /** A command that asks a running server. */
  private static CommandSpec addressed(String description) {
    CommandSpec spec = spec(description, List.of(Setting.CONFIG));
    var meanings = new EnumMap<Setting, String>(Setting.class);
    meanings.put(Setting.HOST, "address of the server");
    meanings.put(Setting.PORT, "its port");
    meanings.put(Setting.PRIMARY_KEY, "an account key; on loopback the emulator's by default");
    meanings.put(Setting.DATA, "the server's data directory, to read the key from");
    meanings.forEach(
        (setting, meaning) -> {
          String standard =
              setting == Setting.DATA || setting.standard().isEmpty()
                  ? ""
                  : " (" + setting.standard() + ")";
          spec.addOption(
              OptionSpec.builder(setting.options().toArray(String[]::new))
                  .type(String.class)
                  .paramLabel(setting.label())
                  .description(meaning + standard)
                  .build());
        });
    return spec;
  }

  private static CommandSpec spec(String meaning, List<Setting> settings) {
    CommandSpec spec = CommandSpec.create().mixinStandardHelpOptions(false);
    spec.usageMessage().description(meaning).sortOptions(false);
    for (Setting setting : settings) {
      spec.addOption(option(setting));
    }
    if (!settings.isEmpty()) {
      spec.usageMessage()
          .footer(
              "",
              "Each option is also a key of the file given with --config and a variable:",
              "--keys-secondary is keys.secondary and ORRERY_KEYS_SECONDARY. The command line wins",
              "over variables, these over the file.");
    }
    return spec.addOption(
        OptionSpec.builder("-h", "--help").usageHelp(true).description("Show this.").build());
  }

  private static OptionSpec option(Setting setting) {
    var option =
        OptionSpec.builder(setting.options().toArray(String[]::new))
            .type(String.class)
            .paramLabel(setting.label())
            .description(
                setting.standard().isEmpty()
                    ? setting.meaning()
                    : setting.meaning() + " (" + setting.standard() + ")");
    if (setting.repeatable()) {
      option.type(List.class).auxiliaryTypes(String.class);
    }
    if (setting.isSwitch()) {
      option.arity("0..1").fallbackValue("true").paramLabel("true|false");
    }
    return option.build();
  }
}
