import type { DescribeCommand } from "../command-table.ts";
import { setOption } from "../set-option.ts";

const json = ["--json", "print one JSON document instead of text"] as const;
const cwd = ["--cwd <dir>", "the project's folder (default: the one this is called in)"] as const;

/** `palimpsest config`, which alone is `config show`. Code is loaded when a command runs. */
export const describeConfig: DescribeCommand = (config, context) => {
  const add = (name: string, summary: string, isDefault = false) => {
    const command = config.createCommand(name).description(summary);
    command.copyInheritedSettings(config);
    config.addCommand(command, { isDefault });
    return command;
  };
  config
    .description("Show settings and flags with their sources, and trust a project's settings.")
    .usage("[show|flags|set-flag|trust] [options]")
    .examples([
      ["palimpsest config", "active settings and their sources"],
      ["palimpsest config flags", "every flag and its effect"],
      ["palimpsest config trust", "trust this project's settings"],
    ]);

  add("show", "Show what is set and by whom, or one setting (the same as config alone).", true)
    .argument("[name]", "a setting, to explain it")
    .allowExcessArguments()
    .option("--all", "every setting with its value, defaults too")
    .option(...setOption)
    .option(...cwd)
    .option(...json)
    .addHelpText("after", showHelp)
    .examples([
      ["palimpsest config", "the project of this folder"],
      ["palimpsest config compaction.budgetPercent", "one setting"],
      ["palimpsest config show --cwd ~/shop --json", "another project, for programs"],
    ])
    .action(async (_name, options, command) =>
      (await import("./show-command.ts")).runShow(context(), command.args, options),
    );

  add("flags", "Show every flag, its value, its source and its effect.")
    .option(...cwd)
    .option(...json)
    .addHelpText("after", flagsHelp)
    .examples([
      ["palimpsest config flags", "the project of this folder"],
      ["palimpsest config flags --json", "for programs"],
    ])
    .action(async (options) => (await import("./flags-command.ts")).runFlags(context(), options));

  add("set-flag", "Set a flag for every machine on the store, which is a Postgres database.")
    .argument("<flag>", "its name, as config flags shows it")
    .argument("<value>", "on, off, kill, default (not set any more), or JSON")
    .option("--everywhere", "for all projects of the store, not only this one")
    .option(...cwd)
    .option(...json)
    .addHelpText("after", setFlagHelp)
    .examples([
      ["palimpsest config set-flag compact-ahead off", "this project, wherever it runs"],
      ["palimpsest config set-flag dream kill --everywhere", "off, whatever else sets it"],
      ["palimpsest config set-flag dream default --everywhere", "undoes that"],
    ])
    .action(async (flag, value, options) =>
      (await import("./set-flag-command.ts")).runSetFlag(context(), flag, value, options),
    );

  add("trust", "Trust the settings files of a project.")
    .option("--revoke", "revoke trust, for every version of the files")
    .option("--yes", "do not ask")
    .option("--dry-run", "show the files without trusting them")
    .option(...cwd)
    .option(...json)
    .addHelpText("after", trustHelp)
    .examples([
      ["palimpsest config trust", "shows their settings, and asks"],
      ["palimpsest config trust --dry-run", "only shows it"],
      ["palimpsest config trust --revoke", "takes it back"],
    ])
    .action(async (options) => (await import("./trust-command.ts")).runTrust(context(), options));
};

const showHelp = `
Who wins: a kill switch, then options of the program that opens a session (here
--set), the environment, other flags, the local, the project's and the
user's settings file, the default. Ends with 1 if a settings file is in error.`;

const flagsHelp = `
A flag is set by its variable (PALIMPSEST_FLAG_CLEAR_COLD=0) or under "flags" in
a settings file. PALIMPSEST_FLAG_KILL_SWITCHES names flags that are off whatever
anybody else says. On Postgres, config set-flag sets one for every machine. A
program may ask an OpenFeature provider, not known here.`;

const setFlagHelp = `
Ranks below options, the environment and a program's provider, above settings
files; a kill switch wins over all of them. Sessions that are open keep what
they began with. What a project says wins over what is said everywhere.`;

const trustHelp = `
Until you trust a project's settings files, only their permissions.ask and
permissions.deny count: everything else could run commands, send keys elsewhere,
cost money or allow the agent more. Trust holds for the files byte for byte;
after a change you are asked again. Scripts that a file names are not covered.`;
