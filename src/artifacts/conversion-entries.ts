import { ts, word } from "../naming/code.js";
import { callDoc, prefixed, type Doc } from "../naming/doc.js";
import { literal, type TsCode } from "../naming/encoders.js";
import { upperFirst } from "../naming/resource-name.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type {
  ConversionModel,
  MemberModel,
  PairModel,
  ValueModel,
} from "../model/conversion-model.js";
import { keptView } from "./reader-code.js";
import { conversionName, isCompound, isSame } from "./shaped.js";

/** What the newer side of a pair is made of has a name beside those of the older version, with all that it holds. */
export function asNewer(member: MemberModel): MemberModel {
  const { property, value } = member;
  const path = `newer${upperFirst(property.path)}`;
  return { ...member, property: { ...property, path }, value: newerValue(value) };
}

function newerValue(value: ValueModel): ValueModel {
  if (value.kind === "items") return { ...value, item: newerValue(value.item) };
  if (value.kind !== "object") return value;
  const { members, hidden, pairs } = value.object;
  const made = pairs.map((pair) => ({ ...pair, inNewer: pair.inNewer.map(asNewer) }));
  return { ...value, object: { members: members.map(asNewer), hidden, pairs: made } };
}

/** `status: statusConversion.toShown(order.status)` */
export function shownEntries(
  members: readonly MemberModel[],
  holder: TsCode,
  pairs: readonly PairModel[],
): Doc[] {
  return members.map((member) => {
    const { property, origin, pair } = member;
    const made = pairs.find(({ name }) => name === pair);
    const from = ts`${made === undefined ? holder : inVersion(made.older.version)}.${word(origin.name)}`;
    return prefixed(ts`${word(property.name)}: `, shownValue(member, from));
  });
}

/** The variable that holds what a pair gives for a version: `inV1`. */
export function inVersion(version: string): TsCode {
  return word(`in${upperFirst(version)}`);
}

/** What is shown of a stored value. */
export function shownValue(member: MemberModel, from: TsCode): Doc {
  return isSame(member.value) ? from : callDoc(ts`${conversionName(member)}.toShown`, [from]);
}

/** Everything that an object of a body holds when it is stored: inside of others, any may be new. */
export function storedInside(conversion: ConversionModel): Doc[] {
  const { members, hidden, pairs } = conversion;
  const order = [
    ...members.flatMap(({ origin, pair }) => (pair === null ? [origin] : [])),
    ...pairs.flatMap(({ inNewer }) => inNewer.map(({ origin }) => origin)),
    ...hidden,
  ];
  return storedEntries(conversion, { order, isNew: true, initial: null, isWhole: false });
}

/** How what is stored is told. */
interface StoredSource {
  readonly order: readonly PropertyModel[];
  /** Nothing may be stored yet. */
  readonly isNew: boolean;
  readonly initial: Initial | null;
  /** It is the entity itself: what it has been shown as is at hand. */
  readonly isWhole: boolean;
}

/** Everything that is stored, in its order. */
export function storedEntries(
  { members, pairs }: ConversionModel,
  { order, isNew, initial, isWhole }: StoredSource,
): Doc[] {
  const before = (first: TsCode): Before => ({ holder: ts`stored`, first: isNew ? first : null });
  return order.map((origin) => {
    const name = word(origin.name);
    const shown = members.find((one) => one.pair === null && one.origin.name === origin.name);
    if (shown !== undefined && isWhole && isCompound(shown.value)) {
      return prefixed(ts`${name}: `, unlessShown(shown, isNew));
    }
    if (shown !== undefined) {
      const first = initial?.property === origin.name ? literal(initial.state) : ts`null`;
      const from = ts`sent.${word(shown.property.name)}`;
      return prefixed(ts`${name}: `, storedValue(shown, from, before(first)));
    }
    for (const pair of pairs) {
      const made = pair.inNewer.find((one) => one.origin.name === origin.name);
      if (made === undefined) continue;
      const from = ts`${inVersion(pair.newer.version)}.${word(made.property.name)}`;
      return prefixed(ts`${name}: `, storedValue(asNewer(made), from, before(ts`null`)));
    }
    const kept = keptView(origin, { isNew, projection: [] });
    return ts`${kept.name}: ${kept.value}`;
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
export function storedValue(member: MemberModel, from: TsCode, { holder, first }: Before): Doc {
  if (isSame(member.value)) return from;
  const name = word(member.origin.name);
  const before = first === null ? ts`${holder}.${name}` : ts`${holder}?.${name} ?? ${first}`;
  return callDoc(ts`${conversionName(member)}.toStored`, [from, before]);
}
