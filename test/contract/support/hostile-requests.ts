import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { JsonObject } from "./client.js";
import { FULL_WIDGET, MISSING } from "./samples.js";

/** One case of `fixtures/hostile/requests.json`, which says what its fields are in ../hostile/README.md. */
export interface HostileCase {
  readonly id: string;
  readonly category: string;
  readonly what: string;
  readonly status: readonly number[];
  readonly request: HostileRequest;
}

/** What is sent; a body that is no text is sent as JSON. */
export interface HostileRequest {
  readonly raw?: string;
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly bodyIsText?: boolean;
  readonly bodyGenerate?: string;
}

/** A case without its placeholders. */
export interface PreparedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** What the placeholders stand for. */
export interface Places {
  readonly id: string;
  readonly deleted: string;
}

const file = new URL("../../../fixtures/hostile/requests.json", import.meta.url);

/** Every case of the kinds of request that services take so far. */
// The file is a copy of the corpus, whose fields the interface names.
export const HOSTILE_CASES = JSON.parse(readFileSync(file, "utf8")) as readonly HostileCase[];

/** The bytes of a case that no HTTP client would send. */
export function rawBytes(raw: string): Buffer {
  const counted = raw.replaceAll(/<(\d+)\*([^>]*)>/g, (_, times: string, text: string) =>
    text.length === 1 ? text.repeat(Number(times)) : headers(Number(times), text),
  );
  return Buffer.from(counted.replaceAll("\\0", "\0"), "latin1");
}

/** `header` stands for headers of different names; anything else is one header again and again. */
function headers(times: number, text: string): string {
  const lines = Array.from({ length: times }, (_, index) =>
    text === "header" ? `X-${index}: a` : text,
  );
  return lines.join("\r\n");
}

/** The request of a case, for a service that has these entities. */
export function prepare({ request }: HostileCase, places: Places): PreparedRequest {
  const { method = "GET", path = "/", headers: sent = {} } = request;
  const body = bodyOf(request, places);
  return {
    method,
    // What a browser would encode; everything else goes as it is.
    path: fill(path, places).replaceAll(" ", "%20"),
    headers: sent,
    ...(body !== undefined && { body }),
  };
}

function bodyOf(request: HostileRequest, places: Places): string | Uint8Array | undefined {
  const { body, bodyIsText = false, bodyGenerate } = request;
  if (bodyGenerate !== undefined) return gzipSync(Buffer.alloc(10_000_000));
  if (body === undefined) return undefined;
  if (typeof body === "string") return textBody(body, places);
  if (bodyIsText) throw new Error(`a text that is none: ${JSON.stringify(body)}`);
  return fill(JSON.stringify(Array.isArray(body) ? body : withAll(body)), places);
}

/** `<all>` stands for every property of a widget that can be updated. */
function withAll(body: unknown): JsonObject {
  // Bodies that are no text and no list are objects.
  const { "<all>": all, ...rest } = body as JsonObject;
  return all === undefined ? rest : { ...FULL_WIDGET, ...rest };
}

function textBody(text: string, places: Places): string | Uint8Array {
  const [, hex] = /^<bytes ([0-9a-f]+)>$/.exec(text) ?? [];
  if (hex !== undefined) return Buffer.from(hex, "hex");
  const [, wide] = /^<utf16 (.*)>$/.exec(text) ?? [];
  if (wide !== undefined) return Buffer.from(wide, "utf16le");
  const [, keys] = /^<(\d+) keys>$/.exec(text) ?? [];
  if (keys !== undefined) return manyKeys(Number(keys));
  return fill(text, places).replace(/<(\d+)\*0>/, (_, times: string) =>
    JSON.stringify(Array.from({ length: Number(times) }, () => 0)),
  );
}

function manyKeys(count: number): string {
  const names = Array.from({ length: count }, (_, index) => `"k${index}":1`);
  return `{${names.join(",")}}`;
}

function fill(text: string, { id, deleted }: Places): string {
  return text
    .replaceAll("{id}", id)
    .replaceAll("{missing}", MISSING)
    .replaceAll("{deleted}", deleted)
    .replaceAll(/<(\d+)\*([^>0][^>]*)>/gu, (_, times: string, part: string) => {
      const joint = part.endsWith("=1") ? "&" : "";
      return Array.from({ length: Number(times) }, () => part).join(joint);
    });
}
