/** A command line that was understood. */
export interface Request {
  readonly command:
    | "generate"
    | "check"
    | "validate"
    | "init"
    | "drop-columns"
    | "migration new"
    | "migration squash";
  readonly directory: string;
  readonly json: boolean;
  readonly dryRun: boolean;
  readonly force: boolean;
  /** Mend names in the schemas first. */
  readonly fix: boolean;
  /** Refuse to begin where git knows of changes that are not committed. */
  readonly requireClean: boolean;
  /** Go on, and generate anew whenever a schema changes. */
  readonly watch: boolean;
  /** Follow new names of the YAML into the user's own code. */
  readonly renameCode: boolean;
  /** Print every diagnostic, however many there are. */
  readonly all: boolean;
  readonly example: string;
  /** Of a migration that is written by hand. */
  readonly name: string;
}

/** The flags of a command line, as far as they are given. */
export type Flags = Partial<Omit<Request, "command" | "directory">>;

/** A request with the flags that were left out. */
export function request(
  command: Request["command"],
  directory: string,
  flags: Flags = {},
): Request {
  const { json = false, dryRun = false, force = false, watch = false } = flags;
  const { fix = false, all = false, example = "helpdesk", name = "" } = flags;
  const { renameCode = false, requireClean = false } = flags;
  const how = { json, dryRun, force, fix, requireClean, watch, renameCode, all };
  return { command, directory, ...how, example, name };
}

/**
 * Understands `generate` and `check` with at most a folder; null for anything else. With nothing to do,
 * loading a parser for them would take longer than the rest of the run.
 */
export function plainRequest(argv: readonly string[]): Request | null {
  const [command, directory = ".", ...rest] = argv;
  if (command !== "generate" && command !== "check") return null;
  return rest.length > 0 || directory.startsWith("-") ? null : request(command, directory);
}
