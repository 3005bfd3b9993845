import fc from "fast-check";
import { Client, type Answer, type JsonObject } from "../../contract/support/client.js";
import {
  requestOf,
  requestsOf,
  SeenIdentifiers,
  type RequestPlan,
} from "../../contract/support/document-requests.js";
import { OpenApiOracle, type Operation } from "../../contract/support/openapi-oracle.js";
import { fitting } from "../../contract/support/schema-bodies.js";
import { compiled, type OrderService } from "./order-services.js";
import type { Texts } from "../../support/render-files.js";
import type { RenderedProject } from "../../../src/commands/render-project.js";

/** A release, and what it says of each of its versions. */
export interface Release {
  readonly name: string;
  readonly service: OrderService;
  readonly documents: ReadonlyMap<string, OpenApiOracle>;
}

/** An entity that a release has made, and how the release shows it; the same index stands for the same bodies. */
export interface Made {
  readonly index: string;
  /** Which of the bodies. */
  readonly turn: number;
  readonly version: string;
  readonly path: string;
  readonly shown: JsonObject;
}

/** Requests of each operation. */
const EACH = 2;
/** Entities of each resource. */
const BODIES = 4;
/** Bodies of which those are chosen. */
const SAMPLES = 20;

/** An older release's change of what a newer one had made. */
interface Touched extends Made {
  readonly names: readonly string[];
}

/** A release, and the one that serves beside it. */
export interface Side {
  readonly own: Release;
  readonly other: Release;
  readonly isNewer: boolean;
}

export async function releaseOf(
  name: string,
  project: RenderedProject,
  code: Texts = {},
): Promise<Release> {
  const documents = project.outputs.flatMap(({ path, text }) => {
    const [, version] = /^openapi\/(v\d+)\.json$/.exec(path) ?? [];
    return version === undefined
      ? []
      : [[version, new OpenApiOracle(JSON.parse(text ?? "") as JsonObject)] as const];
  });
  return {
    name: `storage/${name}`,
    service: await compiled(name, project, (texts) => ({ ...texts, ...code })),
    documents: new Map(documents),
  };
}

/** Sends what a release allows, and holds each answer against its documents. */
export class ReleaseCaller {
  /** What was answered wrongly. */
  readonly problems: string[] = [];
  private readonly client: Client;
  private readonly seen = new SeenIdentifiers();

  constructor(
    private readonly side: Side,
    base: string,
  ) {
    this.client = new Client(Number(new URL(base).port), { problems: () => [] });
  }

  /** Whatever the documents allow but deletions, of what it makes by itself or `seen` has. */
  async useAll(seed: number, seen: SeenIdentifiers): Promise<void> {
    for (const [version, oracle] of this.side.own.documents) {
      const writing = oracle.operations.filter((one) => oracle.bodySchema(one) !== null);
      for (const operation of writing) {
        const bodies = this.bodies(version, operation, { seed, isForBoth: false });
        for (const [turn, body] of bodies.entries()) {
          await this.send({ operation, query: [], body, turn }, { seen });
        }
      }
      const others = oracle.operations.filter((one) => !writing.includes(one));
      for (const operation of others.filter(({ method }) => method !== "DELETE")) {
        for (const plan of fc.sample(requestsOf(oracle, operation), { numRuns: EACH, seed })) {
          await this.send(plan, { seen });
        }
      }
    }
  }

  /** Makes the same entities each time: those that are refused are left out. */
  async makeAll(): Promise<readonly Made[]> {
    const made: Made[] = [];
    const creating = [...this.side.own.documents].flatMap(([version, { operations }]) =>
      operations
        .filter(({ method }) => method === "POST")
        .map((operation) => ({ version, operation })),
    );
    for (const { version, operation } of creating) {
      for (const [turn, body] of this.bodies(version, operation).entries()) {
        const answer = await this.send({ operation, query: [], body, turn });
        const { location } = answer?.headers ?? {};
        if (answer?.status !== 201 || location === undefined) continue;
        const { pathname: path } = new URL(location);
        const index = `${version} ${operation.path} ${turn}`;
        made.push({ index, turn, version, path, shown: answer.json });
      }
    }
    return made;
  }

  /** Makes the same change of each; those that are refused are left out. */
  async changeAll(made: readonly Made[]): Promise<readonly Made[]> {
    const changed: Made[] = [];
    for (const one of made) {
      const { turn } = one;
      const operation = this.changing(one);
      const [body] =
        operation === null ? [] : this.bodies(one.version, operation, { seed: turn + 2 });
      if (operation === null || body === undefined) continue;
      const answer = await this.send({ operation, query: [], body, turn }, one);
      if (answer?.status === 200) changed.push({ ...one, shown: answer.json });
    }
    return changed;
  }

  /** Changes one property of each, of which the other release has made all. */
  async touchAll(made: readonly Made[]): Promise<readonly Touched[]> {
    const touched: Touched[] = [];
    for (const one of made) {
      const operation = this.changing(one);
      const [whole] = operation === null ? [] : this.bodies(one.version, operation, { seed: 7 });
      const [member] = Object.entries(whole ?? {});
      if (operation === null || member === undefined) continue;
      const body = Object.fromEntries([member]);
      const answer = await this.send({ operation, query: [], body, turn: 0 }, one);
      if (answer?.status === 200) touched.push({ ...one, names: Object.keys(body) });
    }
    return touched;
  }

