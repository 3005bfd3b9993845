/** Reads an environment variable; null where its text is not what it should be. */
export interface Variable<Value> {
  /** What it has to be: `a whole number`. */
  readonly form: string;
  /** What holds where it is not set; undefined: it has to be. */
  readonly otherwise: Value | undefined;
  read(text: string): Value | null;
}

/** The variables that a service reads, by their names. */
export type Variables = Readonly<Record<string, Variable<unknown>>>;

/** What was read of them. */
export type Values<Declared extends Variables> = {
  readonly [Name in keyof Declared]: Declared[Name] extends Variable<infer Value> ? Value : never;
};

/** Any text that is not empty; `otherwise` is what holds where the variable is not set. */
export function text(otherwise?: string): Variable<string> {
  return { form: "a text", otherwise, read: (value) => value };
}

/** A URL, as text: `https://mail.example.com/`. */
export function url(otherwise?: string): Variable<string> {
  return { form: "a URL", otherwise, read: (value) => (URL.canParse(value) ? value : null) };
}

/** A whole number of at most 15 digits. */
export function integer(otherwise?: number): Variable<number> {
  const read = (value: string): number | null =>
    /^-?\d{1,15}$/.test(value) ? Number(value) : null;
  return { form: "a whole number", otherwise, read };
}

/** A switch: the text `true` or `false`, as a boolean. */
export function flag(otherwise?: boolean): Variable<boolean> {
  const read = (value: string): boolean | null =>
    value === "true" || value === "false" ? value === "true" : null;
  return { form: "true or false", otherwise, read };
}

/** One of the texts of `choices`: `choice(["eu", "us"], "eu")`. */
export function choice<const Choice extends string>(
  choices: readonly Choice[],
  otherwise?: Choice,
): Variable<Choice> {
  const read = (value: string): Choice | null => choices.find((one) => one === value) ?? null;
  return { form: `one of ${choices.join(", ")}`, otherwise, read };
}
