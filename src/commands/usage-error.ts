/** A misuse of the command line: it prints the message alone and exits 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
