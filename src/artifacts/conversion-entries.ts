import { ts, word } from "../naming/code.js";
import { callDoc, prefixed, type Doc } from "../naming/doc.js";
import { literal, type TsCode } from "../naming/encoders.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { ConversionModel, MemberModel } from "../model/conversion-model.js";
import { isFilledIn } from "../model/own-pairs.js";
import { keptView } from "./reader-code.js";
import { conversionName, isCompound, isSame } from "./shaped.js";

/** `status: statusConversion.toShown(order.status)` */
export function shownEntries(members: readonly MemberModel[], holder: TsCode): Doc[] {
  return members.map((member) => {
    const { property, origin } = member;
    return prefixed(
      ts`${word(property.name)}: `,
      shownValue(member, ts`${holder}.${word(origin.name)}`),
    );
  });
}

/** What is shown of a stored value. */
function shownValue(member: MemberModel, from: TsCode): Doc {
  return isSame(member.value) ? from : callDoc(ts`${conversionName(member)}.toShown`, [from]);
}

/** Everything that an object of a body holds when it is stored: inside of others, any may be new. */
export function storedInside(conversion: ConversionModel, version: string): Doc[] {
  const { stored: order } = conversion;
  return storedEntries(conversion, { order, version, isNew: true, initial: null, isWhole: false });
}

/** How what is stored is told. */
interface StoredSource {
  readonly order: readonly PropertyModel[];
  /** The version of the body. */
  readonly version: string;
  /** Nothing may be stored yet. */
  readonly isNew: boolean;
  readonly initial: Initial | null;
  /** It is the entity itself: what it has been shown as is at hand. */
  readonly isWhole: boolean;
}

/** Everything that is stored, in its order. */
export function storedEntries(
  { members }: ConversionModel,
  { order, version, isNew, initial, isWhole }: StoredSource,
): Doc[] {
  const before = (first: TsCode): Before => ({ holder: ts`stored`, first: isNew ? first : null });
  return order.map((origin) => {
    const name = word(origin.name);
    const shown = members.find((one) => one.origin.name === origin.name);
    if (shown === undefined) {
      if (isNew && isFilledIn(origin, version)) return ts`${name}: @unfilled(stored?.${name})`;
      const kept = keptView(origin, { isNew, projection: [] });
      return ts`${kept.name}: ${kept.value}`;
    }
    if (isWhole && isCompound(shown.value))
      return prefixed(ts`${name}: `, unlessShown(shown, isNew));
    const first = initial?.property === origin.name ? literal(initial.state) : ts`null`;
    const from = ts`sent.${word(shown.property.name)}`;
    return prefixed(ts`${name}: `, storedValue(shown, from, before(first)));
  });
}

/** What an entity is before it is stored for the first time (STA-1). */
export interface Initial {
  readonly property: string;
  readonly state: string;
}

/** Where a value was before. */
interface Before {
  readonly holder: TsCode;
  /** What there was of something that is new; null: it cannot be new. */
  readonly first: TsCode | null;
}

/** `storedOf(linesConversion, sent.lines, shown.lines, stored.lines)`: what a PATCH leaves out is not converted. */
function unlessShown(member: MemberModel, isNew: boolean): Doc {
  const access = isNew ? ts`?.` : ts`.`;
  const [name, stored] = [word(member.property.name), word(member.origin.name)];
  const before = [ts`shown${access}${name}`, ts`stored${access}${stored}`];
  return callDoc(ts`@storedOf`, [conversionName(member), ts`sent.${name}`, ...before]);
}

/** What is stored of a value that is sent. */
function storedValue(member: MemberModel, from: TsCode, { holder, first }: Before): Doc {
  if (isSame(member.value)) return from;
  const name = word(member.origin.name);
  const before = first === null ? ts`${holder}.${name}` : ts`${holder}?.${name} ?? ${first}`;
  return callDoc(ts`${conversionName(member)}.toStored`, [from, before]);
}
