import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Answer, Json, JsonObject } from "./client.js";

/** Headers of HTTP itself and of browsers' safety: none that an API describes. */
const TRANSPORT_HEADERS = new Set([
  ...["connection", "content-encoding", "content-length", "content-type", "date", "keep-alive"],
  "x-content-type-options",
]);
/** What no operation can list: a path or a method that is not there. */
const BEYOND_OPERATIONS = new Set([
  ...["MethodNotAllowedMessage", "NotImplementedMessage"],
  ...["PathNotFoundMessage", "VersionNotFoundMessage"],
]);

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
  private readonly ajv: Ajv2020;
  private readonly root: JsonObject;
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(document: JsonObject) {
    this.root = document;
    this.ajv = newAjv();
    const { schemas } = object(document["components"]);
    for (const [name, schema] of Object.entries(object(schemas))) {
      this.ajv.addSchema(referable(object(schema)), `schema:${name}`);
    }
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
    return this.resolve(object(object(content["application/json"])["schema"]));
  }

  /** What is wrong with a body by the document. */
  bodyErrors({ operation }: Operation, body: Json): readonly ErrorObject[] {
    const content = object(object(operation["requestBody"])["content"]);
    return this.errors(object(object(content["application/json"])["schema"]), body);
  }

  /** What the document does not say of an answer; empty where it tells the truth. */
  answerProblems({ operation }: Operation, answer: Answer): readonly string[] {
    const responses = object(operation["responses"]);
    const listed = responses[String(answer.status)];
    if (listed === undefined && !isBeyondOperations(answer)) {
      return [`${answer.status} is not listed: ${answer.text}`];
    }
    const response = this.resolve(object(listed ?? responses["default"]));
    return [...this.headerProblems(response, answer), ...this.contentProblems(response, answer)];
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
    const schema = object(object(object(content)["application/json"])["schema"]);
    return this.errors(schema, answer.json).map(
      ({ instancePath, message }) => `${instancePath} ${message}`,
    );
  }

  private errors(schema: JsonObject, value: Json): readonly ErrorObject[] {
    const key = JSON.stringify(schema);
    const check = this.compiled.get(key) ?? this.ajv.compile(referable(schema));
    this.compiled.set(key, check);
    return check(value) ? [] : (check.errors ?? []);
  }
}

function newAjv(): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
  // A module of CommonJS whose types say that it is one of ECMAScript.
  (addFormats as unknown as typeof addFormats.default)(ajv);
  // Whose identifiers a reference holds, for those who make up bodies.
  ajv.addKeyword("x-references");
  // Text, whose pattern says it all.
  ajv.addFormat("decimal", true);
  // RFC 4122, without the `urn:uuid:` that ajv-formats allows in front.
  ajv.addFormat("uuid", /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
  return ajv;
}

function isBeyondOperations({ text: body }: Answer): boolean {
  return [...BEYOND_OPERATIONS].some((type) => body.includes(`"${type}"`));
}

/** A copy in which every object that names its properties has no others. */
function closed(part: Json): Json {
  if (typeof part !== "object" || part === null) return part;
  // Array.isArray does not narrow readonly lists.
  if (Array.isArray(part)) return (part as readonly Json[]).map(closed);
  const copy = Object.fromEntries(
    Object.entries(part as JsonObject).map(([name, value]) => [name, closed(value)]),
  );
  const isSchema = copy["type"] === "object" || Array.isArray(copy["type"]);
  return isSchema && copy["properties"] !== undefined
    ? { ...copy, additionalProperties: false }
    : copy;
}

/** A schema as ajv takes it, by itself; an answer that holds more than it says is untrue, too. */
function referable(schema: JsonObject): JsonObject {
  const alone = JSON.stringify(closed(schema)).replaceAll('"#/components/schemas/', '"schema:');
  return JSON.parse(alone) as JsonObject;
}

/** A part of a document that must be an object. */
export function object(part: Json | undefined): JsonObject {
  if (typeof part !== "object" || part === null || Array.isArray(part)) {
    throw new Error(`no object: ${JSON.stringify(part)}`);
  }
  // Array.isArray does not narrow readonly lists.
  return part as JsonObject;
}

function list(part: Json | undefined): readonly Json[] {
  if (!Array.isArray(part)) throw new Error(`no list: ${JSON.stringify(part)}`);
  return part as readonly Json[];
}

function text(part: Json | undefined): string {
  if (typeof part !== "string") throw new Error(`no text: ${JSON.stringify(part)}`);
  return part;
}
