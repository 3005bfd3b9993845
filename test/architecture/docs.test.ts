import { posix } from "node:path";
import { expect, test } from "vitest";
import { program } from "../../src/cli/program.js";
import { filesBelow, textOf } from "./source-tree.js";

const README = textOf("README.md");
/** What it links to first: the commands, and whose files are whose. */
const WORKING = textOf("docs/working.md");
const PAGES = [
  "README.md",
  "SECURITY.md",
  "bench/notes.md",
  ...["docs", "src/runtime/docs"].flatMap(filesBelow).filter((path) => path.endsWith(".md")),
].map((path) => ({ path, text: textOf(path) }));
const nothing = async (): Promise<void> => {};
const ACTIONS = {
  ...{ answer: nothing, listRules: nothing, explainId: nothing, verify: nothing },
  ...{ publish: nothing, nextVersion: nothing, changes: nothing, eject: nothing, upgrade: nothing },
};
const COMMANDS = program("0.1.0", ACTIONS).commands;

test("docs/working.md lists every command as --help does", () => {
  const told = [...WORKING.matchAll(/^\| `generator ([^`]+)` \| (.+) \|$/gm)].map(
    ([, usage, description]) => `${usage}: ${description}`,
  );
  const real = COMMANDS.map((command) => {
    const [, parameter] = command.usage().split("[options] ");
    const usage = parameter === undefined ? "" : ` ${parameter}`;
    return `${command.name()}${usage}: ${command.description()}`;
  });
  expect(told).toEqual(real);
});

test("every flag that docs/working.md names exists", () => {
  const real = new Set(COMMANDS.flatMap(({ options }) => options.map(({ long }) => long)));
  const ours = WORKING.matchAll(/generate (--[a-z-]+)|`(--[a-z-]+)` (?:prints|replaces)/g);
  const named = [...ours].map(([, first, second]) => first ?? second);
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter((flag) => flag === undefined || !real.has(flag))).toEqual([]);
});

test("every script that the README, working.md and CONTRIBUTING name exists", () => {
  const { scripts } = JSON.parse(textOf("package.json")) as { scripts: Record<string, string> };
  const service = textOf("src/artifacts/scaffold.ts");
  const texts = `${README}${WORKING}${textOf("docs/CONTRIBUTING.md")}`;
  const named = [...texts.matchAll(/npm run ([a-z:]+)/g)].map(([, name = ""]) => name);
  // What runs inside a service is a script of the service.
  const isThere = (name: string): boolean =>
    name in scripts || service.includes(`${name}:`) || service.includes(`"${name}":`);
  expect(named.filter((name) => !isThere(name))).toEqual([]);
});

test("every link between the documents leads somewhere", () => {
  const files = ["docs/diagnostics", "LICENSE", ...filesBelow("docs/pictures")];
  const known = new Set([...files, ...PAGES.flatMap(placesOf)]);
  const dead = PAGES.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\((?!https?:)([^)]+)\)/g)]
      .map(([, target = ""]) => placeOf(path, target))
      .filter((place) => !known.has(place))
      .map((place) => `${path} -> ${place}`),
  );
  expect(dead).toEqual([]);
});

test("the index of the decisions lists each of their pages", () => {
  const index = textOf("docs/decisions/README.md");
  const listed = [...index.matchAll(/\]\(([^)]+)\)/g)].map(([, name]) => `docs/decisions/${name}`);
  const pages = filesBelow("docs/decisions").filter((path) => !path.endsWith("README.md"));
  expect(listed.sort()).toEqual(pages);
});

/** The place that a link leads to, relative to the repository: `docs/hooks.md#order`. */
function placeOf(path: string, target: string): string {
  return target.startsWith("#") ? path + target : posix.join(posix.dirname(path), target);
}

/** A page and each of its headings, with the anchors that GitHub gives them. */
function placesOf({ path, text }: (typeof PAGES)[number]): readonly string[] {
  const headings = text.replace(/^```.*?^```$/gms, "").matchAll(/^#+ (.+)$/gm);
  const anchors = [...headings].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-"),
  );
  return [path, ...anchors.map((anchor) => `${path}#${anchor}`)];
}
