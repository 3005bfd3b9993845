import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createColors } from "picocolors";
import { keywordPlaces } from "../../src/cli/keywords.js";
import { explainId } from "../../src/cli/look-up.js";
import { TOPICS } from "../../src/cli/topics.js";
import type { Terminal } from "../../src/cli/terminal.js";
import { RULES, ruleCountText } from "../../src/rules/rules.js";
import { generator } from "./command-line.js";

/** What is printed without colours. */
function printed(print: (terminal: Terminal) => void): string {
  let text = "";
  const take = (part: string): void => void (text += part);
  print({ colors: createColors(false), out: take, err: take, progress: () => undefined });
  return text;
}

test("a rule is explained with what it asks, why, examples, and what enforces it", async () => {
  const run = await generator(["explain", "QRY-2"]);
  expect(run).toMatchObject({ exitCode: 0, err: "" });
  expect(run.out.replace(/test\/contract\S+,\s+/, ""))
    .toBe(`QRY-2: A nested field is addressed with a dot

deliveryAddress.state: the path of the property in the body.

Why. The parameter has the name of what it filters.

Wrong:
    GET /api/v1/orders?deliveryAddressState=VT

Right:
    GET /api/v1/orders?deliveryAddress.state=VT

Enforced by:
- Generated code: @rulebound/runtime/query/filters.ts
- OpenAPI document: paths > /<resources> > get > parameters > <property>.<field>
- Test in the generator's repository: test/mutants/mutants.test.ts
- On a running service: generator verify <url> --rule QRY-2
`);
});

