import type { ResourceModel } from "../model/resource-model.js";
import { isList, isObject, type JsonObject } from "../samples/json.js";
import { isNeeded, referredBy, targetsOf } from "./anchors.js";
import { madeToRefer, type Guide } from "./led.js";
import type { Session } from "./session.js";

/** Makes the entities that references of bodies lead to (REP-4). */
export class AnchorMaker {
  constructor(
    private readonly session: Pick<
      Session,
      "anchors" | "resources" | "obstacle" | "prepare" | "placeOf" | keyof Guide
    >,
  ) {}

  /** Makes those that a resource refers to, in the order of dependence, and shows them as its version does. */
  async prepare(resource: ResourceModel): Promise<void> {
    for (const plural of referredBy(resource)) await this.anchor(plural, resource.version);
  }

  /** In a cycle of references, optional ones are left out. */
  private async anchor(plural: string, version: string, isDemanded = false): Promise<void> {
    const { anchors, resources } = this.session;
    const known = anchors.known(plural);
    const target = resources.find(
      (other) => other.version === version && other.name.plural === plural,
    );
    if (known !== undefined && (known.length > 0 || !isDemanded)) {
      if (target !== undefined) await this.show(known, target);
      return;
    }
    anchors.keep(plural, known ?? [], version);
    if (target === undefined) return;
    for (const other of targetsOf(target.properties, isNeeded))
      await this.anchor(other, version, true);
    if (known === undefined) await this.session.prepare(target);
    if (anchors.of(plural).length > 0) return;
    anchors.keep(plural, await this.made(target), version);
  }

  /** What is referred to was perhaps made through another version, which calls its properties otherwise (VER-2). */
  private async show(known: readonly JsonObject[], target: ResourceModel): Promise<void> {
    const { anchors } = this.session;
    const { name, version, path } = target;
    if (anchors.isShownBy(version, name.plural)) return;
    if (this.session.obstacle(target, ["read"]) !== null) return;
    const read = known.map(async (entity) => {
      const { answer } = await this.session.send(
        "GET",
        `${path}/${String(entity[name.idProperty])}`,
      );
      return answer.status === 200 && isObject(answer.json) ? answer.json : entity;
    });
    anchors.keep(name.plural, await Promise.all(read), version);
  }

  /** Two new entities, or two existing ones if none can be created. */
  private async made(target: ResourceModel): Promise<JsonObject[]> {
    const { session } = this;
    const found: JsonObject[] = [];
    const canMake = (): boolean => session.obstacle(target, ["create"]) === null;
    if (canMake()) {
      // The second one may find no place where the resource can hold few.
      for (let turn = 0; turn < 2 && canMake(); turn += 1) {
        found.push(...(await this.madeOne(target)));
      }
      return found;
    }
    if (session.obstacle(target, ["list"]) !== null) return found;
    const { json } = (await session.send("GET", `${target.path}?pageSize=2`)).answer;
    const results = isObject(json) ? json["results"] : undefined;
    return isList(results) ? results.filter(isObject) : found;
  }

  /** None where it could not be made, or not led to where others can refer to it. */
  private async madeOne(target: ResourceModel): Promise<readonly JsonObject[]> {
    const taken = await madeToRefer(this.session, target);
    if (taken === null) return [];
    if ("entity" in taken) return [taken.entity];
    this.session.anchors.refuse(target.name.plural, taken.reason);
    return [];
  }
}
