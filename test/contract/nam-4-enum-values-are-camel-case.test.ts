import { expect, test } from "vitest";
import { at, expectFields } from "./support/errors.js";
import { valuesNamed } from "./support/names.js";
import { expectRefusal, printed } from "./support/refusal.js";
import { startService } from "./support/service.js";

const service = await startService();

test("camelCase values are accepted", async () => {
  expect(await printed("colour: { enum: [red, navyBlue, type2] }")).toBe("");
});

test.each([
  {
    given: "colour: { enum: [red, NavyBlue] }",
    at: "4:25",
    marked: "NavyBlue",
    suggestion: "navyBlue",
  },
  {
    given: "status: { enum: [open, in_progress] }",
    at: "4:26",
    marked: "in_progress",
    suggestion: "inProgress",
  },
  {
    given: "status: { enum: [open, on-hold] }",
    at: "4:26",
    marked: "on-hold",
    suggestion: "onHold",
  },
  {
    given: "colours: { type: array, items: { enum: [Red, blue] } }",
    at: "4:43",
    marked: "Red",
    suggestion: "red",
  },
  {
    given: "paint: { type: object, properties: { colour: { enum: [navy_blue] } } }",
    at: "4:57",
    marked: "navy_blue",
    suggestion: "navyBlue",
  },
])("$marked is refused, and $suggestion suggested", async (refused) => {
  const place = `resources/v1/tickets.yaml:${refused.at}`;
  const { marked, suggestion } = refused;
  await expectRefusal(refused.given, { place, code: "NAM-4", marked, suggestion });
});

test("every enum of the OpenAPI document has camelCase values, and sorts with a minus", async () => {
  const enums = valuesNamed(await service.read("/api/v1/openapi.json"), "enum");
  const values = enums
    .flat()
    .filter((value) => value !== null)
    .map(String);
  expect(values).toEqual(expect.arrayContaining(["draft", "navyBlue"]));
  // Sort parameters list dotted paths; error types are the contract's own, and end in Message.
  const odd = values.filter((value) => !/^-?[a-z][a-zA-Z0-9]*(\.[a-z][a-zA-Z0-9]*)*$/.test(value));
  expect(odd.filter((value) => !value.endsWith("Message"))).toEqual([]);
});

test("a value is answered as it is written in the schema, at the top and two objects deep", async () => {
  const body = {
    serial: "one",
    colour: "navyBlue",
    addresses: ["a@example.com"],
    box: { width: 1 },
  };
  const badge = await service.create("/api/v1/badges", body);
  expect(badge["colour"]).toBe("navyBlue");
  const crate = await service.create("/api/v1/crates", {
    title: "t",
    spot: { shelf: { colour: "navyBlue" } },
  });
  expect(at(crate, "spot.shelf.colour")).toBe("navyBlue");
});

test.each(["NavyBlue", "navyblue", "NAVY_BLUE", "navy blue", " navyBlue", "green", 1, true])(
  "no other spelling is accepted: %j",
  async (colour) => {
    const answer = await service.send("POST", "/api/v1/crates", {
      body: { title: "t", spot: { shelf: { colour } } },
    });
    const messages = expectFields(answer, "spot.shelf.colour");
    expect(messages["spot.shelf.colour"]).toMatch(/red, navyBlue|string/);
  },
);

test("text that is no enum is free to look as it likes", async () => {
  const crate = await service.create("/api/v1/crates", { title: "Navy_Blue" });
  expect(crate["title"]).toBe("Navy_Blue");
});
