import type { CommonFields } from "../base/common-fields.js";
import { OwnCodeFault } from "../base/custom-code.js";
import { ApiError, type FieldIssue } from "../base/errors.js";
import type { RequestContext } from "../http/request.js";
import { BodyInput } from "../input/bodies.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../input/json.js";
import { asStored } from "../input/lists.js";
import { Report } from "../input/report.js";
import { objectsByIdentifier, withIdentifiers, type PlacedReference } from "./reference-paths.js";
import {
  mapReferences,
  resolveOwn,
  type References,
  type ResolvedReferences,
} from "./references.js";
import type { EntityShape } from "./service.js";

/** What is read of own code, and what it was made of. */
interface OwnWrite<Properties> {
  /** The hook that wrote it: `beforeCreate`. */
  readonly hook: string;
  readonly written: unknown;
  /** What the hook was given. */
  readonly before: Properties;
  /** What is stored; null where it is new. */
  readonly stored: Properties | null;
  /** It is of an action, which has been asked for the states that allow it; left out: of a change (OPS-11). */
  readonly action?: Ending | null;
}

/** How an action ends: in the state that it leads to; null: where its code and the transitions say. */
export interface Ending {
  readonly leadsTo: string | null;
}

/** Reads what the service's own code makes of an entity, before it is stored or sent (REP-9). */
export class OwnWrites<Entity extends CommonFields & Properties, Properties> {
  constructor(private readonly parts: EntityShape<Entity, Properties>) {}

  /** What a hook has made, with every value in its one form. Throws `OwnCodeFault`. */
  async read(write: OwnWrite<Properties>, context: RequestContext): Promise<Properties> {
    const { before, stored } = write;
    const { references } = this.parts;
    const written = withIdentifiers(this.objectOf(write.hook, write.written), references);
    const resolved = await this.resolve(written, before, context);
    const properties = this.readProperties(write.hook, { written, stored, resolved });
    this.checkState(write, properties);
    return properties;
  }

  /** What `complete` has made of an entity that is shown. Throws `OwnCodeFault`. */
  shown(entity: Entity, completed: unknown): Entity {
    const { store, references } = this.parts;
    const written = this.objectOf("complete", completed);
    const report = new Report(true);
    const resolved = mapReferences(references, (placed) =>
      placed.reference.readSupplied === undefined
        ? objectsByIdentifier(entity, placed)
        : suppliedIn(written, placed, report),
    );
    const read = this.readProperties("complete", { written, stored: null, resolved, report });
    const { createdDate, createdSubject, lastModifiedDate, lastModifiedSubject } = entity;
    const common = { createdDate, createdSubject, lastModifiedDate, lastModifiedSubject };
    return store.table.assemble(store.table.identify(entity), read, common);
  }

  /**
   * What own code gives to a store, or has converted: where that leads is known, or for the database to look. Throws
   * `OwnCodeFault`.
   */
  given(
    properties: Properties,
    stored: Properties | null,
    code = stored === null ? "insertion" : "change",
  ): Properties {
    const { references } = this.parts;
    const given = this.objectOf(code, properties);
    const written = withIdentifiers(given, references);
    const resolved = mapReferences(references, (placed) => objectsByIdentifier(given, placed));
    return this.readProperties(code, { written, stored, resolved });
  }

  private readProperties(
    hook: string,
    { written, stored, resolved, report = new Report(true) }: ReadRequest<Properties>,
  ): Properties {
    const input = new BodyInput(written, "own", report);
    const properties = this.parts.reader.read(input, stored, resolved);
    if (report.size > 0) throw this.fault(hook, report.issues);
    return properties;
  }

  /** Looks up only what the hook refers to anew. */
  private async resolve(
    written: JsonObject,
    before: Properties,
    context: RequestContext,
  ): Promise<ResolvedReferences<References>> {
    const { references, reader } = this.parts;
    const resolved = await resolveOwn<References>(references, { written, before }, context);
    const { [reader.parent ?? ""]: parent } = resolved;
    // CHD-2: the path has said which one it is.
    const named = parent && { ...parent, parent: [...parent.entities.values()][0] };
    return named === undefined || reader.parent === null
      ? resolved
      : { ...resolved, [reader.parent]: named };
  }

  /** STA-1, STA-3: what only own code writes can be written in every state. */
  private checkState(
    { hook, stored, action = null }: OwnWrite<Properties>,
    next: Properties,
  ): void {
    const { states, reader, store } = this.parts;
    if (states === null) return;
    const leadsTo = action?.leadsTo ?? null;
    if (leadsTo !== null) {
      // It makes its own transition, and no other one.
      if (states.stateOf(next) === leadsTo) return;
      const message = `must be ${leadsTo}, where the action leads`;
      throw this.fault(hook, [{ field: states.property, message }]);
    }
    try {
      if (stored === null) {
        states.checkCreate(next);
        return;
      }
      states.checkTransition(stored, next);
      if (action !== null) return;
      const kept = asStored(states.keepState(next, stored), stored, reader.serviceWritten);
      if (!store.isSame(stored, kept)) states.checkUpdate(stored);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const message = `is refused by its states: ${error.details.description ?? error.message}`;
      throw this.fault(hook, [{ field: states.property, message }]);
    }
  }

  private objectOf(hook: string, written: unknown): JsonObject {
    // Whether its values are those of JSON is what the readers find out.
    const value = written as JsonValue;
    if (isJsonObject(value)) return value;
    throw this.fault(hook, [{ field: "", message: "must be an object of all properties" }]);
  }

  private fault(hook: string, fields: readonly FieldIssue[]): OwnCodeFault {
    return new OwnCodeFault(`${hook} of ${this.parts.store.table.name}`, fields);
  }
}

interface ReadRequest<Properties> {
  readonly written: JsonObject;
  readonly stored: Properties | null;
  readonly resolved: ResolvedReferences<References>;
  readonly report?: Report;
}

/** What the service's own code supplied for a reference. */
function suppliedIn(
  written: JsonObject,
  placed: PlacedReference,
  report: Report,
): ReadonlyMap<string, unknown> {
  const { path, reference } = placed;
  const supplied = new Map<string, unknown>();
  for (const [id, item] of objectsByIdentifier(written, placed)) {
    // Whether its values are those of JSON is what the readers find out.
    supplied.set(id, reference.readSupplied?.(item as JsonObject, path, report));
  }
  return supplied;
}

/** What own code sends to an action, with nothing in its references but identifiers: it may have given whole entities (REP-4). */
export function givenInput(
  { references }: { readonly references?: References },
  input: object | undefined,
): object | undefined {
  if (references === undefined || input === undefined) return input;
  // Whether its values are those of JSON is what the readers find out.
  return withIdentifiers(input as JsonObject, references);
}
