import { join } from "node:path";
import type { Change } from "../apply/change.js";
import { textHash } from "../apply/text-hash.js";
import type { Environment } from "./environment.js";

/** A file that is new, and the user's from then on. */
export function createdFile(path: string, text: string): Change {
  return { kind: "created", path, owner: "user", text, after: textHash(text) };
}

/** What becomes of a file of the user that gets another text: nothing where it has that text already. */
export function updatedFile({ files, root }: Environment, path: string, text: string): Change[] {
  const [before, after] = [textHash(files.readText(join(root, path))), textHash(text)];
  if (before === after) return [];
  return [{ kind: "updated", path, owner: "user", text, after, before, savedAs: null }];
}
