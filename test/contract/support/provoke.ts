import fc from "fast-check";
import type { Handler, Handlers, HttpRoute } from "#runtime/http/routes";
import type { ServiceRegistry } from "#runtime/http/settings";
import { parseAnswer, type Answer, type JsonObject } from "./client.js";
import { type OpenApiOracle, type Operation } from "./openapi-oracle.js";
import { object } from "./openapi-parts.js";
import { MISSING, pathOf } from "./samples.js";
import { fitting } from "./schema-bodies.js";
import type { TestService } from "./service.js";

/** What a request to a service needs to be made up. */
export interface Stage {
  readonly service: TestService;
  readonly oracle: OpenApiOracle;
  /** What is created holds what it must: references that may be left out could lead on and on, and in circles. */
  readonly isBare?: boolean;
}

type Provoker = (stage: Stage, operation: Operation) => Promise<Answer>;

/** A request for each status that any operation lists, but for success and conflicts. */
export const REFUSALS: Readonly<Record<string, Provoker>> = {
  // OPS-10; `*` stands for any entity that there is.
  "304": (stage, operation) => succeed(stage, operation, { "if-none-match": "*" }),
  "412": (stage, operation) => succeed(stage, operation, { "if-match": '"another"' }),
  "428": (stage, operation) => succeed(stage, operation, {}),
  // Without Host: a request that no operation can read.
  "400": (stage, operation) => raw(stage, operation, ["Connection: close"]),
  "404": (stage, operation) => send(stage, operation, MISSING),
  "406": (stage, operation) => send(stage, operation, MISSING, { accept: "text/html" }),
  "408": (stage, operation) => raw(stage, operation, ["Host: x"], ""),
  "413": (stage, operation) => {
    const tooLong = ["Content-Type: application/json", "Content-Length: 9999999"];
    return raw(stage, operation, ["Host: x", "Connection: close", ...tooLong]);
  },
  "414": (stage, operation) => {
    const path = `${operation.path}?q=${"x".repeat(9000)}`;
    return raw(stage, { ...operation, path }, ["Host: x", "Connection: close"]);
  },
  "415": (stage, operation) => send(stage, operation, MISSING, { "content-type": "text/plain" }),
  "417": (stage, operation) => {
    return raw(stage, operation, ["Host: x", "Connection: close", "Expect: patience"]);
  },
  "431": (stage, operation) => {
    return raw(stage, operation, ["Host: x", "Connection: close", `X: ${"x".repeat(17_000)}`]);
  },
  "500": (stage, operation) => sendBroken(stage, operation, "500"),
  "503": (stage, operation) => sendBroken(stage, operation, "503"),
  "504": (stage, operation) => sendBroken(stage, operation, "504"),
};

/** A service whose handlers fail where the query asks for it: the transport has to answer for them. */
export function breakable(registry: ServiceRegistry): ServiceRegistry {
  return {
    ...registry,
    open: (runtime, provided) => {
      const opened = registry.open(runtime, provided);
      return { ...opened, routes: opened.routes.map(breakableRoute) };
    },
  };
}

/** How an entity has to be changed before its state allows an operation (STA-3). */
const NEEDED_BEFORE: Readonly<Record<string, JsonObject>> = {
  "DELETE /api/v1/orders/{orderId}": { status: "cancelled" },
  "DELETE /api/v1/lostwagons/{wagonId}": { whereabouts: "lost" },
};

/** What an operation demands that a client has seen of the entity (OPS-10). */
export function matching({ operation }: Operation): Readonly<Record<string, string>> {
  const isRequired = JSON.stringify(operation["parameters"] ?? []).includes("RequiredIfMatch");
  return isRequired ? { "if-match": "*" } : {};
}