test("a diagnostic is explained by its page, without marks", async () => {
  const run = await generator(["explain", "SCH-12"]);
  expect(run).toMatchObject({ exitCode: 0, err: "" });
  expect(run.out).toMatch(/^SCH-12: reserved name\n\nEvery JavaScript object already has/);
  expect(run.out).toContain(
    "    constructor: string\nOutput:\n    resources/v1/tickets.yaml:4:3  error",
  );
  expect(run.out).toContain("\nRight:\n    resource: tickets\n");
  expect(run.out).not.toMatch(/[`*]/);
});

test("a diagnostic is explained with the checks that report it, and with what else they do", async () => {
  const { out } = await generator(["explain", "SCH-30"]);
  expect(out).toMatch(
    /\nReported by the check of:\n- indexes and unique lists, with SCH-211, [^]*\n- values of an enum, with NAM-4, SCH-6\n$/,
  );
});

test("a rule that is a diagnostic too has both pages, and small letters do", async () => {
  const { out } = await generator(["explain", "nam-4"]);
  expect(out).toMatch(/^NAM-4: An enum value is a camelCase string\n/);
  expect(out).toContain("\nThe diagnostic NAM-4: an enum value is camelCase\n");
});

test.each([
  {
    id: "NAM-44",
    want: 'There is no rule, diagnostic or keyword "NAM-44". Did you mean "NAM-4"?',
  },
  {
    id: "SHC-12",
    want: 'There is no rule, diagnostic or keyword "SHC-12". Did you mean "SCH-12"?',
  },
  {
    id: "uniqItems",
    want: 'There is no rule, diagnostic or keyword "uniqItems". Did you mean "uniqueItems"?',
  },
  {
    id: "AUTH_KEYS",
    want: "Environment variables are described in .env.example of the service.",
  },
  {
    id: "toString",
    want: 'Rules are listed by "generator rules", keywords in docs/schemas.md of the package.',
  },
])("$id is wrong usage: $want", async ({ id, want }) => {
  for (const flags of [[], ["--json"]]) {
    const run = await generator(["explain", id, ...flags]);
    expect(run).toMatchObject({ exitCode: 2, out: "" });
    expect(run.err).toContain(want);
  }
});

test.each([
  { topic: "hooks", title: "Hooks", want: ["authorize(", "lock(id)"] },
  { topic: "app", title: "src/app.ts", want: ["defineApp", "- what it is: by name, what must be"] },
])("$topic is explained by a whole page", async ({ topic, title, want }) => {
  const { out } = await generator(["explain", topic]);
  expect(out.startsWith(`${title}\n`)).toBe(true);
  for (const text of want) expect(out).toContain(text);
});

test.each([
  {
    topic: "checks",
    title: "checks, of src/app.ts",
    want: ["checks\n- what it is: by name, what must be there before /readyz is 200"],
    other: ["makes what hooks and routes find", "onStart"],
  },
  {
    topic: "complete",
    title: "complete, of Hooks",
    want: [
      "complete(entities, context)\n- called: before an answer, for all its entities at once",
      "list({ where, sort, pageNumber, pageSize, complete })",
      "A property that the service computes is readOnly: true.",
      "\n5. What another service keeps\n",
      "A call that hangs is given up by the service after 5 seconds",
    ],
    other: ["authorize(", "lock(id)", "afterCommit(", "6 to 8"],
  },
  {
    topic: "computed",
    title: "Properties that the service computes",
    want: ["- stored, like total: beforeCreate, and beforeUpdate if it can change"],
    other: ["When a rule is asked", "authorize("],
  },
  {
    topic: "samples",
    title: "Samples",
    want: [
      "    couriers: { suspended: false, maxWeight: 30 }\n",
      "\nSamples of the contract tests\n",
      "    // test/samples.ts\n",
      'export const roles = ["tenant-acme"];',
    ],
    other: ["What it cannot know", "testContext"],
  },
  {
    topic: "services",
    title: "services, of Hooks",
    want: ["context.services.<resource> is what requests can do", "lock(id)\n", "read(id)\n"],
    other: ["beforeCommit(change"],
  },
  { topic: "lock", title: "lock, of Hooks", want: ["lock(id)\n"], other: ["read(id)"] },
  {
    topic: "custom",
    title: "custom, of Hooks",
    want: ["scope(caller) is what access"],
    other: ["computes"],
  },
])("$topic is explained by what is said of it alone", async ({ topic, title, want, other }) => {
  const { out } = await generator(["explain", topic]);
  expect(out.startsWith(`${title}\n`)).toBe(true);
  for (const text of want) expect(out).toContain(text);
  for (const text of other) expect(out).not.toContain(text);
});

test("every topic of own code has something to say, and where there is more", async () => {
  for (const topic of TOPICS) {
    const text = printed((terminal) => explainId(topic, false, terminal));
    expect(text.split("\n").length, topic).toBeGreaterThan(5);
    const isWhole = ["hooks", "app", "verify", "migrations"].includes(topic);
    if (!isWhole) expect(text, topic).toMatch(/\nMore: .+\n$/);
  }
});

test("an id without its dash is the same one", async () => {
  const { out } = await generator(["explain", "sch12"]);
  expect(out).toMatch(/^SCH-12: reserved name\n/);
});

test("a keyword is explained with its place, and an example in YAML", async () => {
  const { out } = await generator(["explain", "operations"]);
  expect(out).toBe(`operations, in resources/v1/*.yaml

The operations that the resource offers; all of them by default (OPS-9).

    operations: [list, read]
`);
});

/** The keywords of a schema, at any depth. */
function keywordsOf(schema: unknown): readonly string[] {
  return Object.entries(Object(schema)).flatMap(([key, value]) => {
    if (key === "examples" || typeof value !== "object") return [];
    if (key === "definitions") return Object.values(Object(value)).flatMap(keywordsOf);
    if (key !== "properties") return keywordsOf(value);
    return Object.entries(Object(value)).flatMap(([name, own]) => [name, ...keywordsOf(own)]);
  });
}

test.each(["service", "resource"])("every keyword of %s.schema.json is explained", (name) => {
  const schema: unknown = JSON.parse(readFileSync(`schemas/${name}.schema.json`, "utf8"));
  const explained = new Set(keywordPlaces().map(({ keyword }) => keyword));
  const keywords = keywordsOf(schema);
  expect(keywords.length).toBeGreaterThan(30);
  expect(keywords.filter((keyword) => !explained.has(keyword))).toEqual([]);
});

test("a keyword that holds others is explained with each of them, and what holds where it is left out", async () => {
  const { out } = await generator(["explain", "limits"]);
  expect(out).toContain(
    "bodyBytes: The maximum size of a request body in bytes. By default 1048576.",
  );
  for (const name of ["requestsPerMinute", "concurrentRequests", "sendingBytes", "jsonDepth"]) {
    expect(out).toContain(`- ${name}: `);
  }
  const one = await generator(["explain", "requestSeconds"]);
  expect(one.out).toContain("By default 30.");
});

test("a keyword with several places is explained in each, deeper ones too", () => {
  const places = (keyword: string) =>
    printed((terminal) => explainId(keyword, false, terminal))
      .split("\n")
      .filter((line) => line.startsWith(`${keyword}, in `));
  expect(places("paging")).toEqual(["paging, in resources/v1/*.yaml", "paging, in service.yaml"]);
  expect(places("initial")).toEqual(["initial, in resources/v1/*.yaml: states"]);
  expect(places("where")).toEqual([
    "where, in resources/v1/*.yaml: aliases > <name>",
    "where, in resources/v1/*.yaml",
  ]);
  expect(places("embed")).toEqual(["embed, in resources/v1/*.yaml: properties > <name>"]);
});

test("explain --json has the places of a keyword", async () => {
  const { out } = await generator(["explain", "bodyBytes", "--json"]);
  const place = { keyword: "bodyBytes", place: "service.yaml: limits", example: 1_048_576 };
  expect(JSON.parse(out)).toMatchObject({ keyword: "bodyBytes", places: [place] });
});

test("explain --json has the rule and the diagnostic's page", async () => {
  const page = readFileSync("docs/diagnostics/NAM-4.md", "utf8");
  const rule = RULES.find(({ id }) => id === "NAM-4");
  const both = JSON.parse((await generator(["explain", "NAM-4", "--json"])).out) as unknown;
  const checks = [{ name: "values of an enum", codes: ["NAM-4", "SCH-6", "SCH-30"] }];
  expect(both).toEqual({ rule, diagnostic: { code: "NAM-4", page, checks } });
  const one = JSON.parse((await generator(["explain", "QRY-2", "--json"])).out) as unknown;
  expect(one).toMatchObject({ rule: { id: "QRY-2" }, diagnostic: null });
});

test("rules lists each with what keeps it, and counts them", async () => {
  const { out, exitCode } = await generator(["rules"]);
  expect(exitCode).toBe(0);
  const lines = out.split("\n");
  expect(lines.slice(0, RULES.length).map((line) => line.split(" ")[0])).toEqual(
    RULES.map(({ id }) => id),
  );
  expect(lines).toContain(
    "NAM-3   supported          schema test                      An array has a plural name",
  );
  expect(out).toMatch(/^EVT-1 +supported +.* Changes become events/m);
  expect(out).toContain(ruleCountText());
});

test("rules --json prints the same values", async () => {
  const { rules } = JSON.parse((await generator(["rules", "--json"])).out) as { rules: unknown };
  expect(rules).toEqual(JSON.parse(JSON.stringify(RULES)));
});

test("every rule and every diagnostic can be explained, in lines that fit", () => {
  const codes = readdirSync("docs/diagnostics").map((name) => name.replace(".md", ""));
  for (const id of new Set([...RULES.map((rule) => rule.id), ...codes])) {
    const text = printed((terminal) => explainId(id, false, terminal));
    expect(text, id).toMatch(new RegExp(`^${id}: .+\n\n`));
    const long = text.split("\n").filter((line) => line.length > 96 && !/^ {4}/.test(line));
    expect(long, id).toEqual([]);
  }
});

test("the hooks are explained in the order in which they are called", async () => {
  const { out } = await generator(["explain", "hooks"]);
  const places = ["authorize(", "validate(", "beforeCreate(", "beforeCommit(", "afterCommit("].map(
    (hook) => out.indexOf(hook),
  );
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(places[0]).toBeGreaterThan(0);
});

test.each(["lock", "hooks", "services"])(
  "%s is explained, each row of a table on lines of its own",
  async (topic) => {
    const { exitCode, out } = await generator(["explain", topic]);
    expect(exitCode).toBe(0);
    expect(out).toContain(
      "\nlock(id)\n- what it does: waits until no other transaction of this process has the entity",
    );
    expect(out).not.toMatch(/^\||---/m);
  },
);

test("a keyword that names others is explained with what each of them says", async () => {
  const { out } = await generator(["explain", "actions"]);
  expect(out).toContain("- input: The properties of the request body");
  expect(out).toContain("- leadsTo: The state that the entity is in afterwards");
});
