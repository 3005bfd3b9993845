/** An environment variable. `read` returns null if the text is invalid. */
export interface Variable<Value> {
  /** The valid values in words: `a whole number`. */
  readonly form: string;
  /** The default value. Undefined means that the variable is required. */
  readonly otherwise: Value | undefined;
  read(text: string): Value | null;
}

/** The declared environment variables, by name. */
export type Variables = Readonly<Record<string, Variable<unknown>>>;

/** The values of the declared variables. */
export type Values<Declared extends Variables> = {
  readonly [Name in keyof Declared]: Declared[Name] extends Variable<infer Value> ? Value : never;
};

/** Declares any text that is not empty. `otherwise` is the default of the variable. */
export function text(otherwise?: string): Variable<string> {
  return { form: "a text", otherwise, read: (value) => value };
}

/** Declares a URL, which is read as text: `https://mail.example.com/`. */
export function url(otherwise?: string): Variable<string> {
  return { form: "a URL", otherwise, read: (value) => (URL.canParse(value) ? value : null) };
}

/** Declares a whole number of at most 15 digits. */
export function integer(otherwise?: number): Variable<number> {
  const read = (value: string): number | null =>
    /^-?\d{1,15}$/.test(value) ? Number(value) : null;
  return { form: "a whole number", otherwise, read };
}

/** Declares a boolean: `true` or `false`. */
export function flag(otherwise?: boolean): Variable<boolean> {
  const read = (value: string): boolean | null =>
    value === "true" || value === "false" ? value === "true" : null;
  return { form: "true or false", otherwise, read };
}

/** Declares one of several texts: `choice(["eu", "us"], "eu")`. */
export function choice<const Choice extends string>(
  choices: readonly Choice[],
  otherwise?: Choice,
): Variable<Choice> {
  const read = (value: string): Choice | null => choices.find((one) => one === value) ?? null;
  return { form: `one of ${choices.join(", ")}`, otherwise, read };
}
