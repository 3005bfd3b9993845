import { ts, word } from "../naming/code.js";
import { callDoc, prefixed, type Doc } from "../naming/doc.js";
import { literal, type TsCode } from "../naming/encoders.js";
import { upperFirst } from "../naming/resource-name.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { MemberModel, ObjectConversion, PairModel } from "../model/conversion-model.js";
import { keptView } from "./reader-view.js";
import { conversionName, isSame } from "./shaped.js";

/** What the newer side of a pair is made of has a name beside those of the older version. */
export function asNewer(member: MemberModel): MemberModel {
  const { property } = member;
  const path = `newer${upperFirst(property.path)}`;
  return { ...member, property: { ...property, path } };
}

/** `status: statusConversion.toShown(order.status)` */
export function shownEntries(
  members: readonly MemberModel[],
  holder: TsCode,
  pairs: readonly PairModel[] = [],
): Doc[] {
  return members.map((member) => {
    const { property, origin, pair } = member;
    const made = pairs.find(({ name }) => name === pair);
    const from = ts`${made === undefined ? holder : inVersion(made.older)}.${word(origin.name)}`;
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

/** Everything that is stored, in its order. */
export function storedEntries(
  { members, hidden }: ObjectConversion,
  pairs: readonly PairModel[],
  order: readonly PropertyModel[] = originsOf(members, hidden),
  initial: Initial | null = null,
): Doc[] {
  return order.map((origin) => {
    const name = word(origin.name);
    const shown = members.find((one) => one.pair === null && one.origin.name === origin.name);
    if (shown !== undefined) {
      const before = initial?.property === origin.name ? literal(initial.state) : ts`null`;
      return prefixed(
        ts`${name}: `,
        storedValue(shown, ts`sent.${word(shown.property.name)}`, before),
      );
    }
    for (const pair of pairs) {
      const made = pair.inNewer.find((one) => one.origin.name === origin.name);
      if (made === undefined) continue;
      const from = ts`${inVersion(pair.newer)}.${word(made.property.name)}`;
      return prefixed(ts`${name}: `, storedValue(asNewer(made), from, ts`null`));
    }
    const kept = keptView(origin, { isNew: true, projection: [] });
    return ts`${kept.name}: ${kept.value}`;
  });
}

function originsOf(
  members: readonly MemberModel[],
  hidden: readonly PropertyModel[],
): readonly PropertyModel[] {
  return [...members.map(({ origin }) => origin), ...hidden];
}

/** What an entity is before it is stored for the first time (STA-1). */
export interface Initial {
  readonly property: string;
  readonly state: string;
}

function storedValue(member: MemberModel, from: TsCode, before: TsCode): Doc {
  if (isSame(member.value)) return from;
  const stored = ts`stored?.${word(member.origin.name)} ?? ${before}`;
  return callDoc(ts`${conversionName(member)}.toStored`, [from, stored]);
}
