import { expect, test } from "vitest";
import { generate } from "../../src/commands/generate.js";
import type { MigrationTask } from "../../src/commands/migration-task.js";
import { codesOf, MemoryProject, told } from "../support/memory-project.js";

// Each diagnostic about what becomes of stored values says what to do. That is done here, to the letter.

const SQUASH: MigrationTask = { kind: "squash", isReleased: () => true };
const DROP: MigrationTask = { kind: "drop" };

/** The lines of a schema of orders, or what is run besides `generate`. */
type Action = readonly string[] | MigrationTask | "generate" | "delete migrations";

interface Case {
  readonly code: string;
  /** Schemas that are generated one after the other; the last one is refused. */
  readonly schemas: readonly (readonly string[])[];
  /** A part of what is said. */
  readonly said: string;
  /** What is done then, each the advice or one of several. */
  readonly followed: readonly Action[];
}

const FAX = "  fax: string";
const NOTE = "  note: string";
const OPEN = "  openAt: string";
const ASKED = "  note: { type: string, required: true }";
const REMOVED = "removed: { fax: why }";

const CASES: readonly Case[] = [
  {
    code: "SCH-140",
    schemas: [
      [FAX, NOTE],
      ["  fax: { type: string, renamedFrom: note }", "  note: { type: string, renamedFrom: fax }"],
    ],
    said: "Take its `renamedFrom` away, give the second the free name",
    followed: [
      ["  third: { type: string, renamedFrom: fax }", NOTE],
      ["  third: string", "  fax: { type: string, renamedFrom: note }"],
      [FAX, "  note: { type: string, renamedFrom: third }"],
    ],
  },
  {
    code: "SCH-143",
    schemas: [[FAX], [FAX, "  cable: { type: string, renamedFrom: telex }"]],
    said: "Correct the name",
    followed: [["  cable: { type: string, renamedFrom: fax }"]],
  },
  {
    code: "SCH-143",
    schemas: [[FAX], [FAX, "  cable: { type: string, renamedFrom: telex }"]],
    said: "or take `renamedFrom` away",
    followed: [[FAX, "  cable: { type: string }"]],
  },
  {
    code: "SCH-143",
    schemas: [[FAX], ["  cable: { type: string, renamedFrom: telex }"]],
    said: 'write the name that this knows, fax: "renamedFrom: fax"',
    followed: [["  cable: { type: string, renamedFrom: fax }"]],
  },
  {
    code: "SCH-144",
    schemas: [[FAX], ["  cable: string"]],
    said: '"cable: { ..., renamedFrom: fax }"',
    followed: [["  cable: { type: string, renamedFrom: fax }"]],
  },
  {
    code: "SCH-144",
    schemas: [[FAX], [NOTE]],
    said: '"removed: { fax: <why> }"',
    followed: [[NOTE, REMOVED]],
  },
  {
    code: "SCH-145",
    schemas: [[FAX], [FAX, ASKED]],
    said: "Give it a `default`",
    followed: [[FAX, "  note: { type: string, required: true, default: none }"]],
  },
  {
    code: "SCH-145",
    schemas: [[FAX], [FAX, ASKED]],
    said: "take `required` away",
    followed: [[FAX, "  note: { type: string }"]],
  },
  {
    code: "SCH-145",
    schemas: [[FAX], [FAX, ASKED]],
    said: 'delete `migrations` and run "generator migration squash --unreleased"',
    followed: ["delete migrations", SQUASH],
  },
  ...[
    { before: FAX, after: "fax: integer", other: "faxNumber: integer" },
    {
      before: "  fax: { reference: customers }",
      after: "fax: { reference: employees }",
      other: "clerk: { reference: employees }",
    },
    {
      before: "  fax: { type: array, items: { reference: customers } }",
      after: "fax: { type: array, items: { reference: employees } }",
      other: "clerks: { type: array, items: { reference: employees } }",
    },
  ].flatMap(({ before, after, other }) => {
    const renamed = other.includes("{")
      ? other.replace(/ \}$/, ", renamedFrom: fax }")
      : other.replace("integer", "{ type: integer, renamedFrom: fax }");
    const kept = { code: "SCH-146", schemas: [[before], [`  ${after}`]] };
    const anew = { code: "SCH-146", schemas: [[before], [`  ${renamed}`]] };
    const back = {
      code: "SCH-146",
      schemas: [
        [before, NOTE],
        [NOTE, REMOVED],
        [`  ${after}`, NOTE],
      ],
    };
    const last = `  ${other}`;
    return [
      { ...kept, said: 'Leave "fax" as it was', followed: [[before, last]] },
      { ...kept, said: 'write "removed: { fax: <why> }" at', followed: [[last, REMOVED]] },
      {
        ...kept,
        said: "delete `migrations` and",
        followed: ["delete migrations", SQUASH] as const,
      },
      { ...anew, said: 'then leave "fax" as it was', followed: [[before, last]] },
      { ...anew, said: 'write "removed: { fax: <why> }" at', followed: [[last, REMOVED]] },
      { ...back, said: 'write "removed: { fax: <why> }" at', followed: [[last, NOTE, REMOVED]] },
    ];
  }),
  {
    code: "SCH-268",
    schemas: [[FAX, NOTE], [NOTE, REMOVED], ["  fax: { type: string, renamedFrom: note }"]],
    said: "Choose another name",
    followed: [["  remark: { type: string, renamedFrom: note }", REMOVED]],
  },
  {
    code: "SCH-268",
    schemas: [[FAX, NOTE], [NOTE, REMOVED], ["  fax: { type: string, renamedFrom: note }"]],
    said: 'undo the rename, run "generator drop-columns", and rename then',
    followed: [[NOTE, REMOVED], DROP, ["  fax: { type: string, renamedFrom: note }"]],
  },
  {
    code: "SCH-290",
    schemas: [
      [OPEN, FAX],
      [FAX, "removed: { openAt: why }"],
      [FAX, "  openat: string"],
    ],
    said: "Choose another name",
    followed: [[FAX, "  opening: string", "removed: { openAt: why }"]],
  },
  {
    code: "SCH-290",
    schemas: [
      [OPEN, FAX],
      [FAX, "removed: { openAt: why }"],
      [FAX, "  openat: string"],
    ],
    said: 'take "openat" away, run "generator generate" and "generator drop-columns", and add it then',
    followed: [[FAX], "generate", DROP, [FAX, "  openat: string"]],
  },
];

