import { readFileSync } from "node:fs";
import type { Texts } from "./render-files.js";

const PAGE = readFileSync("docs/modelling.md", "utf8");

/** The number of blocks of YAML in the cookbook. */
export const BLOCKS_OF_YAML = [...PAGE.matchAll(/```yaml/g)].length;

/** The schemas of the cookbook, by the path in the first line of each. */
export const SCHEMAS = blocks("yaml", "#");

/** The custom code of the cookbook, by the path in the first line of each file. */
export const CODE = blocks("ts", "//");

function blocks(language: string, comment: string): Texts {
  const block = new RegExp(`\`\`\`${language}\\n${comment} (\\S+)\\n([\\s\\S]*?)\`\`\``, "g");
  return Object.fromEntries(
    [...PAGE.matchAll(block)].map(([, path = "", text = ""]) => [path, text]),
  );
}
