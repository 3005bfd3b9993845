import { afterAll, expect, test } from "vitest";
import { compile } from "../../mutants/mutated-services.js";
import { ServiceHost } from "../../support/service-host.js";
import { verifyAt } from "../../mutants/verifying.js";
import { failuresOf } from "../../random/trial-of-service.js";
import { renderValid, type Texts } from "../../support/render-files.js";

const host = new ServiceHost();
afterAll(() => host.stop());

const SERVICE = "service: desk\n";

function files(resources: Readonly<Record<string, string>>): Texts {
  const schemas = Object.entries(resources).map(([plural, text]) => [
    `resources/v1/${plural}.yaml`,
    `resource: ${plural}\n${text}`,
  ]);
  return { "service.yaml": SERVICE, ...Object.fromEntries(schemas) };
}

function desks(properties: string, unique = ""): Texts {
  return files({
    desks: `entity: desk\nproperties:\n${properties.replace(/^/gm, "  ")}\n${unique}`,
  });
}

const cases: { name: string; texts: Texts }[] = [
  {
    name: "two enums",
    texts: desks(
      "room: { enum: [north, south] }\nfloor: { enum: [low, high] }\ntitle: string",
      "unique: [[room, floor]]",
    ),
  },
  {
    name: "two required enums",
    texts: desks(
      "room: { enum: [north, south], required: true }\nfloor: { enum: [low, high], required: true }\ntitle: string",
      "unique: [[room, floor]]",
    ),
  },
  {
    name: "slot",
    texts: desks("slot: { type: integer, minimum: 1, maximum: 5, unique: true }\ntitle: string"),
  },
  {
    name: "weekday",
    texts: desks(
      "day: { enum: [monday, tuesday, wednesday, thursday, friday, saturday, sunday], unique: true, required: true }\ntitle: string",
    ),
  },
  {
    name: "boolean in list",
    texts: desks(
      "isOpen: boolean\nslot: { type: integer, minimum: 1, maximum: 5, required: true }\ntitle: string",
      "unique: [[isOpen, slot]]",
    ),
  },
  {
    name: "boolean unique",
    texts: desks(
      "isOpen: { type: boolean, required: true }\nroom: { enum: [a, b, c], default: a }\ntitle: string",
      "unique: [[isOpen, room]]",
    ),
  },
  {
    name: "read only",
    texts: desks("number: { type: integer, readOnly: true, unique: true }\ntitle: string"),
  },
  {
    name: "referred",
    texts: files({
      desks:
        "entity: desk\nproperties: { room: { enum: [north, south], required: true }, floor: { enum: [low, high], required: true } }\nunique: [[room, floor]]",
      seats:
        "entity: seat\nproperties: { desk: { reference: desks, required: true }, title: string }",
    }),
  },
  {
    name: "referred slot",
    texts: files({
      desks:
        "entity: desk\nproperties: { slot: { type: integer, minimum: 1, maximum: 5, unique: true, required: true } }",
      seats:
        "entity: seat\nproperties: { desk: { reference: desks, required: true }, title: string }",
    }),
  },
  {
    name: "branches",
    texts: files({
      branches:
        "entity: branch\nproperties: { code: { type: string, maxLength: 40, unique: true, required: true } }",
      prices:
        "entity: price\nproperties: { branch: { reference: branches, required: true }, validFrom: { type: string, format: date, required: true } }\nunique: [[branch, validFrom]]",
    }),
  },
  {
    name: "child",
    texts: files({
      branches: "entity: branch\nproperties: { code: { type: string } }",
      prices:
        "entity: price\nparent: branches\nproperties: { branch: { reference: branches }, room: { enum: [a, b], required: true } }\nunique: [[branch, room]]",
    }),
  },
  {
    name: "reference and enum",
    texts: files({
      branches: "entity: branch\nproperties: { code: { type: string } }",
      prices:
        "entity: price\nproperties: { branch: { reference: branches, required: true }, room: { enum: [a, b], required: true } }\nunique: [[branch, room]]",
    }),
  },
];

test.each(cases)(
  "verify has nothing to say about a service that has $name",
  async ({ name, texts }) => {
    const folder = `unique-${name.replaceAll(/\W/g, "-")}`;
    const { model, outputs } = await renderValid(texts);
    const all = outputs.map(({ path, text }) => [path, text ?? ""] as const);
    const url = await host.start(await compile(folder, Object.fromEntries(all)));
    const found = await verifyAt(model, url, { leave: false });
    const failures = failuresOf(found);
    const skipped = found.verdicts.filter((v) => v.outcome === "skipped").length;
    console.log(
      name,
      failures.length,
      "skipped",
      skipped,
      "of",
      found.verdicts.length,
      found.left,
      JSON.stringify(
        found.verdicts
          .filter((v) => v.outcome !== "fail" && /same|no two/.test(v.reason))
          .map((v) => `${v.rule} ${v.outcome} ${v.tried} ${v.reason}`),
      ),
      failures.map((f) => f.slice(0, 300)),
    );
    expect(failures).toEqual([]);
  },
);
