import pluralize from "pluralize";
import { expect, test } from "vitest";
import { expectError, expectFields, resultsOf } from "./support/errors.js";
import { FULL_CRATE } from "./support/full-bodies.js";
import { propertiesOf, valuesNamed } from "./support/names.js";
import { FULL_WIDGET } from "./support/samples.js";
import { startService } from "./support/service.js";

const CRATES = "/api/v1/crates";
const service = await startService();

test("NAM-3: every array that is answered has a plural name, at every depth", async () => {
  await service.create(CRATES, FULL_CRATE);
  await service.create("/api/v1/widgets", FULL_WIDGET);
  const answers = [await service.read(CRATES), await service.read("/api/v1/widgets")];
  const arrays = answers.flatMap((answer) =>
    propertiesOf(answer).filter(({ value }) => Array.isArray(value)),
  );
  const names = arrays.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["results", "labels", "doors", "parts"]));
  expect(names.filter((name) => !pluralize.isPlural(name))).toEqual([]);
});

test("NAM-4: an enum value is compared letter by letter, and every one in the document is camelCase", async () => {
  for (const colour of ["NavyBlue", "navyblue", "NAVY_BLUE", " navyBlue", 1, true]) {
    const body = { title: "t", spot: { shelf: { colour } } };
    expectFields(await service.send("POST", CRATES, { body }), "spot.shelf.colour");
  }
  const enums = valuesNamed(await service.read("/api/v1/openapi.json"), "enum");
  const values = enums.flat().filter((value) => value !== null);
  expect(values).toEqual(expect.arrayContaining(["draft", "navyBlue"]));
  // Sort parameters list dotted paths; error types are the contract's own, and end in Message.
  const camelCase = /^-?[a-z][a-zA-Z0-9]*(\.[a-z][a-zA-Z0-9]*)*$|Message$/;
  expect(values.map(String).filter((value) => !camelCase.test(value))).toEqual([]);
});

test("NAM-5: every alias that is served has a name in lower case, and no other spelling is served", async () => {
  const { paths = {} } = await service.read("/api/v1/openapi.json");
  // A collection has actions there as well, which nobody reads (OPS-11).
  const aliases = Object.entries(paths ?? {})
    .filter(([path, item]) => /^\/[^/]+\/[^/{]+$/.test(path) && "get" in Object(item))
    .map(([path]) => path);
  expect(aliases).toContain("/tickets/recentlyclosed");
  for (const path of aliases) {
    expect(path).toMatch(/^\/[a-z][a-z0-9]*\/[a-z][a-z0-9]*$/);
    expect(resultsOf(await service.read(`/api/v1${path}`))).toEqual([]);
  }
  const answer = await service.send("GET", "/api/v1/tickets/recentlyClosed");
  expectError(answer, 404, "TicketNotFoundMessage");
});
