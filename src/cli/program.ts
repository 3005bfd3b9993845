import { Command, CommanderError, InvalidArgumentError } from "commander";
import type { ChangesFlags } from "./changes.js";
import type { EjectFlags } from "./eject.js";
import { request, type Flags, type Request } from "./request.js";
import type { UpgradeFlags } from "./upgrade.js";
import type { VerifyFlags } from "./verify.js";
import type { VersionFlags } from "./versions.js";

const EXIT_CODES = `
Exit codes: 0 success; 1 mistakes in the files, or files out of date; 2 wrong usage, or a system error
(permissions, full disk); 3 a bug in the generator.`;

const VERIFY = `
It creates its own entities, sends valid, invalid and hostile requests about them, and deletes them again, even
when it is interrupted. Other entities are read but never changed. Code in src/custom that changes or refuses
what was sent shows as a failure.

Exit codes: 0 every rule holds, 1 a rule is violated or was not reached in time, 2 no such service answers.`;

const FIX = "first correct names that break a naming rule, and every reference to them";
const CHANGES = `
A published version is compared with contract/, a draft with the version before it.

Exit codes: 0 no published version breaks, 1 one does, or there are mistakes, 2 wrong usage.`;

const RENAME = "apply `renamedFrom` to your code as well, and print the changes";
const UPGRADE = `
Run it with the newer generator: npx <its folder> upgrade <folder of the service>.`;
const ALL = "print every mistake, not just the first 50";

/** Of a run of verify: waits for a service that counts its callers are among them. */
const USUAL_MINUTES = 60;
/** A day. */
const MOST_MINUTES = 1440;

/** The functions that carry out the commands. */
export interface Actions {
  answer(request: Request): Promise<void>;
  listRules(json: boolean): Promise<void>;
  explainId(id: string, json: boolean): Promise<void>;
  verify(url: string, flags: VerifyFlags): Promise<void>;
  publish(version: string, flags: VersionFlags): Promise<void>;
  nextVersion(version: string, resources: readonly string[], flags: VersionFlags): Promise<void>;
  changes(version: string | undefined, flags: ChangesFlags): Promise<void>;
  eject(what: string, flags: EjectFlags): Promise<void>;
  upgrade(directory: string, flags: UpgradeFlags): Promise<void>;
}

/** The commands, their flags and their help. */
export function program(version: string, actions: Actions): Command {
  const { answer } = actions;
  const root = new Command("generator")
    .description("Makes a TypeScript HTTP service from YAML resource schemas.")
    .version(version)
    .helpCommand(false)
    .addHelpText("after", EXIT_CODES);
  root
    .command("init")
    .description("make a new service in a new folder, complete and ready to run")
    .argument("<directory>", "the folder to create; the service is named after it")
    .option("--example <name>", "the example to start from: helpdesk, shop or minimal", "helpdesk")
    .option("--json", "print the result as JSON")
    .action((directory: string, flags: Flags) => answer(request("init", directory, flags)));
  root
    .command("generate")
    .description("bring the generated files up to date with the YAML")
    .argument("[directory]", "the folder with service.yaml", ".")
    .option("--dry-run", "print what would happen, and change nothing")
    .option("--force", "replace generated files that were edited by hand; each is saved first")
    .option("--fix", FIX)
    .option("--rename-code", RENAME)
    .option("--require-clean", "refuse if there are uncommitted changes; for CI")
    .option("--watch", "keep running, and generate again whenever a schema changes, until Ctrl-C")
    .option("--all", ALL)
    .option("--json", "print the result as JSON")
    .action((directory: string, flags: Flags) => answer(request("generate", directory, flags)));
  addReadingCommands(root, actions);
  const migration = addMigrationCommands(root, actions);
  addVersionCommands(root, actions);
  addGeneratorCommands(root, actions);
  addContractCommands(root, actions);
  for (const command of [root, ...root.commands, ...migration.commands]) {
    command.exitOverride().showHelpAfterError("(add --help for the commands and flags)");
    command.allowExcessArguments(false);
  }
  return root;
}

