import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../support/thorough.js";
import { MemoryFiles } from "../../../src/files/memory-files.js";
import type { OutputFile } from "../../../src/render/output-file.js";
import { generated, generateFiles, planFor, ROOT, userFile } from "./project.js";

const PATHS = [
  "src/generated/a.ts",
  "src/generated/b/b.ts",
  "test/generated/c.ts",
  "src/custom/d.ts",
  "openapi/e.json",
];

const path = fc.constantFrom(...PATHS);
const text = fc.constantFrom("", "one\n", "two\n", "three\n");

/** A set of outputs, as a schema yields; a path always has the same owner. */
const outputs: fc.Arbitrary<OutputFile[]> = fc
  .uniqueArray(fc.tuple(path, text), { selector: ([name]) => name })
  .map((files) =>
    files.map(([name, content]) =>
      name.includes("custom") ? userFile(name, content) : generated(name, content),
    ),
  );

/** What a person does to a file: writes a text of their own, or deletes it. */
const edits = fc.array(
  fc.tuple(path, fc.option(fc.integer({ min: 1, max: 5 }).map((number) => `// mine ${number}\n`))),
  { maxLength: 4 },
);

const steps = fc.array(fc.record({ outputs, edits, force: fc.boolean() }), {
  minLength: 1,
  maxLength: 4,
});

/** The texts that people wrote and that stand anywhere in the project, each as often as it does. */
function handWritten(files: MemoryFiles): string[] {
  return Object.values(files.snapshot())
    .filter((content) => content.startsWith("// mine"))
    .sort();
}

test("no run ever loses a text that a person wrote, whatever they edit and however the schema changes", () => {
  fc.assert(
    fc.property(steps, (runs) => {
      const files = new MemoryFiles({ [`${ROOT}/service.yaml`]: "" });
      for (const run of runs) {
        for (const [name, content] of run.edits) edit(files, name, content);
        const before = handWritten(files);
        const snapshot = files.snapshot();
        if (planFor(files, run.outputs, run).ok) {
          generateFiles(files, run.outputs, run);
          const again = planFor(files, run.outputs);
          const kinds = again.ok ? again.value.changes.map(({ kind }) => kind) : ["conflict"];
          expect(new Set(kinds)).toEqual(new Set(["unchanged"]));
        } else {
          expect(files.snapshot()).toEqual(snapshot);
        }
        expect(handWritten(files)).toEqual(before);
      }
    }),
    { numRuns: cases({ usual: 700, long: 2000 }) },
  );
});

function edit(files: MemoryFiles, name: string, content: string | null): void {
  const absolute = `${ROOT}/${name}`;
  if (content === null) return files.remove(absolute);
  files.makeDirectory(absolute.slice(0, absolute.lastIndexOf("/")));
  files.writeFile(absolute, content);
}
