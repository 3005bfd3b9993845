import assert from "node:assert/strict";

import type { Answer, JsonBody } from "./client.js";
import type { ResourceFacts } from "./resource-facts.js";

const COMMON_FIELDS = ["createdDate", "createdSubject", "lastModifiedDate", "lastModifiedSubject"];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** Expects a whole entity: IDN-1, ENT-1, ENT-2. */
export function assertEntity({ body }: Answer, { idProperty }: ResourceFacts): void {
  assert.match(String(body[idProperty]), UUID);
  for (const name of COMMON_FIELDS) assert.ok(name in body, `${name} is missing`);
  assert.match(String(body["createdDate"]), TIMESTAMP);
  assert.match(String(body["lastModifiedDate"]), TIMESTAMP);
  for (const name of ["createdSubject", "lastModifiedSubject"]) {
    const subject = body[name] as JsonBody;
    assert.match(String(subject["subjectId"]), UUID);
    assert.equal(typeof subject["userPrincipalName"], "string");
  }
}

/** Expects a status; what was answered instead is the message of the test. */
export function assertStatus({ status, text }: Answer, expected: number): void {
  assert.equal(status, expected, `${status} instead of ${expected}: ${text}`);
}

/** Expects an error of the contract's form: ERR-1, ERR-2. */
export function assertError(answer: Answer, status: number, type: string): void {
  assertStatus(answer, status);
  assert.equal(answer.headers.get("content-type"), "application/json; charset=utf-8");
  const [error] = answer.body["errors"] as JsonBody[];
  assert.equal(error?.["type"], type);
  assert.equal(typeof error["message"], "string");
}

/** Expects a validation error that names the property, or something inside it: ERR-4. */
export function assertInvalid(answer: Answer, field: string): void {
  assertError(answer, 400, "ValidationFailedMessage");
  const [error] = answer.body["errors"] as JsonBody[];
  const fields = (error?.["fields"] as JsonBody[]).map((issue) => String(issue["field"]));
  const isNamed = fields.some(
    (name) => name === field || name.startsWith(`${field}.`) || name.startsWith(`${field}[`),
  );
  assert.ok(isNamed, `${field} is not among ${fields.join(", ")}`);
}
