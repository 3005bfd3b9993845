import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { serviceFolder } from "../../support/service-folders.js";
import type { Answer, Asked, Json, JsonObject, Judge } from "./client.js";
import { closed, combined, list, object, text } from "./openapi-parts.js";

/** Headers of HTTP itself and of browsers' safety: none that an API describes. */
const TRANSPORT_HEADERS = new Set([
  ...["connection", "content-encoding", "content-length", "content-type", "date", "keep-alive"],
  // A browser reads these, and no client.
  ...["access-control-allow-origin", "access-control-expose-headers"],
  "x-content-type-options",
]);
/** REP-8; what a document calls `application/json`. */
const JSON_TYPE = "application/json; charset=utf-8";
/** A refusal in the description of `default`: `- 503 \`ServiceUnavailableMessage\`, with \`Retry-After\`: ...`. */
const REFUSAL = /^- (\d{3}) (.*?)(?:, with (`.*?`))?: /gm;

/** What any operation may answer, by the document (ERR-2). */
export interface CommonRefusal {
  readonly status: number;
  readonly types: readonly string[];
  /** The header that comes with it, `Accept or Accept-Encoding` where it is one of several, or null. */
  readonly header: string | null;
}

/** One operation of a document. */
export interface Operation {
  /** `GET` */
  readonly method: string;
  /** `/api/v1/widgets/{widgetId}` */
  readonly path: string;
  readonly operation: JsonObject;
}

/** Judges requests and answers by a served OpenAPI document, with ajv. */
export class OpenApiOracle {
  readonly operations: readonly Operation[];
  /** What operations answer beside what each of them lists. */
  readonly commonRefusals: readonly CommonRefusal[];
  private readonly ajv: Ajv2020;
  private readonly root: JsonObject;
  private readonly compiled = new Map<string, ValidateFunction>();

  /** `ownErrors`: the service's hooks refuse with errors of their own, which a document can only leave to `default`. */
  constructor(
    document: JsonObject,
    private readonly ownErrors = false,
  ) {
    this.root = document;
    this.ajv = newAjv();
    const { schemas, responses } = object(document["components"]);
    for (const [name, schema] of Object.entries(object(schemas))) {
      this.ajv.addSchema(this.referable(object(schema)), `schema:${name}`);
    }
    this.commonRefusals = refusalsIn(text(object(object(responses)["Error"])["description"]));
    const [server] = list(document["servers"]);
    const base = text(object(server)["url"]);
    this.operations = Object.entries(object(document["paths"])).flatMap(([path, item]) =>
      Object.entries(object(item))
        .filter(([method]) => method !== "parameters")
        .map(([method, operation]) => ({
          method: method.toUpperCase(),
          path: base + path,
          operation: object(operation),
        })),
    );
  }

  /** The schema of an operation's body, or null. */
  bodySchema({ operation }: Operation): JsonObject | null {
    if (operation["requestBody"] === undefined) return null;
    const content = object(object(operation["requestBody"])["content"]);
    return this.merged(object(object(content["application/json"])["schema"]));
  }

  /** A schema with all that it refers to, at every depth. */
  whole(part: JsonObject): JsonObject {
    const filled = (value: Json): Json => {
      if (typeof value !== "object" || value === null) return value;
      // Array.isArray does not narrow readonly lists.
      if (Array.isArray(value)) return (value as readonly Json[]).map(filled);
      const members = Object.entries(this.merged(object(value)));
      return Object.fromEntries(members.map(([name, member]) => [name, filled(member)]));
    };
    return object(filled(part));
  }

  /** What is wrong with a body by the document. */
  bodyErrors({ operation }: Operation, body: Json): readonly ErrorObject[] {
    const content = object(object(operation["requestBody"])["content"]);
    return this.errors(object(object(content["application/json"])["schema"]), body);
  }

  /** Whether a value is one that a schema of the document allows. */
  fits(schema: JsonObject, value: Json): boolean {
    return this.errors(schema, value).length === 0;
  }

