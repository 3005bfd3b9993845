import { expect, test } from "vitest";
import { InternalError } from "../../../src/diagnostics/internal-error.js";
import { guard } from "../../../src/render/guard.js";

test("a view of texts, booleans and lists of those is passed on as it is", () => {
  const view = { name: "tickets", isListed: false, fields: [{ name: "", codes: ["a", "b"] }] };
  expect(guard(view, "one.ts")).toBe(view);
});

test.each([
  { name: "null", view: { doc: null } },
  { name: "undefined", view: { doc: undefined } },
  { name: "null in a list", view: { fields: [{ name: "title" }, { doc: null }] } },
])("a view that holds $name is a bug of ours", ({ view }) => {
  expect(() => guard(view, "one.ts")).toThrow(new InternalError('one.ts: the view has no "doc"'));
});
