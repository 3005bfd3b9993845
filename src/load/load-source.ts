import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { diagnostic } from "../diagnostics/diagnostic.js";
import { shown } from "../diagnostics/quoted.js";
import { success } from "../diagnostics/result.js";
import type { FileSystem } from "../files/file-system.js";
import { sha256 } from "../files/hash.js";
import { locator } from "./locate.js";
import { parseYaml } from "./parse-yaml.js";
import { plainValue } from "./plain-value.js";
import { readText } from "./read-text.js";
import { placeAt, type SchemaText } from "./schema-text.js";
import type { SourceDocument } from "./source-document.js";
import { readSource } from "./source-file.js";

/** Finds the plain value of a text by its SHA-256, if an earlier run parsed it without a mistake. */
export type ParsedCache = (hash: string) => unknown;

/** A project's folder, and how it is read. */
export interface Origin {
  readonly files: FileSystem;
  /** Absolute. */
  readonly root: string;
  readonly cached: ParsedCache;
  /** Texts in place of those on disk, by path. */
  readonly given: ReadonlyMap<string, string>;
}

/** A file that was read; `document` is null if too little of it could be understood to check the rest. */
export interface LoadedSource {
  readonly document: SourceDocument | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads and parses the YAML file at `path`, relative to the project. */
export function loadSource({ files, root, cached, given }: Origin, path: string): LoadedSource {
  const text = given.get(path);
  const bytes = text === undefined ? readSource(files, root, path) : success(Buffer.from(text));
  if (!bytes.ok) return { document: null, diagnostics: bytes.diagnostics };
  const read = readText(path, bytes.value);
  if (!read.ok) return { document: null, diagnostics: read.diagnostics };
  const hash = sha256(read.value.text);
  const known = cached(hash);
  if (known !== undefined) return { document: document(read.value, hash, known), diagnostics: [] };
  return parseSource(read.value, hash);
}

function parseSource(text: SchemaText, hash: string): LoadedSource {
  const parsed = parseYaml(text);
  if (!parsed.ok) return { document: null, diagnostics: parsed.diagnostics };
  const { value, diagnostics, usable } = plainValue(parsed.value, text);
  if (!usable) return { document: null, diagnostics };
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const [start] = parsed.value.range;
    const given = { key: text.path, expected: "a mapping of keys to values", read: shown(value) };
    const wrong = diagnostic("SCH-8", placeAt(text, start, start + 1), given);
    return { document: null, diagnostics: [...diagnostics, wrong] };
  }
  return { document: document(text, hash, value), diagnostics };
}

function document(text: SchemaText, hash: string, value: unknown): SourceDocument {
  return { path: text.path, hash, value, locate: locator(text) };
}