  /** What the document does not say of the answer to any request; without an operation, an error's form is all it says. */
  problems(asked: Asked, answer: Answer): readonly string[] {
    const operation = this.operationOf(asked);
    if (operation !== null) return this.answerProblems(operation, answer);
    if (answer.status < 400 || asked.method === "HEAD") return [];
    const { responses } = object(this.root["components"]);
    const error = object(object(responses)["Error"]);
    return [...this.commonProblems(answer), ...this.contentProblems(error, answer)];
  }

  /** The operation that answers a request, or null; HEAD follows GET (OPS-9). */
  operationOf({ method, path }: Asked): Operation | null {
    const [plain = ""] = path.replace(/^https?:\/\/[^/]*/, "").split("?");
    const listed = method === "HEAD" ? "GET" : method;
    const fitting = this.operations.filter(
      (each) => each.method === listed && fitsPath(each.path, plain),
    );
    // An alias is a path of its own, though an identifier could stand there.
    const found = fitting.find((each) => each.path === plain) ?? fitting[0];
    return found === undefined ? null : { ...found, method };
  }

  /** What the document does not say of an answer; empty where it tells the truth. */
  answerProblems({ method, operation }: Operation, answer: Answer): readonly string[] {
    const responses = object(operation["responses"]);
    const listed = responses[String(answer.status)];
    const response = this.resolve(object(listed ?? responses["default"]));
    // An answer to HEAD ends with its headers.
    const isWhole = method !== "HEAD";
    return [
      ...(listed === undefined ? this.commonProblems(answer, isWhole) : []),
      ...this.headerProblems(response, answer),
      ...(isWhole ? this.contentProblems(response, answer) : []),
    ];
  }

  /** ERR-2: what is wrong with a refusal that no operation lists by itself. */
  private commonProblems({ status, headers, text: body, json }: Answer, isWhole = true): string[] {
    const refusal = this.commonRefusals.find((each) => each.status === status);
    if (refusal === undefined) return this.ownErrors ? [] : [`${status} is not listed: ${body}`];
    const { header, types } = refusal;
    const named = header?.toLowerCase().split(" or ") ?? [];
    if (header !== null && named.every((name) => headers[name] === undefined)) {
      return [`${header} is missing`];
    }
    if (!isWhole || this.ownErrors) return [];
    const given = list(json["errors"] ?? []).map((error) => object(error)["type"]);
    return given
      .filter((type) => !types.includes(String(type)))
      .map((type) => `${String(type)} is not listed`);
  }

  /** A schema with all that it is made of. */
  private merged(part: JsonObject): JsonObject {
    const { allOf = [], ...own } = this.resolve(part);
    return list(allOf).reduceRight<JsonObject>(
      (schema, base) => combined(this.merged(object(base)), schema),
      own,
    );
  }

  /** A schema as ajv takes it, by itself; an answer that holds more than it says is untrue, too. */
  private referable(schema: JsonObject): JsonObject {
    const whole = schema["allOf"] === undefined ? schema : this.merged(schema);
    const alone = JSON.stringify(closed(whole)).replaceAll('"#/components/schemas/', '"schema:');
    return JSON.parse(alone) as JsonObject;
  }

  /** Follows a reference into the document. */
  resolve(part: JsonObject): JsonObject {
    const reference = part["$ref"];
    if (typeof reference !== "string") return part;
    const names = reference.slice("#/".length).split("/");
    return object(names.reduce<Json | undefined>((at, name) => object(at)[name], this.root));
  }

  private headerProblems({ headers = {} }: JsonObject, answer: Answer): string[] {
    const described = new Map(
      Object.entries(object(headers)).map(([name, header]) => {
        return [name.toLowerCase(), this.resolve(object(header))] as const;
      }),
    );
    const unknown = Object.keys(answer.headers).filter(
      (name) => !described.has(name) && !TRANSPORT_HEADERS.has(name),
    );
    const wrong = [...described].flatMap(([name, { required, schema }]) => {
      const value = answer.headers[name];
      if (value === undefined) return required === true ? [`header ${name} is missing`] : [];
      const read = object(schema)["type"] === "integer" ? Number(value) : String(value);
      return this.errors(object(schema), read).map(({ message }) => `header ${name} ${message}`);
    });
    return [...unknown.map((name) => `header ${name} is not described`), ...wrong];
  }

