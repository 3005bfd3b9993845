import { Command, CommanderError } from "commander";
import { request, type Flags, type Request } from "./request.js";
import type { VerifyFlags } from "./verify.js";

const EXIT_CODES = `
Exit codes: 0 fine, 1 mistakes in the files, or files out of date, 2 wrong usage or a machine that
refuses (permissions, full disk), 3 a bug of generator.`;

const VERIFY = `
It makes entities of its own, sends right, wrong and hostile requests about them, and deletes them again, also
when it is interrupted. Other entities are read, and never changed. Code in src/custom that changes what was
sent, or refuses it, shows as a failure.

Exit codes: 0 every rule holds, 1 one does not, 2 no such service answers.`;

const ALL = "print every mistake, not just the first 50";

/** What is done when a command was understood. */
export interface Actions {
  answer(request: Request): Promise<void>;
  listRules(json: boolean): Promise<void>;
  explainId(id: string, json: boolean): Promise<void>;
  verify(url: string, flags: VerifyFlags): Promise<void>;
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
    .argument("<directory>", "the folder to make; its name is the service's")
    .option("--example <name>", "what it begins with: helpdesk, shop or minimal", "helpdesk")
    .option("--json", "print the result as JSON")
    .action((directory: string, flags: Flags) => answer(request("init", directory, flags)));
  root
    .command("generate")
    .description("bring the generated files up to date with the YAML")
    .argument("[directory]", "the folder that service.yaml stands in", ".")
    .option("--dry-run", "print what would happen, and change nothing")
    .option("--force", "replace generated files that were edited by hand; each is saved first")
    .option("--all", ALL)
    .option("--json", "print the result as JSON")
    .action((directory: string, flags: Flags) => answer(request("generate", directory, flags)));
  root
    .command("check")
    .description("exit 1 if generate would change anything; for CI")
    .argument("[directory]", "the folder that service.yaml stands in", ".")
    .option("--all", ALL)
    .option("--json", "print the result as JSON")
    .action((directory: string, flags: Flags) => answer(request("check", directory, flags)));
  root
    .command("validate")
    .description("find every mistake in the YAML; look at no generated file")
    .argument("[directory]", "the folder that service.yaml stands in", ".")
    .option("--all", ALL)
    .option("--json", "print the result as JSON")
    .action((directory: string, flags: Flags) => answer(request("validate", directory, flags)));
  addContractCommands(root, actions);
  for (const command of [root, ...root.commands]) {
    command.exitOverride().showHelpAfterError("(add --help for what there is)");
    command.allowExcessArguments(false);
  }
  return root;
}

/** What is about the contract itself, and about a service that runs. */
function addContractCommands(root: Command, { listRules, explainId, verify }: Actions): void {
  root
    .command("rules")
    .description("list the rules of the contract, and what enforces each of them")
    .option("--json", "print the result as JSON")
    .action(({ json = false }: Flags) => listRules(json));
  root
    .command("explain")
    .description("tell what a rule asks, or what a diagnostic or a keyword means")
    .argument("<id>", "a rule, a diagnostic or a keyword: NAM-4, SCH-12, uniqueItems")
    .option("--json", "print the result as JSON")
    .action((id: string, { json = false }: Flags) => explainId(id, json));
  root
    .command("verify")
    .description("try every rule on a running service of this folder's YAML")
    .argument("<url>", "where the service is: http://127.0.0.1:3000")
    .option("--token <jwt...>", "who calls: bearer tokens (or GENERATOR_TOKEN); several show more")
    .option("--rule <id...>", "try these rules only")
    .option("--leave", "also make what cannot be deleted again")
    .option("--all", ALL)
    .option("--json", "print the result as JSON")
    .addHelpText("after", VERIFY)
    .action((url: string, flags: VerifyFlags) => verify(url, flags));
}

/** The exit code after commander has printed help, or what is wrong with the arguments; null for other errors. */
export function exitCodeOf(error: unknown): number | null {
  if (!(error instanceof CommanderError)) return null;
  return error.code === "commander.helpDisplayed" || error.code === "commander.version" ? 0 : 2;
}