/** Commands that look at a project and write nothing. */
function addReadingCommands(root: Command, { answer }: Actions): void {
  root
    .command("check")
    .description("exit 1 if generate would change anything; for CI")
    .argument("[directory]", "the folder with service.yaml", ".")
    .option("--all", ALL)
    .option("--json", "print the result as JSON")
    .action((directory: string, flags: Flags) => answer(request("check", directory, flags)));
  root
    .command("validate")
    .description("find every mistake in the YAML, and ignore the generated files")
    .argument("[directory]", "the folder with service.yaml", ".")
    .option("--fix", FIX)
    .option("--all", ALL)
    .option("--json", "print the result as JSON")
    .action((directory: string, flags: Flags) => answer(request("validate", directory, flags)));
}

/** Commands about migrations, which `generate` makes otherwise. Returns the one that has others below it. */
function addMigrationCommands(root: Command, { answer }: Actions): Command {
  root
    .command("drop-columns")
    .description(
      "make the migration that drops the columns and tables of removed properties and resources",
    )
    .argument("[directory]", "the folder with service.yaml", ".")
    .option("--dry-run", "print what would happen, and change nothing")
    .option("--json", "print the result as JSON")
    .action((directory: string, flags: Flags) => answer(request("drop-columns", directory, flags)));
  const migration = root
    .command("migration")
    .description("make a migration by hand (new), or fold unreleased ones (squash)")
    .helpCommand(false);
  migration
    .command("new")
    .description("make an empty migration for you to write")
    .argument("<name>", "what it does, in a few words: fill-order-numbers")
    .argument("[directory]", "the folder with service.yaml", ".")
    .option("--json", "print the result as JSON")
    .action((name: string, directory: string, flags: Flags) =>
      answer(request("migration new", directory, { ...flags, name })),
    );
  migration
    .command("squash")
    .description("make one migration of those that were never released")
    .argument("[directory]", "the folder with service.yaml", ".")
    .requiredOption("--unreleased", "only those that no other branch, remote or tag of git has")
    .option("--dry-run", "print what would happen, and change nothing")
    .option("--json", "print the result as JSON")
    .action((directory: string, flags: Flags) =>
      answer(request("migration squash", directory, flags)),
    );
  return migration;
}

/** Commands about the versions of the API: of the service in the present folder. */
function addVersionCommands(root: Command, { publish, nextVersion, changes }: Actions): void {
  root
    .command("publish")
    .description("promise a version to its clients: freeze what they see in contract/")
    .argument("<version>", "the version: v1")
    .option("--all", ALL)
    .option("--json", "print the result as JSON")
    .action((version: string, flags: VersionFlags) => publish(version, flags));
  root
    .command("version")
    .description("make the files of the next version, or open more of a draft for edits")
    .argument("<version>", "the next version, or the draft: v2")
    .argument("[resources...]", "the resources that will change in it; the others stay the same")
    .option("--all", ALL)
    .option("--json", "print the result as JSON")
    .action((version: string, resources: string[], flags: VersionFlags) =>
      nextVersion(version, resources, flags),
    );
  root
    .command("changes")
    .description("report which clients the edited schemas break, why, and what to do")
    .argument("[version]", "one version; defaults to all versions")
    .option("--since <revision>", "compare with a git revision, not with what was promised")
    .option("--format <format>", "text (the default), json, markdown, html or github (annotations)")
    .option("--all", ALL)
    .option("--json", "print the result as JSON")
    .addHelpText("after", CHANGES)
    .action((version: string | undefined, flags: ChangesFlags) => changes(version, flags));
}

