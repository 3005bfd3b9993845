import { v5 } from "uuid";
import { expect, test } from "vitest";
import { expectError } from "./support/errors.js";
import {
  ISSUER,
  newKeys,
  sendAs,
  startKeyServer,
  startSecured,
  tokenOf,
} from "./support/secured.js";

const keys = await newKeys("only");
const service = await startSecured((await startKeyServer([keys.jwk])).url);
const UUID = "0192ABCD-0000-7000-8000-00000000000A";
const NIL = "00000000-0000-0000-0000-000000000000";
const made = (sub: string): string => v5(`${ISSUER}#${sub}`, v5.URL);

test.each([
  { sub: UUID, subjectId: UUID.toLowerCase() },
  { sub: NIL, subjectId: made(NIL) },
  { sub: made("auth0|1234").toUpperCase(), subjectId: made(made("auth0|1234").toUpperCase()) },
  { sub: "ünïcode 😀", subjectId: made("ünïcode 😀") },
])("the subject $sub is $subjectId", async ({ sub, subjectId }) => {
  const token = await tokenOf(keys, sub);
  const answer = await sendAs(service, token, ["POST", "/api/v1/drafts"], { text: "a" });
  const subject = { subjectId, userPrincipalName: sub };
  expect(answer.json).toMatchObject({ createdSubject: subject, lastModifiedSubject: subject });
});

test.each(["\ud800", "a\udc00b"])("the subject %j is not text: 401", async (sub) => {
  const token = await tokenOf(keys, sub);
  const answer = await sendAs(service, token, ["POST", "/api/v1/drafts"], { text: "a" });
  expectError(answer, 401, "UnauthorizedMessage");
});

test.each([
  { claims: { upn: "u", preferred_username: "p", email: "e" }, name: "u" },
  { claims: { preferred_username: "p", email: "e" }, name: "p" },
  { claims: { upn: "", preferred_username: 7, email: "e" }, name: "e" },
  { claims: { upn: "a\u0000b", email: "e" }, name: "e" },
])("of $claims the name is $name", async ({ claims, name }) => {
  const token = await tokenOf(keys, "some-sub", [], { claims });
  const answer = await sendAs(service, token, ["POST", "/api/v1/drafts"], {});
  expect(answer.json).toMatchObject({ createdSubject: { userPrincipalName: name } });
});