/** A request that the operation carries out, unless other headers are given. */
export async function succeed(
  stage: Stage,
  operation: Operation,
  headers: Readonly<Record<string, string>> = matching(operation),
): Promise<Answer> {
  const { service } = stage;
  const { method, path } = operation;
  if (isAction(operation)) return (await created(stage, operation, headers)).answer;
  if (method === "POST") return createdBy(stage, path);
  if (!path.endsWith("}")) return service.send(method, await filled(stage, path));
  const collection = collectionOf(path);
  const entity = (await createdBy(stage, collection)).json;
  const change = NEEDED_BEFORE[`${method} ${path}`];
  if (change !== undefined) {
    await service.send("PATCH", pathOf(collection, entity), { body: change });
  }
  const hasBody = operation.operation["requestBody"] !== undefined;
  const sent = { headers, ...(hasBody && { body: entity }) };
  return service.send(method, pathOf(collection, entity), sent);
}

/** Representations that create nothing: where their objects are made, and what these need to be shown (REP-7). */
const REPRESENTED: Readonly<Record<string, readonly [original: string, change: JsonObject]>> = {
  "/api/v1/bookinglabels": ["/api/v1/bookings", {}],
  "/api/v1/duebookings": [
    "/api/v1/bookings",
    { dueDate: new Date(Date.now() + 3_600_000).toISOString(), tags: [] },
  ],
  "/api/v1/loosepermits": ["/api/v1/permits", {}],
  "/api/v1/shownpermits": ["/api/v1/permits", {}],
  "/api/v1/lostwagons": ["/api/v1/wagons", { status: "moving" }],
};

/** A new entity as it is shown at a path, from a body that the document allows. */
export async function createdBy(stage: Stage, path: string): Promise<Answer> {
  const [original, change] = REPRESENTED[path] ?? [];
  if (original === undefined) return posted(stage, path);
  const { service } = stage;
  const made = (await posted(stage, original)).json;
  await service.send("PATCH", pathOf(original, made), { body: change ?? {} });
  return service.send("GET", pathOf(path, made));
}

async function posted(stage: Stage, path: string): Promise<Answer> {
  const { oracle } = stage;
  const create = oracle.operations.find(
    (each) => each.method === "POST" && each.path === creationPath(oracle, path),
  );
  if (create === undefined) throw new Error(`nothing can be created at ${path}`);
  return (await created(stage, create)).answer;
}

/** A body that an operation has just made an entity of; another one with each call. */
export async function creating(stage: Stage, create: Operation): Promise<JsonObject> {
  return (await created(stage, create)).body;
}

/** What is sent where nothing is asked for. */
const NO_BODY: JsonObject = { type: "object", properties: {}, additionalProperties: false };

interface Created {
  readonly body: JsonObject;
  readonly answer: Answer;
}

/** Whether a POST creates nothing (OPS-11). */
function isAction({ method, operation }: Operation): boolean {
  return method === "POST" && object(operation["responses"])["201"] === undefined;
}

async function created(
  stage: Stage,
  create: Operation,
  headers: Readonly<Record<string, string>> = {},
): Promise<Created> {
  const { path } = create;
  const hasBody = create.operation["requestBody"] !== undefined;
  const isRefused = Object.keys(headers).length > 0;
  let target = await filled(stage, path);
  const schema = stage.oracle.bodySchema(create) ?? NO_BODY;
  // A few break what JSON Schema can not say, such as a decimal's bounds.
  const some = fitting(schema);
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const [sampled = {}] = fc.sample(some, 1);
    const given = stage.isBare === true ? demanded(schema, sampled) : sampled;
    const body = await referring(stage, { path, schema }, given);
    const answer = await stage.service.send("POST", target, { headers, ...(hasBody && { body }) });
    if (answer.status < 300 || isRefused) return { body, answer };
    // What is done to an entity may not be done again.
    if (isAction(create)) target = await filled(stage, path);
  }
  throw new Error(`no body that fits its schema creates anything at ${path}`);
}

function demanded({ required = [] }: JsonObject, body: JsonObject): JsonObject {
  const names = required as readonly string[];
  return Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));
}

