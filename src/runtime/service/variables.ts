import { StartRefusal } from "../base/start-refusal.js";

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

/** Any text that is not empty. */
export function text(otherwise?: string): Variable<string> {
  return { form: "a text", otherwise, read: (value) => value };
}

/** A URL, as text. */
export function url(otherwise?: string): Variable<string> {
  return { form: "a URL", otherwise, read: (value) => (URL.canParse(value) ? value : null) };
}

/** A whole number. */
export function integer(otherwise?: number): Variable<number> {
  const read = (value: string): number | null =>
    /^-?\d{1,15}$/.test(value) ? Number(value) : null;
  return { form: "a whole number", otherwise, read };
}

/** `true` or `false`. */
export function flag(otherwise?: boolean): Variable<boolean> {
  const read = (value: string): boolean | null =>
    value === "true" || value === "false" ? value === "true" : null;
  return { form: "true or false", otherwise, read };
}

/** One of some texts. */
export function choice<const Choice extends string>(
  choices: readonly Choice[],
  otherwise?: Choice,
): Variable<Choice> {
  const read = (value: string): Choice | null => choices.find((one) => one === value) ?? null;
  return { form: `one of ${choices.join(", ")}`, otherwise, read };
}

/** Reads all of them. Throws `StartRefusal` that names each one that is missing or wrong, and shows no value. */
export function readVariables<Declared extends Variables>(
  declared: Declared,
  environment: Readonly<Record<string, string | undefined>>,
): Values<Declared> {
  const wrong: string[] = [];
  const values = Object.entries(declared).map(([name, variable]) => {
    const given = environment[name] ?? "";
    const value = given === "" ? variable.otherwise : variable.read(given);
    if (value === undefined) wrong.push(`${name} must be set, to ${variable.form}`);
    if (value === null) wrong.push(`${name} must be ${variable.form}`);
    return [name, value] as const;
  });
  if (wrong.length > 0) throw new StartRefusal(`${wrong.join("; ")}.`);
  // Each name has what its own variable read.
  return Object.fromEntries(values) as Values<Declared>;
}
