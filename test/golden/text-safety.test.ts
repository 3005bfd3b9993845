import { expect, test } from "vitest";
import { cases } from "../support/thorough.js";
import { PAYLOADS } from "../support/emitted-names.js";
import { maskedSyntax } from "../support/masked-syntax.js";
import { sqlTokens } from "../support/sql-tokens.js";
import { differences, skeleton } from "./skeleton.js";
import { FORMED, FREE, project } from "./text-places.js";

const MARK = "PWNED_MARK";

test.each([...FREE, ...FORMED])("$place: a harmless text is accepted", async (place) => {
  expect(await skeleton(project(place, place.harmless))).not.toBe("refused");
});

test.each(FREE)("$place: a payload is told or does nothing", async (place) => {
  const twin = await skeleton(project(place, place.harmless));
  const refused: string[] = [];
  for (const { id, text } of PAYLOADS.code_payloads) {
    const found = await skeleton(project(place, text));
    if (found === "refused") refused.push(id);
    else expect(differences(found, twin), id).toEqual([]);
  }
  // What nobody can see is told; all else is a text like any other.
  expect(refused).toEqual(["nel0085", "nul", "bidi"]);
});

/** All payloads take a second for each place. */
const EACH = cases({ usual: 6, long: 1 });
const TRIED = PAYLOADS.code_payloads.filter((_, index) => index % EACH === 0);

test.each(FORMED)("$place: a payload is told or does nothing", async (place) => {
  const twin = await skeleton(project(place, place.harmless));
  for (const { id, text } of TRIED) {
    const found = await skeleton(project(place, text));
    if (found !== "refused") expect(differences(found, twin), id).toEqual([]);
  }
});

const NAMED = FORMED.filter(({ harmless }) =>
  /^(?:desk|v1|tickets?|note|open|recent)$/.test(harmless),
);
const NAMES = [
  ...PAYLOADS.path_names,
  ...PAYLOADS.windows_device_names,
  ...PAYLOADS.prototype_names,
];

test.each(NAMED)(
  "$place: the name of a path, a device or a prototype stays inside",
  async (place) => {
    for (const name of NAMES) {
      const found = await skeleton(project(place, name));
      if (found === "refused") continue;
      expect(name, `${place.place} ${name}`).toMatch(/^[a-z][a-zA-Z0-9-]*$/);
      expect(JSON.stringify(found)).not.toContain("__proto__");
    }
  },
);

test("the judge finds text that has become code", () => {
  const quoted = maskedSyntax("a.ts", 'export const text = "harmless";\n');
  expect(maskedSyntax("a.ts", `export const text = "${MARK}()";\n`)).toBe(quoted);
  expect(maskedSyntax("a.ts", `export const text = "" + ${MARK}() + "";\n`)).not.toBe(quoted);
  expect(maskedSyntax("a.ts", `/* x */ ${MARK}(); export const text = "";\n`)).not.toBe(quoted);
  expect(maskedSyntax("a.ts", '// @ts-nocheck\nexport const text = "";\n')).not.toBe(quoted);
  expect(() => maskedSyntax("a.ts", 'export const text = "harm\nless";\n')).toThrow();
  expect(sqlTokens("SELECT 'a''b' -- c")).toEqual(["SELECT", "text"]);
  expect(() => sqlTokens("SELECT 'a")).toThrow();
});
