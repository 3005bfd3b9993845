import { expect, test } from "vitest";
import { checkProject } from "./check-project.js";

const pets = (version: string, unique: string): readonly [string, string] => [
  `resources/${version}/pets.yaml`,
  `resource: pets\nentity: pet\nproperties:\n  town: { type: string, maxLength: 20 }\n  street: { type: string, maxLength: 20 }\nunique: ${unique}\n`,
];

const WRONG = ["[[town]]", "[[town, street], [town]]", "[town]", "[[town, 5]]", "[null]", "5"];

test.each(
  WRONG.flatMap((wrong) => [
    ["[[town, street]]", wrong] as const,
    [wrong, "[[town, street]]"] as const,
  ]),
)(
  "lists of unique properties in two versions, %s and %s, are a mistake and no fault of the generator",
  async (older, newer) => {
    const { ok, diagnostics } = await checkProject({
      "service.yaml": "service: clinic\nversions: { v1: draft, v2: draft }\n",
      ...Object.fromEntries([pets("v1", older), pets("v2", newer)]),
    });
    expect(ok).toBe(false);
    expect(diagnostics.length).toBeGreaterThan(0);
  },
);
