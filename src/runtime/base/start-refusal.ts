/** A reason not to start: one clear line that says what is wrong and what to do. */
export class StartRefusal extends Error {
  override readonly name = "StartRefusal";
}
