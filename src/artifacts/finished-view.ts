import { ts, word } from "../naming/code.js";
import { arrowDoc, callDoc, printed } from "../naming/doc.js";
import type { TsCode } from "../naming/encoders.js";
import type { ResourceModel } from "../model/resource-model.js";
import { needsShown, needsStored } from "./conversion-constants.js";
import { isReferring } from "./references-view.js";
import { isShaped } from "./shaped.js";

/** What a body comes to, once it is read. */
export interface FinishedView {
  /** What a new entity holds, and a changed one. */
  readonly createdValue: TsCode;
  readonly changedValue: TsCode;
  /** What is shown of what is stored has a name of its own, since more than one asks for it. */
  readonly showsFirst: boolean;
  readonly shownValue: TsCode;
}

const NOTHING = ts`null`;

/** What is stored of a body that was read. */
export function finishedView(resource: ResourceModel): FinishedView {
  const stored = ts`stored`;
  return {
    createdValue: finishedCode(resource, NOTHING),
    changedValue: finishedCode(resource, stored),
    showsFirst: isShowingFirst(resource),
    shownValue: shownCode(resource, stored),
  };
}

/** `input.finish(readTicket(input, stored, references))`; with what is stored of that where it is converted (VER-2). */
function finishedCode(resource: ResourceModel, stored: TsCode): TsCode {
  const typeName = word(resource.name.typeName);
  const isChange = isShaped(resource) && stored !== NOTHING;
  const isFirst = isShowingFirst(resource);
  const shown = isFirst ? ts`shown` : shownCode(resource, stored);
  const before = isChange ? shown : stored;
  const references = isReferring(resource) ? [ts`references`] : [];
  const read = callDoc(ts`read${typeName}`, [ts`input`, before, ...references]);
  if (!isShaped(resource)) {
    return printed(callDoc(ts`input.finish`, [read]), { indent: 2, before: "return ", after: ";" });
  }
  const given = needsStored(resource.conversion) ? [stored] : [];
  const givenShown = isFirst ? [before] : [];
  const call = callDoc(ts`stored${typeName}`, [ts`sent`, ...given, ...givenShown]);
  const convert = arrowDoc(ts`(sent)`, call);
  const finished = callDoc(ts`input.finishAs`, [convert, read]);
  return printed(finished, { indent: 2, before: "return ", after: ";" });
}

/** What is stored follows from what was shown as well (VER-2). */
function isShowingFirst(resource: ResourceModel): boolean {
  return isShaped(resource) && needsShown(resource.conversion);
}

/** `shownTicket(stored)` */
function shownCode({ name }: ResourceModel, stored: TsCode): TsCode {
  return ts`shown${word(name.typeName)}(${stored})`;
}
