/** Why a text is not the value that it should be: a value, where a reader would report an issue. */
export class Problem {
  constructor(
    /** Without the property's name: `must be true or false`. */
    readonly message: string,
  ) {}
}
