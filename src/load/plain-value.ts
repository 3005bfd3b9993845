import { ADVICE } from "../diagnostics/advice.js";
import { isAlias, isMap, isScalar, isSeq, type ParsedNode, type Scalar, type YAMLMap } from "yaml";
import {
  diagnostic,
  mistake,
  placed,
  type Diagnostic,
  type Mistake,
  type Place,
} from "../diagnostics/diagnostic.js";
import type { MessageArguments } from "../diagnostics/messages.js";
import { codePoint, shown } from "../diagnostics/quoted.js";
import { LIMITS } from "./limits.js";
import { BIDI, CONTROL } from "./read-text.js";
import { placeAt, type SchemaText } from "./schema-text.js";

/** The value of a YAML node, and every mistake in it. */
export interface PlainValue {
  readonly value: unknown;
  readonly diagnostics: readonly Diagnostic[];
  /** False if `value` is incomplete, so that checking it would report misleading mistakes. */
  readonly usable: boolean;
}

/** The plain value of a node; refuses what a schema file cannot contain: see SCH-4 to SCH-6, SCH-22, SCH-34, SCH-123. */
export function plainValue(node: ParsedNode, found: SchemaText): PlainValue {
  const reader = new Reader(found);
  const value = reader.read(node, 1);
  return { value, diagnostics: reader.diagnostics, usable: reader.usable };
}

/** The YAML features that a schema file cannot use. */
type Construct = MessageArguments<"SCH-4">["construct"];

class Reader {
  readonly diagnostics: Diagnostic[] = [];
  usable = true;

  constructor(private readonly found: SchemaText) {}

  read(node: ParsedNode | null, depth: number): unknown {
    if (node === null) return null;
    if (depth > LIMITS.depth) {
      this.#limit(node, mistake("SCH-123", { limit: LIMITS.depth }));
      return null;
    }
    this.#refuseReuse(node);
    if (isScalar(node)) return this.#scalar(node);
    if (isMap(node)) return this.#mapping(node, depth);
    if (isSeq(node))
      return node.items.map((item) => this.read(item as ParsedNode | null, depth + 1));
    return null;
  }

  /** Refuses aliases, anchors and tags. Tags can run code in other parsers, and no schema needs one. */
  #refuseReuse(node: ParsedNode): void {
    if (isAlias(node)) return this.#refuse(node, "aliases", "Write the value out.");
    if (node.anchor !== undefined) this.#refuse(node, "anchors", `Remove the &${node.anchor}.`);
    // The library sets a tag only if the file has one.
    if (node.tag !== undefined) this.#refuse(node, "tags", `Remove the ${shortTag(node.tag)}.`);
  }

  #scalar(node: Scalar.Parsed): unknown {
    const { value } = node;
    if (typeof value === "string") this.#text(value, node);
    if (typeof value === "number" && Number.isFinite(value)) {
      const read = node.source ?? String(value);
      if (!exactly(read, value)) {
        this.#add(diagnostic("SCH-34", this.#place(node), { read, kept: String(value) }));
      }
    }
    return value;
  }

  #text(text: string, node: ParsedNode): void {
    const size = Buffer.byteLength(text);
    if (size > LIMITS.textBytes) {
      const given = { what: "The string", size, limit: LIMITS.textBytes, unit: "bytes" };
      this.#limit(node, mistake("SCH-6", given));
    }
    const control = CONTROL.exec(text)?.[0];
    const bidi = BIDI.exec(text)?.[0];
    const place = (): Place => this.#place(node);
    const suggestion = ADVICE.remove;
    if (control !== undefined) {
      this.#add(diagnostic("SCH-22", place(), { character: codePoint(control) }, { suggestion }));
    } else if (bidi !== undefined) {
      this.#add(diagnostic("SCH-23", place(), { character: codePoint(bidi) }, { suggestion }));
    }
  }

  #mapping(node: YAMLMap.Parsed, depth: number): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    if (node.items.length > LIMITS.keysPerMapping) {
      const size = node.items.length;
      const given = { what: "The mapping", size, limit: LIMITS.keysPerMapping, unit: "keys" };
      this.#limit(node, mistake("SCH-6", given));
      return result;
    }
    const first = new Map<string, ParsedNode>();
    for (const { key, value } of node.items) {
      const name = this.#key(key);
      if (name === null) continue;
      const earlier = first.get(name);
      if (earlier === undefined) {
        first.set(name, key);
        setOwn(result, name, this.read(value, depth + 1));
      } else {
        const { span } = this.#place(earlier);
        const given = { key: name, first: `${span.line}:${span.column}` };
        this.#add(diagnostic("SCH-5", this.#place(key), given, { suggestion: ADVICE.keepOne }));
      }
    }
    return result;
  }

  /** The text of a key, or null if the key is not a string. */
  #key(key: ParsedNode): string | null {
    this.#refuseReuse(key);
    if (!isScalar(key)) {
      if (!isAlias(key)) this.#refuse(key, "keys that are lists or mappings", null);
      return null;
    }
    const name = key.value;
    if (name === "<<") {
      this.#refuse(key, "merge keys", "Write the values out.");
      return null;
    }
    if (typeof name === "string") {
      this.#text(name, key);
      return name;
    }
    const read = shown(name);
    const given = {
      key: key.source ?? read,
      expected: "a string, as every key",
      read: kindOf(name),
    };
    const suggestion = `Write "${key.source ?? read}" in quotes, or choose another name.`;
    this.#add(diagnostic("SCH-8", this.#place(key), given, { suggestion }));
    return null;
  }

  #refuse(node: ParsedNode, construct: Construct, suggestion: string | null): void {
    this.#add(diagnostic("SCH-4", this.#place(node), { construct }, { suggestion }));
    this.usable = false;
  }

  #limit(node: ParsedNode, exceeded: Mistake): void {
    const [start] = node.range;
    this.#add(placed(exceeded, placeAt(this.found, start, start + 1)));
    this.usable = false;
  }

  #place(node: ParsedNode): Place {
    return placeAt(this.found, node.range[0], node.range[1]);
  }

  #add(found: Diagnostic): void {
    this.diagnostics.push(found);
  }
}

/** An assignment to `__proto__` would change the object's prototype instead. */
function setOwn(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") target[name] = value;
  else Object.defineProperty(target, name, { value, enumerable: true, configurable: true });
}

function shortTag(tag: string): string {
  return tag.replace(/^tag:yaml\.org,2002:/, "!!");
}

function kindOf(value: unknown): string {
  return value === null ? "null" : `the ${typeof value} ${String(value)}`;
}

/** True if the number that was read equals the number that is written in the YAML: a double holds about 15 digits. */
function exactly(written: string, read: number): boolean {
  if (/^[-+]?0[xob]/.test(written)) return Number.isSafeInteger(read);
  if (/^[-+]?[0-9]+$/.test(written)) return Number.isSafeInteger(read);
  return digits(written) === digits(String(read));
}

/** The significant digits and their power of ten: the same for `1.50e3` and `1500`. */
function digits(text: string): string {
  const [mantissa = "", exponent = "0"] = text.toLowerCase().replace(/^[-+]/, "").split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const all = whole + fraction;
  const significant = all.replace(/^0+/, "");
  if (significant === "") return "0";
  const power = whole.length - (all.length - significant.length) + Number(exponent);
  return `${significant.replace(/0+$/, "")}e${power}`;
}
