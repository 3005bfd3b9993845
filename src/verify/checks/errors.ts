import type { ResourceModel } from "../../model/resource-model.js";
import { fullBody, placesOf } from "../bodies.js";
import { type Check } from "../check.js";
import { errorsOf, headerOf, type Exchange } from "../exchange.js";
import { isList, isObject, withValue, type Json } from "../../samples/json.js";
import type { Trial } from "../trial.js";
import { everyRefusal, refusalsOf, type Refusal } from "./refusals.js";

/** ERR-1 to ERR-3: the form of errors, their types, and what they must not reveal. */
export const ERRORS: readonly Check[] = [
  { rule: "ERR-1", run: async (trial) => eachRefusal(trial, hasForm) },
  { rule: "ERR-2", run: async (trial) => eachRefusal(trial, hasType) },
  { rule: "ERR-3", run: discretion },
];

type Look = (trial: Trial, exchange: Exchange, refusal: Refusal) => void;

async function eachRefusal(trial: Trial, look: Look): Promise<void> {
  const tryAll = async (refusals: readonly Refusal[]): Promise<void> => {
    for (const refusal of refusals) {
      await trial.attempt(async () => look(trial, await refusal.ask(), refusal));
    }
  };
  await tryAll(everyRefusal(trial));
  await trial.each({ needs: [] }, async (resource) => tryAll(refusalsOf(trial, resource)));
}

/** ERR-1: `{ errors: [{ type, message, description? }] }`, as JSON. */
function hasForm(trial: Trial, exchange: Exchange): void {
  const { answer } = exchange;
  trial.expect(exchange, answer.status >= 400, "a refusal");
  const type = headerOf(answer, "content-type");
  trial.value(exchange, type, "application/json; charset=utf-8", "content-type");
  const names = isObject(answer.json) ? Object.keys(answer.json) : [];
  trial.value(exchange, names, ["errors"], "names in the body");
  const errors = errorsOf(answer);
  const isWhole = errors.length > 0 && errors.every(isElement);
  trial.expect(exchange, isWhole, "errors: [{ type, message, description? }]", answer.text);
}

const NAMES = ["type", "message", "description", "fields"];

function isElement(element: Readonly<Record<string, Json | undefined>>): boolean {
  const { type, message, description = "" } = element;
  return (
    /^[A-Za-z]+Message$/.test(String(type)) &&
    typeof message === "string" &&
    message.trim() !== "" &&
    typeof description === "string" &&
    Object.keys(element).every((name) => NAMES.includes(name))
  );
}

/** ERR-2: each refusal has its own status and type. */
function hasType(trial: Trial, exchange: Exchange, { status, type }: Refusal): void {
  trial.refusal(exchange, status, type);
}

/** Signs of internal details. */
const INSIDE =
  /SQLITE|SELECT |INSERT |node_modules|node:internal|\.(?:ts|js):\d+|\bat \S+ \(|\/src\//;

/** ERR-3: a failure reveals no internal details; every answer has its own request id. */
async function discretion(trial: Trial): Promise<void> {
  const seen = new Set<string>();
  const look = (exchange: Exchange): void => {
    const id = headerOf(exchange.answer, "x-request-id");
    trial.expect(exchange, id !== "" && !seen.has(id), "an X-Request-Id of its own", id);
    seen.add(id);
    const { text, status } = exchange.answer;
    trial.expect(exchange, !INSIDE.test(text), "no internal details");
    if (status !== 501) return;
    const description = String(errorsOf(exchange.answer)[0]?.["description"]);
    trial.expect(exchange, description.includes(id), `the request id ${id} in the description`);
  };
  for (const { ask } of everyRefusal(trial)) await trial.attempt(async () => look(await ask()));
  await trial.each({ needs: [] }, async (resource) => {
    const refusals = refusalsOf(trial, resource);
    for (const { ask } of refusals) await trial.attempt(async () => look(await ask()));
    if (trial.session.obstacle(resource, ["create"]) === null) await hostile(trial, resource, look);
  });
}

/** Strings and numbers that databases and serializers stumble over: refused or accepted, but never a failure. */
async function hostile(
  trial: Trial,
  resource: ResourceModel,
  look: (exchange: Exchange) => void,
): Promise<void> {
  const values: readonly Json[] = [
    ...["\0", "a\0b", "\ud800", "'; DROP TABLE x; --", "%s%n", "\u{1f600}", "../../etc/passwd"],
    ...[1e308, -0, 2 ** 63, [[[[]]]], { toString: "x" }],
  ];
  for (const { path, property } of placesOf(resource.properties)) {
    for (const value of values) {
      const isMany = property.type.kind === "array" && !isList(value);
      const body = withValue(
        fullBody(resource, trial.session.nextSeed()),
        path,
        isMany ? [value] : value,
      );
      const sent = await trial.post(resource, { body });
      trial.expect(sent, sent.answer.status < 500, "no failure of the service");
      look(sent);
    }
  }
}
