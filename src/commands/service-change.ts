import { join } from "node:path";
import type { Change } from "../apply/change.js";
import { textHash } from "../apply/text-hash.js";
import type { Environment } from "./environment.js";

const PATH = "service.yaml";

/** What becomes of service.yaml, which is the user's, on a command that was asked to edit it; null: nothing. */
export function serviceChange(
  { files, root }: Pick<Environment, "files" | "root">,
  text: string,
): Change | null {
  const present = files.readText(join(root, PATH));
  if (present === text) return null;
  const [before, after] = [textHash(present), textHash(text)];
  return { kind: "updated", path: PATH, owner: "user", text, after, before, savedAs: null };
}
