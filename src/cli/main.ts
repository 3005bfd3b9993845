import { VERSION } from "#compiled/build-id";

/** Runs the command line; returns the exit code: 0 fine, 1 findings or drift, 2 usage or operating system, 3 a bug of ours. */
export async function main(argv: readonly string[]): Promise<number> {
  // Scripts often ask for the version, so nothing else is loaded.
  if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
    process.stdout.write(`${VERSION}\n`);
    return 0;
  }
  const { run } = await import("./run.js");
  return run(argv);
}
