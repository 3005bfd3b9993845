import { isMap, isScalar, isSeq, type ParsedNode } from "yaml";
import type { Place } from "../diagnostics/diagnostic.js";
import { parseYaml } from "./parse-yaml.js";
import { placeAt, placeOfFile, type SchemaText } from "./schema-text.js";
import type { PathStep, SourceDocument } from "./source-document.js";

/** The node of a value, and the node of its key. */
interface Found {
  readonly key: ParsedNode | null;
  readonly value: ParsedNode | null;
}

/** Makes the function from a path to its place. The text is parsed again for it, once, when the first place is needed. */
export function locator(text: SchemaText): SourceDocument["locate"] {
  let root: ParsedNode | null | undefined;
  return (path, part = "value") => {
    if (root === undefined) {
      const parsed = parseYaml(text);
      root = parsed.ok ? parsed.value : null;
    }
    return root === null ? placeOfFile(text.path) : place(text, follow(root, path), part);
  };
}

function follow(root: ParsedNode, path: readonly PathStep[]): Found {
  let found: Found = { key: null, value: root };
  for (const step of path) {
    const next = child(found.value, step);
    if (next === null) return found;
    found = next;
  }
  return found;
}

function child(node: ParsedNode | null, step: PathStep): Found | null {
  if (isSeq(node)) {
    const item = node.items[Number(step)];
    // Parsed lists hold parsed nodes.
    return item === undefined ? null : { key: null, value: item as ParsedNode };
  }
  if (!isMap(node)) return null;
  const pair = node.items.find(({ key }) => isScalar(key) && key.value === step);
  return pair === undefined ? null : { key: pair.key, value: pair.value };
}

/** The place of a missing value, as in `title:`, is that of its key. */
function place(text: SchemaText, { key, value }: Found, part: "key" | "value"): Place {
  const empty = value === null || value.range[0] === value.range[1];
  const node = part === "key" || empty ? (key ?? value) : value;
  return node === null ? placeOfFile(text.path) : placeAt(text, node.range[0], node.range[1]);
}
