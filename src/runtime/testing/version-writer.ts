import { assertStatus } from "./assertions.js";
import { withValueAt } from "./at-path.js";
import { accepted, type Answer, type Client, type JsonBody } from "./client.js";
import { canCreate, type JsonValue } from "./resource-facts.js";
import type { StateWay, VersionSide } from "./version-facts.js";

/** Objects that are made through each of two versions. */
const OBJECTS = 100;
/** Objects that are looked at at once. */
const TOGETHER = 20;

/** What a body refers to, and the path where that stands. */
interface Reference {
  readonly path: string;
  readonly value: JsonValue;
}

/** One of two versions, and what is sent to it. */
export class Version {
  private place: Promise<string> | null = null;
  private references: Promise<readonly Reference[]> | null = null;

  constructor(
    private readonly client: Client,
    private readonly side: VersionSide,
  ) {}

  get canReplace(): boolean {
    return this.side.facts.operations.includes("replace");
  }

  /** The values of a body by its number, but for references: each combines the samples in another way. */
  body(index: number): JsonBody {
    return Object.fromEntries(
      Object.entries(this.side.samples).map(([name, values], place) => {
        return [name, values[mixed(index, place) % values.length] ?? null] as const;
      }),
    );
  }

  async create(index: number): Promise<Answer> {
    const { facts } = this.side;
    if (this.isApart || this.place === null) this.place = this.client.createPath();
    if (this.isApart) this.references = null;
    const [place, references] = await Promise.all([this.place, this.referred()]);
    const fresh = await this.client.body({ ...facts, needs: [] });
    const body = referring({ ...fresh, ...this.body(index) }, references);
    const answer = await this.client.send("POST", place, JSON.stringify(body));
    return this.led(accepted(answer, 201), index);
  }

  /** What is allowed in the state that an object is brought to. */
  way(index: number): StateWay {
    const { state, facts } = this.side;
    const free = { states: [], isUpdatable: true, isDeletable: facts.deletable };
    if (state === undefined || !facts.operations.includes("update")) return free;
    return state.ways[index % state.ways.length] ?? free;
  }

  /** The object in the state that its number asks for. */
  private async led(made: Answer, index: number): Promise<Answer> {
    let answer = made;
    for (const state of this.way(index).states) {
      const body = JSON.stringify({ [this.side.state?.property ?? ""]: state });
      answer = accepted(await this.client.send("PATCH", this.client.pathOf(made), body), 200);
    }
    return answer;
  }

  async read(entity: Answer): Promise<Answer> {
    const answer = await this.client.get(this.client.pathOf(entity));
    assertStatus(answer, 200);
    return answer;
  }

  /** The same with what it refers to, and without what is set for good or refers to what cannot be made here. */
  async changes(index: number): Promise<JsonBody> {
    const { facts, lasting = [] } = this.side;
    const lacking = facts.needs.filter((need) => !canCreate(need.facts));
    const left = [
      ...facts.immutable,
      ...lasting,
      ...lacking.map(({ property }) => rootOf(property)),
    ];
    const own = Object.entries(this.body(index)).filter(([name]) => !left.includes(name));
    const body = Object.fromEntries(own);
    const isHeld = ({ path }: Reference): boolean => Object.hasOwn(body, rootOf(path));
    return referring(body, (await this.referred()).filter(isHeld));
  }

  /** PUT of what was read, but for `changes`. */
  async replace(entity: Answer, changes: JsonBody = {}): Promise<Answer> {
    const body = { ...entity.body, ...changes };
    const path = this.client.pathOf(entity);
    return accepted(await this.client.send("PUT", path, JSON.stringify(body)), 200);
  }

  /** Values that must be unique are few: what was looked at goes, where it can. */
  async remove(entity: Answer, index: number): Promise<void> {
    const { operations } = this.side.facts;
    if (!operations.includes("delete") || !this.way(index).isDeletable) return;
    assertStatus(await this.client.send("DELETE", this.client.pathOf(entity)), 204);
  }

  async eachObject(look: (index: number) => Promise<void>): Promise<void> {
    for (let index = 0; index < OBJECTS; index += TOGETHER) {
      const numbers = Array.from({ length: TOGETHER }, (_, turn) => index + turn);
      await Promise.all(numbers.map(look));
    }
  }

  /** Objects refer to others each, since nothing else keeps apart what is unique together. */
  private get isApart(): boolean {
    const { uniqueTogether = [], varied = [] } = this.side.facts;
    return uniqueTogether.some((names) => !names.some((name) => varied.includes(name)));
  }

  /** What bodies refer to: made once, as far as it can be. */
  private async referred(): Promise<readonly Reference[]> {
    const needs = this.side.facts.needs.filter(({ facts }) => canCreate(facts));
    this.references ??= Promise.all(
      needs.map(async (need) => ({
        path: need.property,
        value: await this.client.references(need),
      })),
    );
    return this.references;
  }
}

/** The body with each reference where it stands: in an object, or in every item of a list. */
function referring(body: JsonBody, references: readonly Reference[]): JsonBody {
  return references.reduce<JsonBody>(
    (whole, { path, value }) => withValueAt(whole, path, value),
    body,
  );
}

function rootOf(path: string): string {
  return path.replace(/\..*$/, "");
}

/** Spreads the numbers of objects over the values of a property. */
function mixed(index: number, place: number): number {
  return (Math.imul(index + 1, 2_654_435_761) ^ Math.imul(place + 1, 40_503)) >>> (place % 8);
}
