import { VERSION } from "#compiled/build-id";

/** Runs the command line; returns the exit code: 0 fine, 1 findings or drift, 2 usage or machine, 3 our bug. */
export async function main(argv: readonly string[]): Promise<number> {
  // Asked for by scripts all the time: nothing else is loaded.
  if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
    process.stdout.write(`${VERSION}\n`);
    return 0;
  }
  const { run } = await import("./run.js");
  return run(argv);
}
