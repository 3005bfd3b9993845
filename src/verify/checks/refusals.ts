import type { ResourceModel } from "../../model/resource-model.js";
import { servedVersions } from "../../model/version-status.js";
import { MISSING } from "../check.js";
import type { Exchange, Sent } from "../exchange.js";
import type { Trial } from "../trial.js";

/** A request that must be refused, and how. */
export interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly ask: () => Promise<Exchange>;
}

/** Requests that are refused whatever the schema is: wrong paths, and bytes that are not a request. */
export function everyRefusal(trial: Trial): readonly Refusal[] {
  const { model } = trial.session;
  const { basePath } = model;
  const version = servedVersions(model)[0]?.name ?? "v1";
  const ask = async (path: string): Promise<Exchange> => trial.get(path);
  return [
    // At the root, the first step of any path is a version (VER-1).
    refusal(`404 ${basePath === "" ? "Version" : "Path"}NotFoundMessage`, async () =>
      ask("/nothing-here"),
    ),
    refusal("404 PathNotFoundMessage", async () => ask(`${basePath}/${version}/nothinghere`)),
    refusal("404 PathNotFoundMessage", async () => ask(`${basePath}/${version}`)),
    refusal("404 VersionNotFoundMessage", async () => ask(`${basePath}/v99/nothinghere`)),
    ...rawRefusals(trial),
  ];
}

/** Requests that the HTTP parser itself refuses, and must not answer in its own form. */
function rawRefusals(trial: Trial): readonly Refusal[] {
  const raw = (...lines: readonly string[]) => {
    return async (): Promise<Exchange> => trial.session.raw(`${lines.join("\r\n")}\r\n\r\n`);
  };
  const { limits } = trial.session.model;
  const host = "Host: localhost";
  return [
    refusal("400 MalformedRequestMessage", raw("nonsense")),
    refusal("400 MalformedRequestMessage", raw("GET / HTTP/1.1")),
    refusal("400 MalformedRequestMessage", raw("GET / HTTP/1.1", host, "Host: other")),
    refusal("400 MalformedRequestMessage", raw("GET / HTTP/1.1", host, "Bad Header: x")),
    refusal("400 MalformedRequestMessage", raw("POST / HTTP/1.1", host, "Content-Length: x")),
    refusal(
      "400 MalformedRequestMessage",
      raw("POST / HTTP/1.1", host, "Content-Length: 2", "Transfer-Encoding: chunked"),
    ),
    refusal("400 MalformedRequestMessage", raw("\x16\x03\x01\x02", "\x01\xff")),
    refusal("501 NotImplementedMessage", raw("NONSENSE / HTTP/1.1", host)),
    refusal("501 NotImplementedMessage", raw("CONNECT localhost:80 HTTP/1.1", host)),
    refusal("417 ExpectationFailedMessage", raw("GET / HTTP/1.1", host, "Expect: patience")),
    refusal("414 UriTooLongMessage", raw(`GET /${"x".repeat(limits.urlBytes)} HTTP/1.1`, host)),
    refusal(
      "431 HeadersTooLargeMessage",
      raw("GET / HTTP/1.1", host, `X-Long: ${"x".repeat(limits.headerBytes)}`),
    ),
  ];
}

/** Requests that a resource refuses, whatever its properties are. */
export function refusalsOf(trial: Trial, resource: ResourceModel): readonly Refusal[] {
  const { path, name } = resource;
  const { session } = trial;
  const entity = `${path}/${MISSING}`;
  return [
    ...(session.obstacle(resource, ["read"]) === null
      ? [refusal(`404 ${name.typeName}NotFoundMessage`, async () => trial.get(entity))]
      : []),
    ...(session.obstacle(resource, ["list"]) === null
      ? [
          refusal("400 ValidationFailedMessage", async () => trial.get(`${path}?noSuchName=1`)),
          refusal("406 NotAcceptableMessage", async () => trial.get(path, { accept: "text/html" })),
        ]
      : []),
    refusal("405 MethodNotAllowedMessage", async () => trial.send("DELETE", path)),
    ...(session.obstacle(resource, ["create"]) === null ? bodyRefusals(trial, resource) : []),
  ];
}

function bodyRefusals(trial: Trial, resource: ResourceModel): readonly Refusal[] {
  const headers = { "content-type": "application/json" };
  const post = (sent: Sent) => async (): Promise<Exchange> => trial.post(resource, sent);
  const malformed = [
    "",
    "{",
    "[]",
    "null",
    "7",
    '"text"',
    "{} {}",
    "{'a': 1}",
    "\ufeff{}",
    '{"a": 01}',
  ];
  const twice = ['{"a": 1, "a": 2}', '{"a": {"b": 1, "b": 1}}'];
  return [
    ...[...malformed, ...twice].map((text) =>
      refusal("400 MalformedRequestMessage", post({ text, headers })),
    ),
    refusal(
      "400 MalformedRequestMessage",
      post({ body: Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), headers }),
    ),
    refusal("400 ValidationFailedMessage", post({ text: '{"noSuchName": 1}', headers })),
    refusal(
      "415 UnsupportedMediaTypeMessage",
      post({ text: "{}", headers: { "content-type": "text/plain" } }),
    ),
    refusal(
      "415 UnsupportedMediaTypeMessage",
      post({ text: "{}", headers: { ...headers, "content-encoding": "gzip" } }),
    ),
  ];
}

function refusal(wanted: string, ask: () => Promise<Exchange>): Refusal {
  const [status = "", type = ""] = wanted.split(" ");
  return { status: Number(status), type, ask };
}
