/** A misuse of the command line: only the message is printed, and the exit code is 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