  private contentProblems({ content }: JsonObject, answer: Answer): string[] {
    if (content === undefined) return answer.text === "" ? [] : ["a body is not described"];
    const type = answer.headers["content-type"];
    const schema = object(object(object(content)["application/json"])["schema"]);
    const body = bodyOf(answer);
    return [
      ...(type === JSON_TYPE ? [] : [`its type is ${type}`]),
      ...this.errors(schema, body).map(({ instancePath, message }) => `${instancePath} ${message}`),
      ...(answer.status < 400 || this.ownErrors ? [] : this.typeProblems(object(body))),
    ];
  }

  /** ERR-2: without code of the user's, no error has a type that the table lacks. */
  private typeProblems({ errors }: JsonObject): string[] {
    const { schemas } = object(this.root["components"]);
    const known = list(object(object(schemas)["Common.ErrorType"])["enum"]);
    const types = list(errors ?? []).map((error) => object(error)["type"] ?? null);
    return types.filter((type) => !known.includes(type)).map((type) => `${type} is not listed`);
  }

  private errors(schema: JsonObject, value: Json): readonly ErrorObject[] {
    const key = JSON.stringify(schema);
    const check = this.compiled.get(key) ?? this.ajv.compile(this.referable(schema));
    this.compiled.set(key, check);
    return check(value) ? [] : (check.errors ?? []);
  }
}

/** One for each document: its schemas are compiled once, when they are first needed. */
const oracles = new Map<string, OpenApiOracle>();

/** The document of each version of a service judges what is asked of that version. */
export function documentsOf(fixture: string, ownErrors = false): Judge {
  return {
    problems: (asked, answer) => {
      const [, version = "v1"] = /^\/api\/(v\d+)\//.exec(asked.path) ?? [];
      const isServed = existsSync(join(serviceFolder(fixture), `openapi/${version}.json`));
      return documentOf(fixture, ownErrors, isServed ? version : "v1").problems(asked, answer);
    },
  };
}

/** The oracle of the service generated from `fixtures/<fixture>`, whose only version is v1; see its constructor for `ownErrors`. */
export function documentOf(fixture: string, ownErrors = false, version = "v1"): OpenApiOracle {
  const key = `${fixture} ${ownErrors} ${version}`;
  const found = oracles.get(key);
  if (found !== undefined) return found;
  const path = join(serviceFolder(fixture), `openapi/${version}.json`);
  // What the generator wrote is an object; the oracle throws where it is no document.
  const document = JSON.parse(readFileSync(path, "utf8")) as JsonObject;
  const oracle = new OpenApiOracle(document, ownErrors);
  oracles.set(key, oracle);
  return oracle;
}

function newAjv(): Ajv2020 {
  // 0.29 is a multiple of 0.01, though no division says so.
  const multipleOfPrecision = 6;
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    multipleOfPrecision,
  });
  // A module of CommonJS whose types say that it is one of ECMAScript.
  (addFormats as unknown as typeof addFormats.default)(ajv);
  // Whose identifiers a reference holds, for those who make up bodies.
  ajv.addKeyword("x-references");
  // Which state can follow which: whether one does depends on what is stored (STA-1).
  ajv.addKeyword("x-transitions");
  // Text, whose pattern says it all.
  ajv.addFormat("decimal", true);
  // RFC 4122, without the `urn:uuid:` that ajv-formats allows in front.
  ajv.addFormat("uuid", /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
  return ajv;
}

/** The body as it was before it was compressed. Throws where it is no JSON. */
function bodyOf({ headers, bytes }: Answer): Json {
  const plain = headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes;
  // What JSON.parse returns is what JSON can say.
  return JSON.parse(plain.toString("utf8")) as Json;
}

/** `/api/v1/widgets/{widgetId}` fits every path of that length. */
function fitsPath(template: string, path: string): boolean {
  const wanted = template.split("/");
  const given = path.split("/");
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => {
      return part.startsWith("{") ? given[index] !== "" : part === given[index];
    })
  );
}

function refusalsIn(description: string): readonly CommonRefusal[] {
  return [...description.matchAll(REFUSAL)].map(([, status, types = "", header]) => ({
    status: Number(status),
    types: [...types.matchAll(/`(.*?)`/g)].map(([, type = ""]) => type),
    header: header?.replaceAll("`", "") ?? null,
  }));
}
