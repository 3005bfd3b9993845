import { expect, test } from "vitest";
import { at, resultsOf } from "./support/errors.js";
import { valuesNamed } from "./support/names.js";
import { startService } from "./support/service.js";

const ANONYMOUS = {
  subjectId: "00000000-0000-0000-0000-000000000000",
  userPrincipalName: "anonymous",
};
const service = await startService();
const widget = await service.create("/api/v1/widgets", { name: "drill" });
const path = `/api/v1/widgets/${String(widget["widgetId"])}`;

test("without authentication both subjects are nobody, in every answer that holds the entity", async () => {
  const patched = await service.send("PATCH", path, { body: { size: 1 } });
  const replaced = await service.send("PUT", path, { body: { ...patched.json, size: 2 } });
  const [listed = {}] = resultsOf(await service.read("/api/v1/widgets"));
  for (const entity of [widget, patched.json, replaced.json, listed, await service.read(path)]) {
    expect(entity["createdSubject"]).toEqual(ANONYMOUS);
    expect(entity["lastModifiedSubject"]).toEqual(ANONYMOUS);
  }
});

test.each([
  { subjectId: "11111111-1111-4111-8111-111111111111", userPrincipalName: "name@example.com" },
  { subjectId: 1 },
  null,
  "name@example.com",
])("a client cannot say who it is in a body: %j", async (subject) => {
  const body = { name: "drill", createdSubject: subject, lastModifiedSubject: subject };
  const created = await service.create("/api/v1/widgets", body);
  expect(created["createdSubject"]).toEqual(ANONYMOUS);
  const patched = await service.send("PATCH", path, { body: { ...body, size: 3 } });
  expect(patched.json["lastModifiedSubject"]).toEqual(ANONYMOUS);
});

test("the OpenAPI document describes a subject as exactly these two, never null", async () => {
  const document = await service.read("/api/v1/openapi.json");
  const [schemas] = valuesNamed(document, "schemas");
  for (const name of ["WidgetDto", "BadgeDto", "LogDto"]) {
    const bases = at(schemas ?? null, `${name}.allOf`);
    expect(bases).toEqual([{ $ref: "#/components/schemas/Common.Entity" }]);
  }
  const [entity] = valuesNamed(schemas ?? null, "Common.Entity");
  const reference = { $ref: "#/components/schemas/Common.Subject" };
  expect(entity).toMatchObject({
    properties: { createdSubject: reference, lastModifiedSubject: reference },
  });
  const [subject] = valuesNamed(schemas ?? null, "Common.Subject");
  expect(subject).toMatchObject({
    type: "object",
    required: ["subjectId", "userPrincipalName"],
    properties: {
      subjectId: { type: "string", format: "uuid" },
      userPrincipalName: { type: "string" },
    },
  });
});
