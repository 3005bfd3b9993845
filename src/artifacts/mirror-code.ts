import { joined, ts, word } from "../naming/code.js";
import { literal, type TsCode } from "../naming/encoders.js";
import type { EntityModel } from "../model/entity-model.js";
import { arrayCode } from "./layout.js";
import { showingReferences, type ShowingReference } from "./reference-sql.js";

/**
 * The members that hold the entity as it is now in place of each reference that leads to it: those that show more than
 * identifiers, so that a change of the entity changes what is shown of it there.
 */
export function mirrorEntries(entity: EntityModel): TsCode[] {
  const { table } = entity.name;
  const own = showingReferences(entity).filter(({ target }) => target.name.table === table);
  const roots = new Set(own.map(({ property }) => rootOf(property.path)));
  return [...roots].map((root) => {
    const among = own.filter(({ property }) => rootOf(property.path) === root);
    const holder = word(entity.name.variable);
    const value = among.reduce(
      (code, reference) => mirrored(code, reference, entity),
      ts`${holder}.${word(root)}`,
    );
    return ts`${word(root)}: ${value}`;
  });
}

function rootOf(path: string): string {
  return path.split(".")[0] ?? path;
}

function mirrored(
  value: TsCode,
  { property, type, isLinked }: ShowingReference,
  { name }: EntityModel,
): TsCode {
  const [holder, id] = [word(name.variable), word(name.idProperty)];
  const members = [type.identifier, ...type.embedded].map(
    (shown) => ts`${word(shown.name)}: ${holder}.${word(shown.name)}`,
  );
  const itself = ts`{ ${joined(members, ", ")} }`;
  if (!isLinked) return ts`${value}?.${id} === ${holder}.${id} ? ${itself} : ${value}`;
  const steps = arrayCode(property.path.split(".").slice(1).map(literal));
  return ts`@withItself(${value}, ${steps}, ${literal(name.idProperty)}, ${itself})`;
}
