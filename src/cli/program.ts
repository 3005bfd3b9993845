import { Command, CommanderError } from "commander";
import { request, type Flags, type Request } from "./request.js";

const EXIT_CODES = `
Exit codes: 0 fine, 1 mistakes in the files, or files out of date, 2 wrong usage or a machine that
refuses (permissions, full disk), 3 a bug of generator.`;

/** What is done when a command was understood. */
export interface Actions {
  answer(request: Request): Promise<void>;
  listRules(json: boolean): Promise<void>;
  explainId(id: string, json: boolean): Promise<void>;
}

/** The commands, their flags and their help. */
export function program(version: string, { answer, listRules, explainId }: Actions): Command {
  const root = new Command("generator")
    .description("Makes a TypeScript HTTP service from YAML resource schemas.")
    .version(version)
    .helpCommand(false)
    .addHelpText("after", EXIT_CODES);
  root
    .command("init")
    .description("make a new service in a new folder, complete and ready to run")
    .argument("<directory>", "the folder to make; its name is the service's")
    .option("--example <name>", "what it begins with: helpdesk or minimal", "helpdesk")
    .option("--json", "print the result as JSON")
    .action((directory: string, flags: Flags) => answer(request("init", directory, flags)));
  root
    .command("generate")
    .description("bring the generated files up to date with the YAML")
    .argument("[directory]", "the folder that service.yaml stands in", ".")
    .option("--dry-run", "print what would happen, and change nothing")
    .option("--force", "replace generated files that were edited by hand; each is saved first")
    .option("--json", "print the result as JSON")
    .action((directory: string, flags: Flags) => answer(request("generate", directory, flags)));
  root
    .command("check")
    .description("exit 1 if generate would change anything; for CI")
    .argument("[directory]", "the folder that service.yaml stands in", ".")
    .option("--json", "print the result as JSON")
    .action((directory: string, flags: Flags) => answer(request("check", directory, flags)));
  root
    .command("validate")
    .description("find every mistake in the YAML; look at no generated file")
    .argument("[directory]", "the folder that service.yaml stands in", ".")
    .option("--json", "print the result as JSON")
    .action((directory: string, flags: Flags) => answer(request("validate", directory, flags)));
  root
    .command("rules")
    .description("list the rules of the contract, and by what each is kept")
    .option("--json", "print the result as JSON")
    .action(({ json = false }: Flags) => listRules(json));
  root
    .command("explain")
    .description("tell what a rule asks, or what a diagnostic means and what to do about it")
    .argument("<id>", "a rule or a diagnostic: NAM-4, SCH-12")
    .option("--json", "print the result as JSON")
    .action((id: string, { json = false }: Flags) => explainId(id, json));
  for (const command of [root, ...root.commands]) {
    command.exitOverride().showHelpAfterError("(add --help for what there is)");
    command.allowExcessArguments(false);
  }
  return root;
}

/** The exit code after commander has printed help, or what is wrong with the arguments; null for other errors. */
export function exitCodeOf(error: unknown): number | null {
  if (!(error instanceof CommanderError)) return null;
  return error.code === "commander.helpDisplayed" || error.code === "commander.version" ? 0 : 2;
}
