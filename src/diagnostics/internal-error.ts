/** A bug of ours, never the user's: the command line prints its stack and exits 3. */
export class InternalError extends Error {
  override readonly name = "InternalError";
}
