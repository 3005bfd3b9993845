import { withValueAt } from "./at-path.js";
import { countedText } from "./counted-text.js";
import { lead } from "./leading.js";
import {
  canCreate,
  type ActionFacts,
  type JsonValue,
  type Need,
  type ResourceFacts,
} from "./resource-facts.js";

/** The body of an answer; an empty object if there is none. */
export type JsonBody = { readonly [name: string]: JsonValue };

/** An answer of the service, read to its end. */
export interface Answer {
  /** `POST /api/v1/tickets` */
  readonly request: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: JsonBody;
}

const CHANGES: ReadonlySet<string> = new Set(["PUT", "PATCH", "DELETE"]);

/** Sends requests for one resource. */
export class Client {
  constructor(
    readonly url: string,
    private readonly facts: ResourceFacts,
    /** Sent with every request, unless it has others. */
    private readonly credentials: Readonly<Record<string, string>> = {},
    /** How many bodies were made of each entity: everybody who asks one service shares them. */
    private readonly turns = new Map<string, number>(),
  ) {}

  /** The same service, asked by somebody else, perhaps about another resource. */
  as(credentials: Readonly<Record<string, string>>, facts = this.facts): Client {
    return new Client(this.url, facts, credentials, this.turns);
  }

  /** The same caller, without the `If-Match` that a change must have (OPS-10). */
  unconditional(): Client {
    return this.as(this.credentials, { ...this.facts, isMatchRequired: false });
  }

  /** What a PUT sends back of what was read; what was set for good can be left out (OPS-4). */
  bodyOf({ body }: Answer): string {
    const kept = Object.entries(body).filter(([name]) => !this.facts.immutable.includes(name));
    return JSON.stringify(Object.fromEntries(kept));
  }

  /** A body that is accepted; values that must be unique differ each time, and what it refers to is created. */
  async body(facts = this.facts): Promise<JsonBody> {
    let body: JsonBody = facts.valid;
    const turn = this.nextTurn(facts);
    for (const name of [...facts.unique, ...(facts.varied ?? [])])
      body = { ...body, [name]: another(facts, name, turn) };
    return this.referring(body, facts.needs);
  }

  /** A body of an action that is accepted; null where nothing can be made that it has to refer to. */
  async actionBody({ valid, needs = [] }: ActionFacts): Promise<JsonBody | null> {
    const known = needs.map((need) => ({ ...need, facts: need.facts() }));
    if (!known.every(({ facts }) => canCreate(facts))) return null;
    return this.referring(valid, known);
  }

  private async referring(body: JsonBody, needs: readonly Need[]): Promise<JsonBody> {
    let whole = body;
    for (const need of needs)
      whole = withValueAt(whole, need.property, await this.references(need));
    return whole;
  }

  /** References to what is made for them. */
  async references({ facts, items }: Need): Promise<JsonValue> {
    const references: JsonValue[] = [];
    while (references.length < (items ?? 1)) {
      const { body } = await this.createOther(facts);
      references.push({ [facts.idProperty]: body[facts.idProperty] ?? null });
    }
    return items === undefined ? (references[0] ?? null) : references;
  }

  /** POST of a body that is accepted, but for `changes`. */
  async create(changes: JsonBody = {}): Promise<Answer> {
    return this.post(this.facts, changes);
  }

  private async post(facts: ResourceFacts, changes: JsonBody = {}): Promise<Answer> {
    const body = { ...(await this.body(facts)), ...changes };
    return this.send("POST", await this.createPath(facts), JSON.stringify(body));
  }

  /** Where a new entity is sent to: under a new parent, where it needs one (CHD-1). */
  async createPath({ parent, path }: ResourceFacts = this.facts): Promise<string> {
    if (parent === null) return path;
    const { body } = await this.createOther(parent.facts);
    return `${parent.facts.path}/${String(body[parent.facts.idProperty])}${parent.rest}`;
  }

  /** What others refer to, or belong to, in the state that samples name for it. */
  async createOther(facts: ResourceFacts): Promise<Answer> {
    const made = createdBy(await this.post(facts));
    await lead(this.as(this.credentials, facts), facts, made);
    return made;
  }

  /** A new entity that can be found; null when the resource offers no POST, or may not show what is new. */
  async createIfOffered(): Promise<Answer | null> {
    const { isFiltered = false } = this.facts;
    return canCreate(this.facts) && !isFiltered ? createdBy(await this.create()) : null;
  }

  /** GET of a path. */
  async get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send("GET", path, undefined, headers);
  }

  /** Any request; a body is JSON unless `headers` say otherwise. */
  async send(
    method: string,
    path: string,
    body?: string,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const answer = await fetch(this.url + path, {
      method,
      headers: {
        ...this.credentials,
        ...(this.facts.isMatchRequired === true && CHANGES.has(method) && { "if-match": "*" }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    const text = await answer.text();
    const parsed: JsonBody = text === "" ? {} : JSON.parse(text);
    const request = `${method} ${path}`;
    return { request, status: answer.status, headers: answer.headers, text, body: parsed };
  }

  /** Whether a list shows an entity that was answered. */
  lists({ body }: Answer, made: Answer): boolean {
    const { idProperty } = this.facts;
    const id = made.body[idProperty];
    const shown = [body["results"] ?? []].flat();
    return shown.some((one) => Reflect.get(Object(one), idProperty) === id);
  }

  /** The path of an entity that was answered. */
  pathOf({ body }: Answer): string {
    return `${this.facts.path}/${String(body[this.facts.idProperty])}`;
  }

  /** The properties that a PUT must hold. */
  replaced(): string[] {
    const { valid, needs, immutable } = this.facts;
    const needed = needs.map(({ property }) => property.replace(/\..*$/, ""));
    const names = new Set([...Object.keys(valid), ...needed]);
    return [...names].filter((name) => !immutable.includes(name));
  }

  /** The number of a new body; under another name, an entity is still the same. */
  private nextTurn({ idProperty }: ResourceFacts): number {
    const turn = this.turns.get(idProperty) ?? 0;
    this.turns.set(idProperty, turn + 1);
    return turn;
  }
}

/** A value that differs each turn. */
function another({ valid, others }: ResourceFacts, name: string, turn: number): JsonValue {
  const values = others?.[name];
  return values === undefined
    ? countedUp(valid[name] ?? null, turn)
    : (values[turn % values.length] ?? null);
}

const TOO_MANY =
  "A plugin of src/app.ts counts the requests, and tests are many of one caller: let its bound be a variable, and set it high in test/fakes.ts. 429:";

const HELP =
  'Where that is a business rule, give values that it accepts in test/samples.ts, by the last name of the path, or with its version, as "v1/orders"; where the rule is about what that refers to, give values of the other resource, and the state that it has to be in; where it is a role that own code asks for, export it there in "roles".';

/** The answer to a POST of a sample. Throws where it was refused, and says what can be done about it. */
export function createdBy(answer: Answer): Answer {
  return accepted(answer, 201);
}

/** The answer to a sample that is sent. Throws where it was refused, and says what can be done about it. */
export function accepted(answer: Answer, status: 200 | 201): Answer {
  if (answer.status === status) return answer;
  if (answer.status === 429) throw new Error(`${TOO_MANY} ${answer.text}`);
  throw new Error(
    `A sample was refused: ${answer.request}. ${HELP} ${answer.status}: ${answer.text}`,
  );
}

function countedUp(value: JsonValue, turn: number): JsonValue {
  if (typeof value === "number") return value + turn;
  return typeof value === "string" ? countedText(value, turn) : value;
}