/** A child is created under its parent: `/api/v1/convoys/{convoyId}/wagons` (CHD-1). */
function creationPath({ operations }: OpenApiOracle, path: string): string {
  const last = path.slice(path.lastIndexOf("/"));
  const posts = operations.filter(({ method }) => method === "POST").map((each) => each.path);
  return posts.find((each) => each === path) ?? posts.find((each) => each.endsWith(last)) ?? path;
}

/** A path with the identifier of a new parent in it, where it has a place for one. */
export async function filled(stage: Stage, path: string): Promise<string> {
  const [, parents, rest] = /^(.*)\/\{[^}]*\}(\/.*)$/.exec(path) ?? [];
  if (parents === undefined || rest === undefined) return path;
  const parent = (await createdBy({ ...stage, isBare: true }, parents)).json;
  return pathOf(parents, parent) + rest;
}

/** The body with references that lead somewhere: the document says whose identifiers they hold. */
export async function referring(
  stage: Stage,
  { path, schema }: { readonly path: string; readonly schema: JsonObject },
  body: JsonObject,
): Promise<JsonObject> {
  const members = await Promise.all(
    Object.entries(body).map(async ([name, value]) => {
      const own = object(object(schema["properties"])[name] ?? {});
      const items = own["items"] === undefined ? own : object(own["items"]);
      const [id, to] = referenceOf(items) ?? [];
      if (id === undefined || to === undefined || value === null) return [name, value] as const;
      // The parent is named by the path.
      if (path.includes(`{${id}}`)) return null;
      const made = (await createdBy({ ...stage, isBare: true }, `/api/v1/${to}`)).json;
      const reference = { [id]: made[id] ?? null };
      return [name, Array.isArray(value) ? value.map(() => reference) : reference] as const;
    }),
  );
  return Object.fromEntries(members.filter((member) => member !== null));
}

/** The identifier of a reference, and the resource that it is of. */
function referenceOf({ properties = {} }: JsonObject): readonly [string, string] | undefined {
  return Object.entries(object(properties)).flatMap(([name, member]) => {
    const to = object(member)["x-references"];
    return typeof to === "string" ? [[name, to] as const] : [];
  })[0];
}

/** `/api/v1/widgets` of `/api/v1/widgets/{widgetId}`. */
export function collectionOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

async function send(
  { service }: Stage,
  { method, path, operation }: Operation,
  id: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const hasBody = operation["requestBody"] !== undefined;
  const sent = { headers, ...(hasBody && { body: {} }) };
  return service.send(method, path.replace(/\{.*\}/, id), sent);
}

async function sendBroken(stage: Stage, operation: Operation, status: string): Promise<Answer> {
  return send(stage, { ...operation, path: `${operation.path}?broken=${status}` }, MISSING);
}

async function raw(
  { service }: Stage,
  { method, path }: Operation,
  headers: readonly string[],
  end = "\r\n",
): Promise<Answer> {
  const target = path.replace(/\{.*\}/, MISSING);
  const lines = [`${method} ${target} HTTP/1.1`, ...headers].map((line) => `${line}\r\n`);
  return parseAnswer(await service.raw(lines.join("") + end));
}

function breakableRoute(route: HttpRoute): HttpRoute {
  const entries = Object.entries<Handler>(route.handlers).map(([method, handler]) => [
    method,
    breakableHandler(handler),
  ]);
  // Object.fromEntries forgets the names.
  return { ...route, handlers: Object.fromEntries(entries) as Handlers };
}

function breakableHandler(handler: Handler): Handler {
  return async (call) => {
    if (call.search === "broken=504") return new Promise(() => undefined);
    if (call.search === "broken=503") throw Object.assign(new Error("busy"), { statusCode: 503 });
    if (call.search === "broken=500") throw new Error("broken");
    return handler(call);
  };
}

/** The types of the errors in a body. */
export function typesOf({ errors = [] }: JsonObject): readonly string[] {
  // Errors have been held against the document.
  return (errors as readonly { readonly type: string }[]).map(({ type }) => type);
}
