import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { ContractChange } from "../../src/contract/change.js";
import { changesBetween, versionOf } from "../support/change-fixtures.js";

// VER-3: the same edit at each place where its keyword can be, and the verdict of each, as docs/changes.md has it.

const BEGIN = "<!-- verdicts by place -->\n";
const PAGE = readFileSync("docs/changes.md", "utf8");

/** Edits of one property, in words, with what its YAML was and is; null: it is not there. */
const EDITS: readonly (readonly [what: string, before: string | null, after: string | null])[] = [
  ["added", null, "string"],
  ["added, required", null, "{ type: string, required: true, default: a }"],
  ["removed", "string", null],
  ["becomes required", "string", "{ type: string, required: true }"],
  ["may be null", "{ type: string, required: true }", "string"],
  ["another type", "string", "integer"],
  ["`maxLength` lowered", "{ type: string, maxLength: 9 }", "{ type: string, maxLength: 8 }"],
  ["`maxLength` raised", "{ type: string, maxLength: 9 }", "{ type: string, maxLength: 10 }"],
  ["`minimum` raised", "{ type: integer, minimum: 1 }", "{ type: integer, minimum: 2 }"],
  ["`pattern` added", "string", "{ type: string, pattern: '^[a-z]+$' }"],
  ["`format` added", "string", "{ type: string, format: email }"],
  ["`format` removed", "{ type: string, format: email }", "string"],
  ["enum value added", "{ enum: [red, blue] }", "{ enum: [red, blue, green] }"],
  ["enum value removed", "{ enum: [red, blue] }", "{ enum: [red] }"],
  ["`scale` lowered", "{ type: decimal, scale: 3 }", "{ type: decimal, scale: 2 }"],
  ["`default` changed", "{ type: integer, default: 1 }", "{ type: integer, default: 2 }"],
  ["another target", "{ reference: users }", "{ reference: teams }"],
  [
    "`maxItems` lowered",
    "{ type: array, items: string, maxItems: 9 }",
    "{ type: array, items: string, maxItems: 8 }",
  ],
];

const OTHERS = {
  "service.yaml": "service: desk\n",
  "resources/v1/users.yaml": "resource: users\nentity: user\nproperties: { name: string }\n",
  "resources/v1/teams.yaml": "resource: teams\nentity: team\nproperties: { name: string }\n",
};

type Texts = Readonly<Record<string, string>>;

const tickets = (properties: string, rest = ""): string =>
  `resource: tickets\nentity: ticket\nproperties:\n  title: string\n${properties}${rest}`;
const member = (yaml: string | null): string => (yaml === null ? "" : `, data: ${yaml}`);
/** A list has a name in the plural, since another one is a mistake of its own. */
const named = (text: string, yaml: string | null): string =>
  yaml?.startsWith("{ type: array") === true ? text.replaceAll(/\bdata\b/g, "notes") : text;

/** Where a property can be; the changes of one resource are looked at. */
const PLACES: Readonly<
  Record<string, { readonly of: string; readonly files: (yaml: string | null) => Texts }>
> = {
  "top level": {
    of: "tickets",
    files: (yaml) => ({
      "resources/v1/tickets.yaml": tickets(yaml === null ? "" : `  data: ${yaml}\n`),
    }),
  },
  object: {
    of: "tickets",
    files: (yaml) => ({
      "resources/v1/tickets.yaml": tickets(
        `  place: { type: object, properties: { kind: string${member(yaml)} } }\n`,
      ),
    }),
  },
  "list items": {
    of: "tickets",
    files: (yaml) => ({
      "resources/v1/tickets.yaml": tickets(
        `  lines: { type: array, items: { type: object, properties: { kind: string${member(yaml)} } } }\n`,
      ),
    }),
  },
  "action input": {
    of: "tickets",
    files: (yaml) => ({
      "resources/v1/tickets.yaml": tickets(
        "",
        `actions: { close: { input: { kind: string${member(yaml)} } } }\n`,
      ),
    }),
  },
  "action answer": {
    of: "tickets",
    files: (yaml) => ({
      "resources/v1/tickets.yaml": tickets(
        "",
        `actions: { close: { answers: { kind: string${member(yaml)} } } }\n`,
      ),
    }),
  },
  representation: {
    of: "opentickets",
    files: (yaml) => ({
      "resources/v1/tickets.yaml": tickets(yaml === null ? "" : `  data: ${yaml}\n`),
      "resources/v1/opentickets.yaml": `resource: opentickets\nrepresents: tickets\nproperties: { title: title${yaml === null ? "" : ", data: data"} }\n`,
    }),
  },
  embedded: {
    of: "orders",
    files: (yaml) => ({
      "resources/v1/tickets.yaml": tickets(yaml === null ? "" : `  data: ${yaml}\n`),
      "resources/v1/orders.yaml": `resource: orders\nentity: order\nproperties: { ticket: { reference: tickets, embed: [title${yaml === null ? "" : ", data"}] } }\n`,
    }),
  },
};

/** `breaks readers and writers`, `compatible`, or what the schema may not say. */
async function verdictOf(
  place: string,
  before: string | null,
  after: string | null,
): Promise<string> {
  const { of = "", files = () => ({}) } = PLACES[place] ?? {};
  const project = (yaml: string | null): Record<string, string> =>
    Object.fromEntries(
      Object.entries({ ...OTHERS, ...files(yaml) }).map(([path, text]) => [
        path,
        named(text, yaml),
      ]),
    );
  let changes: readonly ContractChange[];
  try {
    const [was, is] = [await versionOf(project(before)), await versionOf(project(after))];
    changes = changesBetween(was, is).filter(({ resource }) => resource === of);
  } catch {
    return "-";
  }
  const broken = [...new Set(changes.flatMap(({ breaks }) => breaks))].sort();
  if (broken.length > 0) return `**${broken.join(", ")}**`;
  const classes = [...new Set(changes.map((change) => change.class))];
  return classes.length === 0 ? "no change" : classes.join(", ");
}

test("the same edit has the verdict of docs/changes.md at each place", async () => {
  const places = Object.keys(PLACES);
  const rows: string[] = [];
  for (const [what, before, after] of EDITS) {
    const verdicts: string[] = [];
    for (const place of places) verdicts.push(await verdictOf(place, before, after));
    rows.push(`| ${what} | ${verdicts.join(" | ")} |`);
  }
  const table = [
    `| edit | ${places.join(" | ")} |`,
    `|---|${places.map(() => "---|").join("")}`,
    ...rows,
  ].join("\n");
  const [, found = ""] = PAGE.split(BEGIN);
  expect(found.slice(0, found.indexOf("\n\n"))).toBe(table);
});
