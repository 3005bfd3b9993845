import { examples } from "#compiled/examples";
import type { OutputFile } from "../render/output-file.js";
import { UsageError } from "./usage-error.js";

/** The names that `init --example` takes. */
export function exampleNames(): readonly string[] {
  return [...new Set(Object.keys(examples).map((path) => path.split("/")[0] ?? ""))];
}

/** The files of an example, adapted to a new service called `name`. */
export function exampleFiles(example: string, name: string): readonly OutputFile[] {
  const paths = Object.keys(examples).filter((path) => path.startsWith(`${example}/`));
  if (paths.length === 0) {
    const known = exampleNames().join(", ");
    throw new UsageError(`There is no example ${JSON.stringify(example)}. There is: ${known}.`);
  }
  return paths.map((path) => {
    const inside = path.slice(example.length + 1);
    const text = examples[path] ?? "";
    return {
      path: inside.replace(/^custom\//, "src/custom/"),
      owner: "user",
      text: inside === "service.yaml" ? named(text, example, name) : text,
    };
  });
}

/** Replaces the name of the example, and drops its title, which fits only the example itself. */
function named(text: string, example: string, name: string): string {
  if (name === example) return text;
  const title = name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " ");
  return text
    .replace(/^service: .*$/m, `service: ${name}`)
    .replace(/^title: .*$/m, `title: ${title}`);
}
