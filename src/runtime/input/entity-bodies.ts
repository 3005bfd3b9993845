import { BodyInput } from "./body-input.js";
import type { JsonObject } from "./json.js";

/** How an entity is read from a body, whatever the operation. */
interface EntityReading<Shown, Sent, References> {
  /** `shown` is what a change starts from, and null for a new entity. */
  read(input: BodyInput, shown: Shown | null, references: References): Sent;
  /** All that a PUT must hold (OPS-4); left out: nothing. */
  readonly replaced?: readonly string[];
}

/** How a version with a shape of its own shows what is stored, and stores what it was sent (VER-2). */
interface Conversion<Shown, Sent, Stored, Properties> {
  shown(stored: Stored): Shown;
  stored(sent: Sent, stored: Stored | null, shown: Shown | null): Properties;
}

/** The bodies of a resource, read to what is stored. Each throws `InvalidBody` with every issue. */
export interface EntityBodies<Stored, Properties, References> {
  /** POST: a whole new entity (OPS-1). */
  create(body: JsonObject, references: References): Properties;
  /** PUT: all that can be updated (OPS-4). */
  replace(body: JsonObject, stored: Stored, references: References): Properties;
  /** PATCH: any part of it (OPS-5, RFC 7396). */
  update(body: JsonObject, stored: Stored, references: References): Properties;
}

/**
 * The bodies of a version that shows what is stored as it is stored. A PUT may leave out what was `addedLater`, after the
 * version was published (OPS-4).
 */
export function entityBodies<Stored, Properties, References>(
  reading: EntityReading<Stored, Properties, References>,
  { addedLater = [] }: { readonly addedLater?: readonly string[] } = {},
): EntityBodies<Stored, Properties, References> {
  const replaced = reading.replaced?.filter((name) => !addedLater.includes(name)) ?? [];
  const conversion = { shown: asItIs<Stored>, stored: asItIs<Properties> };
  return convertedBodies({ ...reading, ...conversion, replaced });
}

/** Those of a version with a shape of its own (VER-2). */
export function convertedBodies<Shown, Sent, Stored, Properties, References>(
  given: EntityReading<Shown, Sent, References> & Conversion<Shown, Sent, Stored, Properties>,
): EntityBodies<Stored, Properties, References> {
  const { replaced = [] } = given;
  const read = (input: BodyInput, stored: Stored | null, references: References): Properties => {
    const shown = stored === null ? null : given.shown(stored);
    return input.finishAs(
      (sent: Sent) => given.stored(sent, stored, shown),
      given.read(input, shown, references),
    );
  };
  return {
    create: (body, references) => read(new BodyInput(body), null, references),
    replace(body, stored, references) {
      const input = new BodyInput(body, "replace");
      input.requireAll(replaced);
      return read(input, stored, references);
    },
    update: (body, stored, references) => read(new BodyInput(body, "merge"), stored, references),
  };
}

function asItIs<Value>(value: Value): Value {
  return value;
}
