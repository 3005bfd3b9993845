import type { PropertyModel } from "../../kinds/property-model.js";
import type { StringType } from "../../kinds/string/string-type.js";
import { fitsText } from "../../kinds/string/text-values.js";
import type { ResourceModel } from "../../model/resource-model.js";
import { fullBody, placesOf } from "../bodies.js";
import { query, type Check } from "../check.js";
import { fieldsOf, headerOf, type Exchange } from "../exchange.js";
import { at, isList, withValue, type Json } from "../../samples/json.js";
import { variable } from "../samples.js";
import type { Trial } from "../trial.js";

/** LIM-1 and LIM-2: requests that are too large or too many. */
export const LIMITS: readonly Check[] = [
  { rule: "LIM-1", run: limits },
  { rule: "LIM-2", run: callers },
];

/** The most requests that are sent to see the last one refused. */
const MOST_REQUESTS = 5000;

/** A body with more bytes is only announced, not sent. */
const MOST_BYTES = 20_000_000;

/** A request that stops is waited for only where that ends as soon. */
const MOST_SECONDS = 3;

/** LIM-1: bodies, URLs, headers, depth, values, lists and strings are bounded, and the bound itself is allowed. */
async function limits(trial: Trial): Promise<void> {
  await trial.each({ needs: ["list"] }, async (resource) => {
    await addresses(trial, resource.path);
    await headers(trial, resource.path);
  });
  await trial.each({ needs: ["create"] }, async (resource) => {
    await announced(trial, resource);
    await bodies(trial, resource);
    await depth(trial, resource);
    await values(trial, resource);
    await texts(trial, resource);
    await lists(trial, resource);
  });
  await stopped(trial);
}

/** A request whose body never ends is answered when its time is over, and not kept. */
async function stopped(trial: Trial): Promise<void> {
  const { model, options } = trial.session;
  const { requestSeconds } = model.limits;
  const resource = trial.session.resources.find(({ operations }) => operations.includes("create"));
  if (resource === undefined) return;
  if (requestSeconds > MOST_SECONDS) {
    trial.obstacles.add(`408 comes after ${requestSeconds} seconds, which are not waited for`);
    return;
  }
  const began = options.now();
  const exchange = await part(trial, resource, { bytes: 20, body: '{"noSuch' });
  trial.refusal(exchange, 408, "TimeoutMessage");
  const seconds = (options.now() - began) / 1000;
  const isWaiting = seconds > requestSeconds / 2;
  trial.expect(exchange, isWaiting, `408 after ${requestSeconds} seconds`, `after ${seconds}`);
}

/** The head of a POST, and what there is of its body. */
async function part(
  trial: Trial,
  resource: ResourceModel,
  { bytes, body }: { readonly bytes: number; readonly body: string },
): Promise<Exchange> {
  const { client } = trial.session.options;
  const { token } = trial.session.callerFor(resource);
  const prefix = client.base.pathname.replace(/\/$/, "");
  const lines = [
    `POST ${prefix}${trial.session.placeOf(resource)} HTTP/1.1`,
    `Host: ${client.base.host}`,
    "Content-Type: application/json",
    `Content-Length: ${bytes}`,
    ...(token === null ? [] : [`Authorization: Bearer ${token}`]),
  ];
  return trial.session.raw(`${lines.join("\r\n")}\r\n\r\n${body}`);
}

async function addresses(trial: Trial, path: string): Promise<void> {
  const { urlBytes } = trial.session.model.limits;
  const prefix = trial.session.options.client.base.pathname.replace(/\/$/, "");
  const target = (bytes: number): string => {
    const start = path + query(["noSuchName", ""]);
    return start + "x".repeat(bytes - start.length - prefix.length);
  };
  trial.fields(await trial.get(target(urlBytes)), "noSuchName");
  trial.refusal(await trial.get(target(urlBytes + 1)), 414, "UriTooLongMessage");
}

async function headers(trial: Trial, path: string): Promise<void> {
  const { headerBytes } = trial.session.model.limits;
  const token = trial.session.options.callers[0]?.token?.length ?? 0;
  const room = headerBytes - token - 300;
  if (room > 0) trial.status(await trial.get(path, { "x-long": "x".repeat(room) }), 200);
  const over = await trial.get(path, { "x-long": "x".repeat(headerBytes) });
  trial.refusal(over, 431, "HeadersTooLargeMessage");
}

/** A body that is too large is refused before it is sent. */
async function announced(trial: Trial, resource: ResourceModel): Promise<void> {
  const { bodyBytes } = trial.session.model.limits;
  const refused = await part(trial, resource, { bytes: bodyBytes + 1, body: "" });
  trial.refusal(refused, 413, "PayloadTooLargeMessage");
}

async function bodies(trial: Trial, resource: ResourceModel): Promise<void> {
  const { bodyBytes } = trial.session.model.limits;
  if (bodyBytes > MOST_BYTES) return;
  const ofBytes = (bytes: number): string => {
    const [start, end] = ['{"noSuchName":"', '"}'];
    return start + "x".repeat(bytes - start.length - end.length) + end;
  };
  const type = { "content-type": "application/json" };
  const post = async (bytes: number, more: Readonly<Record<string, string>> = {}) =>
    trial.post(resource, { text: ofBytes(bytes), headers: { ...type, ...more } });
  isRead(trial, await post(bodyBytes));
  trial.refusal(await post(bodyBytes + 1), 413, "PayloadTooLargeMessage");
}

