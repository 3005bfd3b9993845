import { resolve } from "node:path";
import { expect, test } from "vitest";
import { validate } from "../../../src/commands/validate.js";
import { MemoryProject } from "../../support/memory-project.js";
import { readTree } from "../../support/read-tree.js";
import type { Texts } from "../../support/render-files.js";
import { cases } from "../../support/thorough.js";

const SHOP: Texts = Object.fromEntries(
  Object.entries(readTree(resolve("templates/examples/shop"))).filter(([path]) =>
    /^(?:service|resources\/.*)\.yaml$/.test(path),
  ),
);

/** A key of a mapping, in a block or in braces. */
const KEY = /(?<=^[ -]*|[{,] *)[\w$-]+(?=:(?: |$))/gm;

interface Damage {
  readonly name: string;
  readonly text: string;
}

/** One of so many damages is tried; all of them take 30 s. */
const ONE_OF = cases({ usual: 3, long: 1 });

/** The file without each of its lines, and with each key misspelt, or without what follows it in the line. */
function damagesOf([path, text]: readonly [string, string]): readonly Damage[] {
  const lines = text.split("\n");
  const isSaid = (line: string): boolean => line.trim() !== "" && !line.trim().startsWith("#");
  return lines.flatMap((line, index) => {
    if (!isSaid(line)) return [];
    const place = `${path}:${index + 1}`;
    const withLine = (name: string, ...instead: readonly string[]): Damage => ({
      name: `${place} ${name}`,
      text: lines.toSpliced(index, 1, ...instead).join("\n"),
    });
    const keys = [...line.matchAll(KEY)].flatMap(({ 0: key, index: at }) => {
      const end = at + key.length;
      const misspelt = key.length > 2 ? `${key.slice(0, 2)}${key.slice(3)}` : `${key}x`;
      return [
        withLine(`${key} as ${misspelt}`, line.slice(0, at) + misspelt + line.slice(end)),
        withLine(`${key} without its value`, line.slice(0, end + 1)),
      ];
    });
    return [withLine("left out"), ...keys];
  });
}

test("a damaged line of the shop is reported or means something else, and never ends validate", async () => {
  const project = new MemoryProject(SHOP);
  const thrown: string[] = [];
  const tried = { refused: 0, valid: 0 };
  for (const [path, text] of Object.entries(SHOP)) {
    const damages = damagesOf([path, text]).filter((_, index) => index % ONE_OF === 0);
    for (const damage of damages) {
      project.write(path, damage.text);
      try {
        const { ok, diagnostics } = await validate(project.env);
        tried[ok ? "valid" : "refused"] += 1;
        const isReported = diagnostics.some(({ severity }) => severity === "error");
        expect(isReported, damage.name).toBe(!ok);
      } catch (error) {
        thrown.push(`${damage.name}: ${String(error)}`);
      }
    }
    project.write(path, text);
  }
  expect(thrown).toEqual([]);
  expect(tried.refused).toBeGreaterThan(750 / ONE_OF);
  expect(tried.valid).toBeGreaterThan(200 / ONE_OF);
});

test("a resource without a name is reported as such, whatever others embed of theirs", async () => {
  const path = "resources/v1/users.yaml";
  const project = new MemoryProject(SHOP);
  project.edit(path, "resource: users", "resurce: users");
  const { ok, diagnostics } = await validate(project.env);
  expect(ok).toBe(false);
  const found = diagnostics.filter(({ span }) => span.file === path).map(({ code }) => code);
  expect(found).toContain("SCH-9");
});