/** Commands about the generator itself: its runtime, its version. */
function addGeneratorCommands(root: Command, { eject, upgrade }: Actions): void {
  root
    .command("eject")
    .description("copy the runtime into the service, as TypeScript in runtime/")
    .argument("<what>", "runtime")
    .option("--undo", "depend on the package again; refused if the folder was edited")
    .option("--force", "write this generator's files over those in runtime/")
    .option("--json", "print the result as JSON")
    .action((what: string, flags: EjectFlags) => eject(what, flags));
  root
    .command("upgrade")
    .description("bring a service to this generator: its packages, and every generated file")
    .argument("[directory]", "the folder with service.yaml", ".")
    .option("--dry-run", "print what would happen, and change nothing")
    .option("--force", "replace generated files that were edited by hand; each is saved first")
    .option("--scaffold", "also make the files of a new service that are missing")
    .option("--all", ALL)
    .option("--json", "print the result as JSON")
    .addHelpText("after", UPGRADE)
    .action((directory: string, flags: UpgradeFlags) => upgrade(directory, flags));
}

/** Commands about the contract, and about a running service. */
function addContractCommands(root: Command, { listRules, explainId, verify }: Actions): void {
  root
    .command("rules")
    .description("list the rules of the contract, with the parts that enforce each")
    .option("--json", "print the result as JSON")
    .action(({ json = false }: Flags) => listRules(json));
  root
    .command("explain")
    .description("explain a rule of the contract, a diagnostic or a keyword")
    .argument("<id>", "a rule, a diagnostic or a keyword: NAM-4, SCH-12, uniqueItems")
    .option("--json", "print the result as JSON")
    .action((id: string, { json = false }: Flags) => explainId(id, json));
  addVerifyCommand(root, verify);
}

/** A URL may stand behind the values of a flag, which take all that follows them. */
function addVerifyCommand(root: Command, verify: Actions["verify"]): void {
  const command = root
    .command("verify")
    .usage("[options] <url>")
    .description("try every rule on a running service that was made from this folder")
    .argument("[url]", "the URL of the service: http://127.0.0.1:3000")
    .option(
      "--token <jwt...>",
      "bearer tokens of callers (or GENERATOR_TOKEN); several tokens test access better",
    )
    .option("--rule <id...>", "try these rules only")
    .option(
      "--samples <file>",
      "values that a rule in src/custom accepts, by resource: test/samples.ts, or YAML",
    )
    .option("--leave", "also create entities that cannot be deleted again")
    .option("--minutes <n>", "stop after so many minutes", minutesOf, USUAL_MINUTES)
    .option("--events <port>", "receive its events at this port of this machine (EVT-1)", portOf)
    .option("--all", ALL)
    .option("--json", "print the result as JSON")
    .addHelpText("after", VERIFY)
    .action((url: string | undefined, flags: VerifyFlags) => {
      const found = withUrl(url, flags);
      if (found === null) return command.error("error: missing required argument 'url'");
      return verify(found.url, found.flags);
    });
}

/** Throws `InvalidArgumentError`. */
function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new InvalidArgumentError("It must be a port: a number from 1 to 65535.");
}

function minutesOf(text: string): number {
  const minutes = Number(text);
  if (minutes > 0 && minutes <= MOST_MINUTES) return minutes;
  throw new InvalidArgumentError(`Minutes are more than 0 and at most ${MOST_MINUTES}.`);
}

/** The exit code after commander has printed help, or what is wrong with the arguments; null for other errors. */
export function exitCodeOf(error: unknown): number | null {
  if (!(error instanceof CommanderError)) return null;
  return error.code === "commander.helpDisplayed" || error.code === "commander.version" ? 0 : 2;
}

/** The URL of a command line, and the flags without it: a flag that takes several values has taken the URL behind them as well. */
function withUrl(
  url: string | undefined,
  flags: VerifyFlags,
): { readonly url: string; readonly flags: VerifyFlags } | null {
  if (url !== undefined) return { url, flags };
  for (const name of ["token", "rule"] as const) {
    const values = flags[name] ?? [];
    const found = values.find(isUrl);
    const others = values.filter((value) => value !== found);
    // A flag is not left without a value.
    if (found !== undefined && others.length > 0) {
      return { url: found, flags: { ...flags, [name]: others } };
    }
  }
  return null;
}

/** Neither a token nor the identifier of a rule looks like that. */
function isUrl(value: string): boolean {
  return /^https?:\/\//i.test(value);
}
