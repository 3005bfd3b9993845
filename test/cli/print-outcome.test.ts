import { createColors } from "picocolors";
import { expect, test } from "vitest";
import type { Change } from "../../src/apply/change.js";
import { printOutcome } from "../../src/cli/print-outcome.js";

function printed(changes: readonly Change[], upgradedContracts: readonly string[] = []): string {
  let text = "";
  const take = (part: string): void => void (text += part);
  const terminal = { colors: createColors(false), out: take, err: take, progress: () => undefined };
  const none = { leftAlone: [], plainSchema: null, migration: null, gonePaths: [] };
  const nothing = { ...none, upgradedContracts };
  printOutcome({ changes, applied: true, ...nothing }, terminal);
  return text;
}

const UNCHANGED: Change = { kind: "unchanged", path: "src/main.ts", owner: "user" };
const OWN: Change = {
  kind: "created",
  path: "src/custom/books.ts",
  owner: "user",
  text: "",
  after: "",
};
const MANY = Array.from({ length: 30 }, (_, index): Change => {
  return {
    kind: "created",
    path: `src/generated/f${index}.ts`,
    owner: "generator",
    text: "",
    after: "",
  };
});

test("of many new files those that are the user's are named", () => {
  expect(printed([UNCHANGED, OWN, ...MANY])).toBe(
    "created  src/custom/books.ts  (yours from now on)\nDone: 31 files created, 1 unchanged.\n",
  );
});

test("of a new project no file is named, and none is counted as unchanged", () => {
  expect(printed([OWN, ...MANY])).toBe("Done: 31 files created.\n");
});

test("a contract that records more than before says what edits are reported from now on", () => {
  expect(printed([UNCHANGED], ["contract/v1.json"])).toBe(
    "Nothing to do: 1 file up to date.\ncontract/v1.json now records the name of the service, the source of its events and the tokens that it accepts: generator changes reports edits of them.\n",
  );
});