/** Properties come before what is said of the resource itself. */
function write(project: MemoryProject, lines: readonly string[]): void {
  const text = ["resource: orders", "entity: order", "properties:", ...lines, ""].join("\n");
  project.write("resources/v1/orders.yaml", text);
}

/** The same lines, of an object inside. */
function inside(lines: readonly string[]): readonly string[] {
  const own = lines.filter((line) => line.startsWith("removed"));
  const held = lines.filter((line) => !line.startsWith("removed")).map((line) => `    ${line}`);
  const object = ["  address:", "    type: object", "    properties:", ...held];
  return [...object, ...own.map((line) => line.replace(/\{ (\w+):/, '{ "address.$1":'))];
}

const asIs = (lines: readonly string[]): readonly string[] => lines;
const PLACES = [
  { where: "a column", placed: asIs },
  { where: "a member", placed: inside },
];

test.each(
  PLACES.flatMap((place) =>
    // Members are told by their names alone, and their case counts.
    CASES.filter(({ code }) => place.where === "a column" || code !== "SCH-290").map((one) => ({
      ...place,
      ...one,
    })),
  ),
)("$code of $where: $said", async ({ code, schemas, said, followed, where, placed }) => {
  const project = new MemoryProject({
    "service.yaml": "service: shop\ninflections: { fax: fax }\n",
    "resources/v1/customers.yaml":
      "resource: customers\nentity: customer\nproperties: { name: string }\n",
    "resources/v1/employees.yaml":
      "resource: employees\nentity: employee\nproperties: { name: string }\n",
  });
  const run = async (task?: MigrationTask) =>
    generate(project.env, { dryRun: false, force: false, ...(task && { task }) });
  for (const [index, lines] of schemas.entries()) {
    write(project, placed(lines));
    const result = await run();
    if (index < schemas.length - 1) expect(told(result)).toBe("");
    else {
      expect(codesOf(result)).toContain(code);
      const wanted = where === "a column" ? said : said.replace("{ fax: <", "{ address.fax: <");
      expect(told(result).replace(/\s+/g, " ")).toContain(
        where === "a column" ? wanted : wanted.replace(/eave "fax"/, 'eave "address.fax"'),
      );
    }
  }
  for (const action of followed) {
    if (action === "delete migrations") {
      project.files.rename("/project/migrations", "/deleted");
      continue;
    }
    if (Array.isArray(action)) write(project, placed(action as readonly string[]));
    const result = await run(typeof action === "object" && "kind" in action ? action : undefined);
    expect(told(result)).toBe("");
  }
});

const REQUIRED = "  fax: { type: string, required: true }";

test("what comes back required gets its default in the migration that is made again", async () => {
  const project = new MemoryProject({ "service.yaml": "service: shop\n" });
  for (const lines of [
    [REQUIRED, NOTE],
    [NOTE, REMOVED],
    [REQUIRED, NOTE],
  ]) {
    write(project, lines);
    expect(told(await project.generate())).toBe("");
  }
  write(project, ["  fax: { type: string, required: true, default: none }", NOTE]);
  const isReleased = (name: string): boolean => !name.startsWith("0003");
  const options = { dryRun: false, force: false };
  await generate(project.env, { ...options, task: { kind: "squash", isReleased } });
  const made = Object.entries(project.tree()).filter(([path]) => path.includes("migrations/0003"));
  expect(made.map(([path]) => path)).toHaveLength(3);
  for (const [path, text] of made.filter(([name]) => name.endsWith(".sql"))) {
    expect(text, path).toMatch(/coalesce\("fax", 'none'\)|SET "fax" = 'none'\nWHERE "fax" IS NULL/);
  }
});

/** A project with two migrations. */
async function withTwo(): Promise<MemoryProject> {
  const project = new MemoryProject({ "service.yaml": "service: shop\n" });
  for (const lines of [[FAX], [FAX, NOTE]]) {
    write(project, lines);
    expect(told(await project.generate())).toBe("");
  }
  return project;
}

const FIRST = "migrations/0001-initial";
const SECOND = "migrations/0002-add-orders-note";

function take(project: MemoryProject, folder: string): Readonly<Record<string, string>> {
  const files = ["migration.json", "postgres.sql", "sqlite.sql"].map((file) => `${folder}/${file}`);
  const texts = Object.fromEntries(files.map((file) => [file, project.read(file)]));
  for (const file of files) project.remove(file);
  project.files.removeEmptyDirectory(`/project/${folder}`);
  return texts;
}

test("SCH-141: restore the other one, or delete the folder of this one and run generate", async () => {
  const project = await withTwo();
  const texts = take(project, FIRST);
  expect(told(await project.generate())).toContain("SCH-141");
  for (const [path, text] of Object.entries(texts)) project.write(path, text);
  expect(told(await project.generate())).toBe("");
  take(project, FIRST);
  take(project, SECOND);
  expect(told(await project.generate())).toBe("");
  expect(project.has(`${FIRST}/migration.json`)).toBe(true);
});

test("SCH-147: restore the folder, or delete it and run generate", async () => {
  const project = await withTwo();
  const text = project.read(`${SECOND}/sqlite.sql`);
  project.remove(`${SECOND}/sqlite.sql`);
  expect(told(await project.generate())).toContain("SCH-147");
  project.write(`${SECOND}/sqlite.sql`, text);
  expect(told(await project.generate())).toBe("");
  take(project, SECOND);
  expect(told(await project.generate())).toBe("");
  expect(project.read(`${SECOND}/sqlite.sql`)).toBe(text);
});

test("SCH-148: restore it, and make another one", async () => {
  const project = await withTwo();
  const text = project.read(`${SECOND}/sqlite.sql`);
  project.write(`${SECOND}/sqlite.sql`, `${text}-- more\n`);
  expect(told(await project.generate())).toContain("SCH-148");
  project.write(`${SECOND}/sqlite.sql`, text);
  const task = { kind: "new", words: "fill notes" } as const;
  const result = await generate(project.env, { dryRun: false, force: false, task });
  expect(told(result)).toBe("");
  expect(project.has("migrations/0003-fill-notes/sqlite.sql")).toBe(true);
});
