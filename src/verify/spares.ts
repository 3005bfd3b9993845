import type { ResourceModel } from "../model/resource-model.js";
import type { JsonObject } from "../samples/json.js";
import { togetherReferences } from "./bodies.js";
import { madeToRefer, type Guide } from "./led.js";
import type { Session } from "./session.js";

/** Anchors that nothing refers to yet: where a reference keeps entities unique, each is given one of its own. */
export class Spares {
  /** By the plural of their resource. */
  private readonly known = new Map<string, JsonObject>();

  constructor(
    private readonly session: Pick<
      Session,
      "resources" | "obstacle" | "placeOf" | "isFew" | keyof Guide
    >,
  ) {}

  /** The one of a resource; undefined where none was needed. */
  of(plural: string): JsonObject | undefined {
    return this.known.get(plural);
  }

  /** Whether the next body refers to the entity at a path. */
  has(path: string): boolean {
    const id = path.slice(path.lastIndexOf("/") + 1);
    return [...this.known.values()].some((spare) => Object.values(spare).includes(id));
  }

  /** Makes those that bodies of a resource need, where there are none. */
  async prepare(resource: ResourceModel): Promise<void> {
    if (targetsOf(resource).some((plural) => !this.known.has(plural))) await this.renew(resource);
  }

  /** Makes new ones, after those that there were have been referred to. */
  async renew(resource: ResourceModel): Promise<void> {
    const { session } = this;
    for (const plural of targetsOf(resource)) {
      const target = this.targetOf(resource, plural);
      if (target === null || session.obstacle(target, ["create"]) !== null) continue;
      const taken = await madeToRefer(session, target);
      if (taken !== null && "entity" in taken) this.known.set(plural, taken.entity);
    }
  }

  /** The resource of which each body gets an entity of its own; null where there are not enough of them. */
  targetOf(resource: ResourceModel, plural: string): ResourceModel | null {
    const target = this.session.resources.find(
      ({ version, name }) => version === resource.version && name.plural === plural,
    );
    if (target === undefined || target.entity === resource.entity) return null;
    return this.session.isFew(target) ? null : target;
  }
}

function targetsOf(resource: ResourceModel): readonly string[] {
  const plurals = togetherReferences(resource).map(({ target }) => target?.name.plural ?? "");
  return [...new Set(plurals)];
}
