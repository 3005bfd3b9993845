// Checks values of custom code by the rules for bodies (REP-9).

import type { CommonFields } from "../base/common-fields.js";
import { OwnCodeFault } from "../base/custom-code.js";
import { ApiError, type FieldIssue } from "../base/errors.js";
import type { RequestContext } from "../http/request.js";
import { BodyInput } from "../input/bodies.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../input/json.js";
import { asStored } from "../input/lists.js";
import { Report } from "../input/report.js";
import { filledByCode } from "./conversion.js";
import {
  objectsByIdentifier,
  withIdentifiers,
  type PlacedReference,
  mapReferences,
  resolveOwn,
  type References,
  type ResolvedReferences,
} from "./references.js";
import type { EntityShape } from "./entity-service.js";

/** A write of custom code, with its input. */
interface CustomWrite<Properties> {
  /** The name of the hook or action: `beforeCreate`. */
  readonly hook: string;
  readonly written: unknown;
  /** The input of the hook. */
  readonly before: Properties;
  /** The stored properties, or null for a new entity. */
  readonly stored: Properties | null;
  /** The ending of an action, whose starting state was checked before (OPS-11). Null or missing for a create or an update. */
  readonly action?: ActionEnding | null;
}

/** The ending of an action: its target state. Null means that its code and the transitions decide. */
export interface ActionEnding {
  readonly leadsTo: string | null;
}

/** Reads the values that custom code writes, before they are stored or sent (REP-9). */
export class CustomValues<Entity extends CommonFields & Properties, Properties> {
  constructor(private readonly parts: EntityShape<Entity, Properties>) {}

  /** Reads the result of a hook or an action, with every value in canonical form. Throws `OwnCodeFault`. */
  async read(write: CustomWrite<Properties>, context: RequestContext): Promise<Properties> {
    const { before, stored } = write;
    const { references } = this.parts;
    const written = withIdentifiers(this.objectOf(write.hook, write.written), references);
    const resolved = await this.resolve(written, before, context);
    const properties = this.readProperties(write.hook, { written, stored, resolved });
    this.checkState(write, properties);
    return properties;
  }

  /** Reads an entity with the values that `complete` supplied. Throws `OwnCodeFault`. */
  shown(entity: Entity, completed: unknown): Entity {
    const { store, references } = this.parts;
    const written = this.objectOf("complete", completed);
    const report = new Report(true);
    const resolved = mapReferences(references, (placed) =>
      placed.reference.readSupplied === undefined
        ? objectsByIdentifier(entity, placed)
        : suppliedValues(written, placed, report),
    );
    const supplied = this.readProperties("complete", { written, stored: null, resolved, report });
    const { conversions = [] } = this.parts;
    const write = { next: supplied, before: [entity] };
    const read = filledByCode<Properties>(conversions, write, `complete of ${store.table.name}`);
    const { createdDate, createdSubject, lastModifiedDate, lastModifiedSubject } = entity;
    const common = { createdDate, createdSubject, lastModifiedDate, lastModifiedSubject };
    return store.table.assemble(store.table.identify(entity), read, common);
  }

  /**
   * Reads properties that custom code passed to a store. Does not look up references, because the database checks
   * them. Throws `OwnCodeFault`.
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

  /** Looks up only the references that the hook added. */
  private async resolve(
    written: JsonObject,
    before: Properties,
    context: RequestContext,
  ): Promise<ResolvedReferences<References>> {
    const { references, reader } = this.parts;
    const resolved = await resolveOwn<References>(references, { written, before }, context);
    const { [reader.parent ?? ""]: parent } = resolved;
    // CHD-2: a hook cannot change the parent.
    const named = parent && { ...parent, parent: [...parent.entities.values()][0] };
    return named === undefined || reader.parent === null
      ? resolved
      : { ...resolved, [reader.parent]: named };
  }

  /** STA-1, STA-3: checks the states. Properties that only custom code writes can change in every state. */
  private checkState(
    { hook, stored, action = null }: CustomWrite<Properties>,
    next: Properties,
  ): void {
    const { states, reader, store } = this.parts;
    if (states === null) return;
    const leadsTo = action?.leadsTo ?? null;
    if (leadsTo !== null) {
      // The action makes its own transition, and no other one.
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
    // The readers reject values that are not JSON.
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

/** Reads the embedded values that custom code supplied for a reference. */
function suppliedValues(
  written: JsonObject,
  placed: PlacedReference,
  report: Report,
): ReadonlyMap<string, unknown> {
  const { path, reference } = placed;
  const supplied = new Map<string, unknown>();
  for (const [id, item] of objectsByIdentifier(written, placed)) {
    supplied.set(id, reference.readSupplied?.(item as JsonObject, path, report));
  }
  return supplied;
}

/** Reduces the references in the input of an action to identifiers: custom code may pass whole entities (REP-4). */
export function identifiersOnly(
  { references }: { readonly references?: References },
  input: object | undefined,
): object | undefined {
  if (references === undefined || input === undefined) return input;
  // The readers reject values that are not JSON.
  return withIdentifiers(input as JsonObject, references);
}
