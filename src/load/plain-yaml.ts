import { LIMITS } from "./limits.js";
import { tooDeepAt } from "./nesting.js";

/** What a schema says, by key. */
type Mapping = Record<string, unknown>;

/**
 * The value of a text in the YAML that nearly all schemas are written in: mappings by indentation, and lists, mappings
 * and texts on one line. Null for whatever else there is, right or wrong: then `parseYaml` reads it, which takes 30
 * times as long and knows every place. What is given here has no mistake that `parseYaml` or `plainValue` would find.
 */
export function plainYaml(text: string): Mapping | null {
  if (text.includes("\t") || tooDeepAt(text, 3 * LIMITS.depth) !== null) return null;
  const lines = text.split("\n");
  if (lines.length > LIMITS.keysPerMapping) return null;
  const root: Level = { indent: 0, mapping: {} };
  const open: Level[] = [root];
  let awaited: Awaited | null = null;
  for (const line of lines) {
    if (/^ *(?:#|$)/.test(line)) continue;
    const entry = line.length > MOST_COLUMNS ? null : entryOf(line);
    if (entry === null) return null;
    const { indent, key, rest } = entry;
    if (awaited !== null) {
      if (indent <= awaited.level.indent || open.length >= MOST_LEVELS) return null;
      const mapping = {};
      awaited.level.mapping[awaited.key] = mapping;
      open.push({ indent, mapping });
    }
    const level = levelAt(open, indent);
    if (level === null || key in level.mapping) return null;
    awaited = rest === "" ? { level, key } : null;
    const value = rest === "" ? null : valueOf(rest);
    if (value === undefined) return null;
    level.mapping[key] = value;
  }
  return awaited !== null || Object.keys(root.mapping).length === 0 ? null : root.mapping;
}

/** A mapping whose keys all stand at one column. */
interface Level {
  readonly indent: number;
  readonly mapping: Mapping;
}

/** A key with nothing behind it: what it stands for comes below. */
interface Awaited {
  readonly level: Level;
  readonly key: string;
}

/** A longer line may hold more than LIMITS allow, or a key that is too long for the parser. */
const MOST_COLUMNS = 1000;
const MOST_LEVELS = 16;
/** Names of prototypes are left to the parser, which sets them as such. */
const KEY = /^( *)([A-Za-z][A-Za-z0-9_-]*):(?= |$) *(.*)$/;
const MAY_BE_NUMBER = /^[-+]?(?:[.0-9][-+.0-9a-fox_]*|\.(?:inf|nan))$/i;
const CONSTANTS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ...["true", "True", "TRUE"].map((word) => [word, true] as const),
  ...["false", "False", "FALSE"].map((word) => [word, false] as const),
  ...["null", "Null", "NULL"].map((word) => [word, null] as const),
]);

function entryOf(line: string): { indent: number; key: string; rest: string } | null {
  const [, spaces, key, rest] = KEY.exec(line) ?? [];
  if (spaces === undefined || key === undefined || rest === undefined) return null;
  if (CONSTANTS.has(key)) return null;
  return { indent: spaces.length, key, rest: rest.startsWith("#") ? "" : rest };
}

/** Closes what is indented more; null when no open mapping has its keys at this column. */
function levelAt(open: Level[], indent: number): Level | null {
  while ((open.at(-1)?.indent ?? 0) > indent) open.pop();
  const level = open.at(-1);
  return level?.indent === indent ? level : null;
}

/** What stands behind a key to the end of its line; undefined for what is not read here. */
function valueOf(rest: string): unknown {
  const comment = rest.indexOf(" #");
  const written = (comment === -1 ? rest : rest.slice(0, comment)).replace(/ +$/, "");
  // A quote or a bracket may hold what looks like a comment.
  if (/^["'[{]/.test(written)) return new OneLine(rest).whole();
  return /: |:$|^\s|\s$/.test(written) ? undefined : scalarOf(written);
}

/** YAML's core schema, as far as a number is sure to be the one that is written. */
function scalarOf(word: string): unknown {
  if (/^[\s?:,[\]{}#&*!|>'"%@`~]/.test(word) || /^-(?![0-9A-Za-z])/.test(word)) return undefined;
  if (/^-?(?:0|[1-9][0-9]{0,14})$/.test(word)) return word === "-0" ? undefined : Number(word);
  if (/^-?(?:0|[1-9][0-9]{0,6})\.[0-9]{1,7}$/.test(word)) return Number(word);
  if (MAY_BE_NUMBER.test(word) && !/^[0-9]+d$/.test(word)) return undefined;
  return CONSTANTS.has(word) ? CONSTANTS.get(word) : word;
}

/** Reads a list, a mapping or a quoted text that ends on its own line. */
class OneLine {
  #at = 0;
  #depth = 0;

  constructor(private readonly line: string) {}

  /** Undefined when anything but a comment follows, or when it is not read here. */
  whole(): unknown {
    const value = this.#value();
    return /^ *$|^ +#/.test(this.line.slice(this.#at)) ? value : undefined;
  }

  #value(): unknown {
    this.#depth += 1;
    if (this.#depth > MOST_LEVELS) return undefined;
    const value = this.#valueAt(this.line.charAt(this.#at));
    this.#depth -= 1;
    return value;
  }

  #valueAt(first: string): unknown {
    if (first === "{") return this.#mapping();
    if (first === "[") return this.#list();
    const [quoted] = this.#take(/"[^"\\]*"|'[^']*'/y);
    if (quoted !== undefined) return quoted.slice(1, -1);
    const [word] = this.#take(
      /[^\s,[\]{}:#"'](?:(?:[^,[\]{}:#]|:(?=[^\s,[\]{}]))*[^\s,[\]{}:#])?/y,
    );
    return word === undefined ? undefined : scalarOf(word);
  }

  #list(): unknown[] | undefined {
    const items: unknown[] = [];
    this.#take(/\[ */y);
    if (this.#take(/\]/y).length > 0) return items;
    for (;;) {
      const item = this.#value();
      if (item === undefined) return undefined;
      items.push(item);
      const [next] = this.#take(/ *(?:\]|,(?= ) *)/y);
      if (next === undefined) return undefined;
      if (next.endsWith("]")) return items;
    }
  }

  #mapping(): Mapping | undefined {
    const mapping: Mapping = {};
    this.#take(/\{ */y);
    if (this.#take(/\}/y).length > 0) return mapping;
    for (;;) {
      const [, key] = this.#take(/([A-Za-z][A-Za-z0-9_-]*): +/y);
      if (key === undefined || key in mapping || CONSTANTS.has(key)) return undefined;
      const value = this.#value();
      if (value === undefined) return undefined;
      mapping[key] = value;
      const [next] = this.#take(/ *(?:\}|,(?= ) *)/y);
      if (next === undefined) return undefined;
      if (next.endsWith("}")) return mapping;
    }
  }

  /** What stands here if it has this form, with its groups; nothing else moves on. */
  #take(form: RegExp): readonly string[] {
    form.lastIndex = this.#at;
    const found = form.exec(this.line);
    if (found === null) return [];
    this.#at = form.lastIndex;
    return found;
  }
}
