import { expect, test } from "vitest";
import { proseFindings } from "../prose/lint.js";

test("a sentence has at most 30 words, wherever its lines break", async () => {
  const words = (count: number): string => Array.from({ length: count }, () => "word").join(" ");
  const long = `It ends.\n\n${words(20)}\n${words(11)}.\n`;
  expect(await findings("a.md", long)).toEqual(["a.md:3 Exceeds the maximum word count of 30."]);
  expect(await findings("a.md", `${words(20)}\n${words(10)}.\n${words(30)}.\n`)).toEqual([]);
});

test.each([
  {
    what: "a literal, joined by +",
    path: "a.ts",
    source: '\nlog("It asks the" +\n  " kernel for rows");\n',
  },
  {
    what: "a template literal with a placeholder",
    path: "a.ts",
    source: "\nconst a = `It asks the kernel for ${rows}.`;\n",
  },
  {
    what: "a comment of a template",
    path: "a.ts.hbs",
    source: "{{> header}}\n// It asks\n// the kernel for {{rows}}.\nasks();\n",
  },
  {
    what: "a comment with #",
    path: "a.yaml",
    source: "a: 1\n# It asks the kernel for rows.\n",
  },
  {
    what: "a description",
    path: "a.yaml",
    source: "a: 1\nb: { description: It asks the kernel for rows. }\n",
  },
  {
    what: "Markdown of a template",
    path: "a.md.hbs",
    source: "{{#if a}}\nIt asks\nthe kernel.\n{{/if}}\n",
  },
])("$what is linted, and its line is reported", async ({ path, source }) => {
  expect(await findings(path, source)).toEqual([`${path}:2 kernel => runtime`]);
});

test.each([
  "const kernel = 1; // asks the kernel for rows",
  'run("SELECT kernel FROM it WHERE it is not there");',
  'use("kernel-of-rows");',
  'import { kernel } from "./kernel.js";',
])("code and doc comments of sources are not: %s", async (source) => {
  expect(await findings("a.ts", `${source}\n`)).toEqual([]);
});

function findings(path: string, source: string): Promise<string[]> {
  return proseFindings([{ path, source }]);
}
