import type { ResourceModel } from "../model/resource-model.js";
import { isObject, type JsonObject } from "../samples/json.js";
import { fullBody, type BodySeed } from "./bodies.js";
import { CannotMake } from "./check.js";
import { led, type Guide } from "./led.js";
import type { Make } from "./samples.js";
import type { Session } from "./session.js";

type Making = Guide & Pick<Session, "resources" | "prepare" | "placeOf"> & { nextSeed(): BodySeed };

/** Values that samples make for each body anew: what own code accepts once, such as a machine that nobody has rented yet. */
export class MadeSamples {
  /** By the path of the resource. */
  private readonly ready = new Map<string, JsonObject>();
  private readonly failed = new Map<string, string>();
  private readonly making = new Set<string>();
  private turn = 0;

  constructor(private readonly session: Making) {}

  /** Those for the next body of a resource; none where nothing is made for it, or not yet. Throws `CannotMake` where they could not be made. */
  of(path: string): JsonObject {
    const failed = this.failed.get(path);
    if (failed !== undefined) throw new CannotMake(failed);
    return this.ready.get(path) ?? {};
  }

  /** Whether a value refers to the entity at a path. */
  has(path: string): boolean {
    const id = path.slice(path.lastIndexOf("/") + 1);
    return JSON.stringify([...this.ready.values()]).includes(`"${id}"`);
  }

  /** Makes them for a resource, where there are none. */
  async prepare(resource: ResourceModel): Promise<void> {
    if (!this.ready.has(resource.path)) await this.renew(resource);
  }

  /** Makes others, after those that there were may have been stored; what goes wrong is told where the next body is made. */
  async renew(resource: ResourceModel): Promise<void> {
    const { path, name } = resource;
    const values = this.session.options.samples.get(path)?.made ?? null;
    // What is made may need one of its own kind.
    if (values === null || this.making.has(path)) return;
    this.making.add(path);
    this.ready.delete(path);
    this.failed.delete(path);
    try {
      this.turn += 1;
      this.ready.set(path, await values(this.makeFor(resource), this.turn));
    } catch (error) {
      if (this.session.options.signal.aborted) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      this.failed.set(path, `the sample of ${name.plural}: ${reason}`);
    } finally {
      this.making.delete(path);
    }
  }

  /** What a function of the samples makes others with, in the version of its resource. */
  private makeFor({ version }: ResourceModel): Make {
    return async (plural, values = {}) => {
      const { session } = this;
      const target = session.resources.find(
        (one) => one.version === version && one.name.plural === plural,
      );
      if (target === undefined)
        throw new CannotMake(`it makes ${plural}, which ${version} does not have`);
      await session.prepare(target);
      const body = { ...fullBody(target, session.nextSeed()), ...values };
      const { answer } = await session.send("POST", session.placeOf(target), { body });
      const made =
        answer.status === 201 && isObject(answer.json)
          ? await led(session, target, answer.json)
          : null;
      if (made !== null && "entity" in made) {
        const id = target.name.idProperty;
        return { [id]: String(made.entity[id]) };
      }
      const reason = made?.reason ?? `the answer was ${answer.status} ${answer.text}`;
      throw new CannotMake(`it could not make one of ${plural}: ${reason}`);
    };
  }
}