/** A body within the limit is read, and refused for its content. */
function isRead(trial: Trial, exchange: Exchange): void {
  const isNamed = fieldsOf(exchange.answer).includes("noSuchName");
  trial.expect(exchange, isNamed, "400 ValidationFailedMessage, which names noSuchName");
}

async function depth(trial: Trial, resource: ResourceModel): Promise<void> {
  const { jsonDepth } = trial.session.model.limits;
  const headers = { "content-type": "application/json" };
  const nested = (levels: number): string =>
    `{"noSuchName":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
  const post = async (levels: number): Promise<Exchange> =>
    trial.post(resource, { text: nested(levels), headers });
  isRead(trial, await post(jsonDepth));
  trial.refusal(await post(jsonDepth + 1), 400, "MalformedRequestMessage");
}

async function values(trial: Trial, resource: ResourceModel): Promise<void> {
  const { jsonValues, bodyBytes } = trial.session.model.limits;
  if (jsonValues * 2 + 32 > Math.min(bodyBytes, MOST_BYTES)) return;
  const headers = { "content-type": "application/json" };
  const post = async (count: number): Promise<Exchange> => {
    const zeros = new Array<number>(count - 1).fill(0).join();
    return trial.post(resource, { text: `{"noSuchName":[${zeros}]}`, headers });
  };
  isRead(trial, await post(jsonValues));
  trial.refusal(await post(jsonValues + 1), 400, "MalformedRequestMessage");
}

/** Characters are code points: one that takes two units of UTF-16 counts once. */
async function texts(trial: Trial, resource: ResourceModel): Promise<void> {
  const isFree = ({ type, unique }: PropertyModel): boolean =>
    type.kind === "string" && type.format === null && type.pattern === null && !unique;
  for (const { path, property } of placesOf(resource.properties, isFree)) {
    // The filter above has seen its kind.
    const type = property.type as StringType;
    const text = "\u{1f600}".repeat(type.maxLength);
    if (!fitsText(text, type) || type.maxLength * 4 > trial.session.model.limits.bodyBytes / 2) {
      continue;
    }
    const post = async (value: Json): Promise<Exchange> => {
      const body = withValue(fullBody(resource, trial.session.nextSeed()), path, value);
      return trial.post(resource, { body });
    };
    if (variable(trial, resource, [property]).length > 0)
      isWhole(trial, await post(text), path, text);
    trial.fields(await post(`${text}x`), path);
  }
}

/** Expects that no character is lost. */
function isWhole(trial: Trial, made: Exchange, path: string, text: string): void {
  const { status, json } = made.answer;
  trial.expect(
    made,
    status === 201 && at(json, path) === text,
    `201 and all ${[...text].length} characters of ${path}`,
    `${status} ${headerOf(made.answer, "content-type")}`,
  );
}

async function lists(trial: Trial, resource: ResourceModel): Promise<void> {
  const { arrayItems } = trial.session.model.limits;
  for (const { path, property } of placesOf(resource.properties)) {
    const { type } = property;
    if (type.kind !== "array" || type.maxItems !== arrayItems || type.uniqueItems) continue;
    const full = fullBody(resource, trial.session.nextSeed());
    const items = at(full, path);
    const item = isList(items) ? (items[0] ?? null) : null;
    if (item === null) continue;
    const body = withValue(
      full,
      path,
      Array.from({ length: arrayItems + 1 }, () => item),
    );
    if (JSON.stringify(body).length > trial.session.model.limits.bodyBytes) continue;
    trial.fields(await trial.post(resource, { body }), path);
  }
}

/** LIM-2: a caller that sends more than its share in a minute is refused, and told when to come again. */
async function callers(trial: Trial): Promise<void> {
  const { requestsPerMinute } = trial.session.model.limits;
  const [resource] = trial.session.resources.filter(({ operations }) =>
    operations.includes("list"),
  );
  if (requestsPerMinute === null || requestsPerMinute > MOST_REQUESTS || resource === undefined) {
    const isUnset = requestsPerMinute === null;
    trial.absences.add(
      isUnset ? "limits.requestsPerMinute is not set" : "the limit is too high to be tried",
    );
    return;
  }
  let last: Exchange | null = null;
  // While they are sent, the service allows further ones.
  for (let sent = 0; sent <= 2 * requestsPerMinute; sent += 1) {
    last = await trial.session.sendOnce("GET", resource.path);
    if (last.answer.status === 429) break;
  }
  if (last === null) return;
  trial.refusal(last, 429, "TooManyRequestsMessage");
  const seconds = Number(headerOf(last.answer, "retry-after"));
  const isTold = Number.isInteger(seconds) && seconds >= 1 && seconds <= 60;
  trial.expect(last, isTold, "Retry-After: the seconds to wait, 60 at most");
  // Several times: on a slow machine one more request has become allowed by now.
  for (let sent = 0; sent < 10; sent += 1) {
    const health = await trial.session.sendOnce("GET", "/healthz");
    const isAnswered = health.answer.status !== 429;
    trial.expect(health, isAnswered, "health is answered however often it is asked");
    if (!isAnswered) return;
  }
}