  /** What the other release has not named is what it was. */
  async expectUntouched(touched: readonly Touched[]): Promise<void> {
    for (const { path, shown, names } of touched) {
      const [now, before] = [await this.shown(path), shown].map((one) => withoutOwn(one, names));
      if (now !== before) this.problems.push(`${path} is ${now}, and was ${before}`);
    }
  }

  /** What was made from the same bodies is the same, whenever that was. */
  async expectAlike(groups: readonly (readonly Made[])[]): Promise<void> {
    const texts = new Map<string, string>();
    for (const { index, path } of groups.flat()) {
      const now = withoutOwn(await this.shown(path));
      const first = texts.get(index) ?? now;
      texts.set(index, first);
      if (now !== first) this.problems.push(`${path} is ${now}, and another one ${first}`);
    }
  }

  /** The same entities, as they are shown now: what they embed may have changed. */
  async readAll(made: readonly Made[]): Promise<readonly Made[]> {
    const read: Made[] = [];
    for (const one of made) {
      const shown = await this.shown(one.path);
      if (shown !== null) read.push({ ...one, shown });
    }
    return read;
  }

  /** Each is shown as it was. */
  async expectSame(made: readonly Made[]): Promise<void> {
    for (const { path, shown } of made) {
      const now = await this.shown(path);
      if (now !== null && JSON.stringify(now) !== JSON.stringify(shown)) {
        this.problems.push(`GET ${path} ${JSON.stringify(now)}, and was ${JSON.stringify(shown)}`);
      }
    }
  }

  /** An entity, or null where it is not shown. */
  async shown(path: string): Promise<JsonObject | null> {
    const answer = await this.exchange("GET", path);
    return answer?.status === 200 ? answer.json : null;
  }

  /** The operation that changes an entity, or null. */
  private changing({ version, path }: Made): Operation | null {
    return this.side.own.documents.get(version)?.operationOf({ method: "PATCH", path }) ?? null;
  }

  /** Bodies that this release allows: those first that the other one allows as well, or those that it does not. */
  private bodies(
    version: string,
    operation: Operation,
    { seed = 1, isForBoth = true }: { readonly seed?: number; readonly isForBoth?: boolean } = {},
  ): readonly JsonObject[] {
    const own = this.side.own.documents.get(version);
    const schema = own?.bodySchema(operation) ?? null;
    if (own === undefined || schema === null) return [];
    const other = this.side.other.documents.get(version);
    const theirs = other?.operationOf(operation) ?? null;
    const theirSchema = (theirs && other?.bodySchema(theirs)) ?? null;
    const samples = [schema, ...(theirSchema === null ? [] : [theirSchema])].flatMap((one) =>
      fc.sample(fitting(one), { numRuns: SAMPLES, seed }),
    );
    const allowed = samples.filter((body) => own.bodyErrors(operation, body).length === 0);
    const isWanted = (body: JsonObject): boolean =>
      theirs === null || (other?.bodyErrors(theirs, body).length === 0) === isForBoth;
    const [wanted, rest] = [allowed.filter(isWanted), allowed.filter((one) => !isWanted(one))];
    return [...wanted, ...rest].slice(0, BODIES);
  }

  private async send(
    plan: RequestPlan,
    { path, seen = this.seen }: { readonly path?: string; readonly seen?: SeenIdentifiers } = {},
  ): Promise<Answer | null> {
    const request = requestOf(plan, seen);
    const { headers, body } = request;
    const sent = { headers, ...(body !== undefined && { body }) };
    const answer = await this.exchange(plan.operation.method, path ?? request.path, sent);
    // A list would show those that others have made.
    if (answer?.status === 201) seen.note(answer.json);
    return answer;
  }

  /** Null where nobody listens any more. */
  private async exchange(
    method: string,
    path: string,
    sent: NonNullable<Parameters<Client["send"]>[2]> = {},
  ): Promise<Answer | null> {
    const answer = await this.client.send(method, path, sent).catch((error: unknown) => {
      if (/ECONN|socket hang up/.test(String(error))) return null;
      throw error;
    });
    const wrong = answer === null ? [] : this.wrong({ method, path }, answer);
    this.problems.push(
      ...wrong.map((one) => `${method} ${path} ${JSON.stringify(sent.body)}: ${one}`),
    );
    return answer;
  }

  /** Clients of a version are served by either release: what the newer one would say is right for the older one. */
  private wrong(asked: { method: string; path: string }, answer: Answer): readonly string[] {
    // 501: an action that nobody has written.
    if (answer.status === 503 || answer.status === 501) return [];
    if (answer.status >= 500) return [answer.text];
    const [, version = ""] = /^\/api\/(v\d+)\//.exec(asked.path) ?? [];
    const own = this.side.own.documents.get(version)?.problems(asked, answer) ?? [];
    const others = this.side.isNewer ? undefined : this.side.other.documents.get(version);
    if (own.length === 0 || others === undefined || others.operationOf(asked) === null) return own;
    return others.problems(asked, answer).length === 0 ? [] : own;
  }
}

/** What clients see of an entity, without what each has of its own: identifiers, and who made it when. */
function withoutOwn(shown: JsonObject | null, names: readonly string[] = []): string {
  const own = /^(?:created|lastModified|rowRevision)/;
  const kept = Object.entries(shown ?? {}).filter(
    ([name]) => !own.test(name) && !names.includes(name),
  );
  return JSON.stringify(Object.fromEntries(kept)).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/gi, "id");
}
