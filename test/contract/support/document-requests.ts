import { randomUUID } from "node:crypto";
import fc from "fast-check";
import type { Json, JsonObject } from "./client.js";
import type { OpenApiOracle, Operation } from "./openapi-oracle.js";
import { list, object, text } from "./openapi-parts.js";
import { bodies, fitting } from "./schema-bodies.js";

/** A request that a document allows, but perhaps for its body. */
export interface DocumentRequest {
  readonly operation: Operation;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject | undefined;
}

/** A parameter of the query with a value of its schema. */
type Given = readonly [parameter: JsonObject, value: Json];

/** Identifiers that answers have shown, by name: `ticketId`. */
export class SeenIdentifiers {
  private readonly seen = new Map<string, string[]>();

  /** Notes all that is in an answer. */
  note(value: Json): void {
    for (const [name, id] of identifiersIn(value)) {
      this.seen.set(name, [...(this.seen.get(name) ?? []), id]);
    }
  }

  /** One of those that have been seen, mostly a late one; one that leads nowhere where there is none. */
  one(name: string, turn: number): string {
    const ids = this.seen.get(name) ?? [];
    return ids[ids.length - 1 - (turn % Math.min(ids.length, 5))] ?? randomUUID();
  }

  has(name: string): boolean {
    return this.seen.has(name);
  }
}

/** Requests of one operation: each parameter of its query is left out, or has a value that its schema allows. */
export function requestsOf(oracle: OpenApiOracle, operation: Operation): fc.Arbitrary<RequestPlan> {
  const schema = oracle.bodySchema(operation);
  const parameters = list(operation.operation["parameters"] ?? []).map((one) =>
    oracle.resolve(object(one)),
  );
  const query = parameters.filter((one) => one["in"] === "query");
  return fc.record({
    operation: fc.constant(operation),
    query: fc
      .subarray(query, { maxLength: Math.min(3, query.length) })
      .chain((some) => fc.tuple(...some.map((one) => given(oracle, one)))),
    body: schema === null ? fc.constant(undefined) : fc.oneof(fitting(schema), bodies(schema)),
    turn: fc.nat(),
  });
}

/** A request before it is known what there is. */
export interface RequestPlan {
  readonly operation: Operation;
  readonly query: readonly Given[];
  readonly body: JsonObject | undefined;
  readonly turn: number;
}

/** The request with identifiers that lead somewhere. */
export function requestOf(
  { operation, query, body, turn }: RequestPlan,
  seen: SeenIdentifiers,
): DocumentRequest {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => seen.one(name, turn));
  const search = new URLSearchParams(query.flatMap(written)).toString();
  const isRequired = JSON.stringify(operation.operation["parameters"] ?? []).includes("RequiredIf");
  return {
    operation,
    path: search === "" ? path : `${path}?${search}`,
    headers: isRequired ? { "if-match": "*" } : {},
    // What a path names has the same turn.
    body: body === undefined ? undefined : object(leading(body, seen, turn)),
  };
}

function given(oracle: OpenApiOracle, parameter: JsonObject): fc.Arbitrary<Given> {
  const schema = oracle.whole(object(parameter["schema"]));
  return fitting({ type: "object", properties: { value: schema }, required: ["value"] }).map(
    ({ value = null }) => [parameter, value] as const,
  );
}

/** `sort=a,b` is one value, `name=a&name=b` are two. */
function written([{ name, explode }, value]: Given): [string, string][] {
  if (!Array.isArray(value)) return [[text(name), String(value)]];
  const values = (value as readonly Json[]).map(String);
  return (explode === false ? [values.join(",")] : values).map((one) => [text(name), one]);
}

/** A copy whose identifiers are those of what there is. */
function leading(value: Json, seen: SeenIdentifiers, turn: number): Json {
  if (typeof value !== "object" || value === null) return value;
  // Array.isArray does not narrow readonly lists.
  if (Array.isArray(value))
    return (value as readonly Json[]).map((one) => leading(one, seen, turn));
  const members = Object.entries(value as JsonObject).map(([name, member]) => {
    const leads = typeof member === "string" && seen.has(name);
    return [name, leads ? seen.one(name, turn) : leading(member, seen, turn)] as const;
  });
  return Object.fromEntries(members);
}

function identifiersIn(value: Json): readonly (readonly [string, string])[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]: [string, Json]) =>
    typeof member === "string" && /Id$/.test(name) ? [[name, member]] : identifiersIn(member),
  );
}
