import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { NEAR_TESTS, nearTests } from "../near/near-tests.js";
import { LEFT, LEFT_ON_POSTGRES, MORE_CASES, ON_SQLITE_ALONE } from "../vitest.config.js";
import { filesBelow } from "./source-tree.js";

const TESTS = readdirSync("test", { recursive: true, encoding: "utf8" }).filter((path) =>
  path.endsWith(".test.ts"),
);
const SOURCES = ["src", "templates", "fixtures", "schemas", "docs"].flatMap(filesBelow);

test("each test that `npm run near` chooses is there, and so is what chooses it", () => {
  const chosen = NEAR_TESTS.flatMap(({ tests }) => tests);
  expect(chosen.filter((name) => !TESTS.some((path) => path.includes(name)))).toEqual([]);
  const patterns = NEAR_TESTS.map(({ changed }) => changed);
  expect(patterns.filter((pattern) => !SOURCES.some((path) => pattern.test(path)))).toEqual([]);
});

test("`npm run near` chooses the tests that were changed, and each other one once", () => {
  const changed = ["test/unit/naming/names.test.ts", "templates/resource/dto.ts.hbs"];
  expect(nearTests(["src/model/a.ts", ...changed])).toEqual([
    "test/unit/naming/names.test.ts",
    "test/golden/golden.test.ts",
    "test/golden/layout.test.ts",
    "test/architecture/",
  ]);
});

test.each([
  { list: "runs on SQLite alone", names: inContract(ON_SQLITE_ALONE) },
  { list: "`npm test` leaves out", names: Object.values(LEFT).flat() },
  { list: "`npm test` leaves out on PostgreSQL", names: inContract(LEFT_ON_POSTGRES) },
])("each test that $list is there", ({ names }) => {
  const isThere = (name: string): boolean => {
    const file = new RegExp(`^${name.replace("*", ".*")}\\.test\\.ts$`);
    return TESTS.some((path) => file.test(path));
  };
  expect(names.filter((name) => !isThere(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

function inContract(lists: Readonly<Record<string, readonly string[]>>): readonly string[] {
  return Object.values(lists).flatMap((names) => names.map((name) => `contract/${name}`));
}

/** Tests that read a clock, by what allows it: none of them says how fast this machine has to be. */
const CLOCKS: Readonly<Record<string, readonly string[]>> = {
  "a time is what is promised: a stop, a time-out, a wait, a limit of a statement": [
    ...["attacks/issuer-keys", "attacks/log-output", "attacks/sqlite-abandoned-lists"],
    ...["attacks/sqlite-lock", "contract/graceful-stop", "contract/hostile"],
    ...["contract/lim-1-requests-are-bounded", "contract/lim-2-overload-is-told"],
    ...["database/server-faults", "database/webhooks", "services/runtime/long-statements"],
    ...["unit/runtime/send-webhook"],
  ],
  "what others wait is held against how long the work takes in the same test": [
    ...["attacks/postgres-readers", "attacks/sqlite-long-statements"],
    ...["contract/own-code-bounds", "database/migrations", "unit/runtime/admission"],
  ],
  "a time is a value: of a token, an identifier, a stored date": [
    ...["clients/killed-service", "contract/aut-1-bearer-tokens"],
    ...["contract/aut-2-conditions-of-code", "contract/idn-3-identifiers-are-ordered-or-random"],
    ...["contract/lim-2-callers-are-counted"],
  ],
  "something goes on until a time has come": [
    ...["contract/ops-10-conditional-requests", "database/two-instances"],
  ],
};

test("each test that reads a clock is listed with what allows it", () => {
  const clock = new RegExp(["performance", "Date"].map((name) => `${name}\\.now\\(`).join("|"));
  const reading = TESTS.filter(
    (path) => !path.startsWith(".") && clock.test(readFileSync(`test/${path}`, "utf8")),
  );
  const listed = Object.values(CLOCKS)
    .flat()
    .map((name) => `${name}.test.ts`);
  expect(reading.sort()).toEqual(listed.sort());
});

test("each test that has more cases for `npm run test:long` is run by it", () => {
  const paths = TESTS.filter((path) => !path.startsWith(".")).map((path) => `test/${path}`);
  const more = paths.filter((path) =>
    /^import .*\/thorough\.js";$/m.test(readFileSync(path, "utf8")),
  );
  expect(more.sort()).toEqual([...MORE_CASES].sort());
});
