import { joined, ts, word } from "../naming/code.js";
import { constantName } from "../naming/constant-name.js";
import {
  arrowDoc,
  callDoc,
  flat,
  genericDoc,
  mostWidth,
  objectDoc,
  prefixed,
  printed,
  WIDTH,
  type Brackets,
} from "../naming/doc.js";
import { doc, type DocComment } from "../naming/doc-comment.js";
import { literal, type TsCode } from "../naming/encoders.js";
import type { ObjectType } from "../kinds/object/object-type.js";
import {
  bodiesOf,
  hasInput,
  leadsToEntities,
  refers,
  referringBodiesOf,
  type ActionModel,
} from "../model/action-model.js";
import { referencesOf } from "../model/references.js";
import type { ResourceModel } from "../model/resource-model.js";
import { answeredDto, sentDto } from "./dtos.js";
import { callCode } from "./layout.js";
import { ofSchema } from "../naming/imported.js";
import { actionsType, entityType, ofResource } from "./modules.js";

/** The function that puts together what an action is made of. */
export interface MadeAction {
  readonly name: TsCode;
  /** `function cancelAction(own: OrderActions): EntityAction<...> {` */
  readonly signature: TsCode;
  readonly entries: readonly { readonly entry: TsCode }[];
}

/** An action as the service's own code calls it. */
export interface CalledAction {
  readonly documented: boolean;
  readonly doc: DocComment;
  /** `cancel(id: string, input: GivenOrderCancelInput): Promise<Order>;` */
  readonly signature: TsCode;
  /** `cancel: async (id, input) => calls.change(cancelAction(own), id, input),` */
  readonly value: TsCode;
}

/** `CANCEL_ORDER` */
export function rulesName({ name }: ResourceModel, action: ActionModel): TsCode {
  return word(constantName(`${action.name}${name.typeName}`));
}

/** `cancelAction` */
function makerName({ name }: ActionModel): TsCode {
  return ts`${word(name)}Action`;
}

/** `function cancelAction(own: OrderActions): EntityAction<Order, ServiceContext, null, void> {` */
export function makerSignature(
  head: TsCode,
  parameters: readonly TsCode[],
  made: Brackets,
): TsCode {
  const whole = ts`${head}(${joined(parameters, ", ")}): ${flat(made)} {`;
  if (mostWidth(whole) <= WIDTH) return whole;
  const lines = joined(
    parameters.map((parameter) => ts`\n  ${parameter},`),
    "",
  );
  return ts`${head}(${lines}\n): ${printed(made, { before: "): ", after: " {" })} {`;
}

/** `own: OrderActions`, and where references lead where there are some. */
export function makerParameters({ name, entity }: ResourceModel, isReferring: boolean): TsCode[] {
  const own = ts`own: ${actionsType(entity.name)}`;
  const references = ts`references: ${word(name.typeName)}ActionReferences`;
  return isReferring ? [own, references] : [own];
}

/** `transferAction(own, references)` */
export function makerCall(action: ActionModel, own: TsCode, references: TsCode): Brackets {
  return callDoc(makerName(action), refers(action) ? [own, references] : [own]);
}

/** `orderActionReferences`; null where no action refers to anything. */
function actionReferencesName(resource: ResourceModel): string | null {
  if (referringBodiesOf(resource).length === 0) return null;
  return `${resource.name.singular}ActionReferences`;
}

/** `orderActionReferences(entities)`; nothing where no action refers to anything. */
export function actionReferencesCode(resource: ResourceModel): TsCode[] {
  const name = actionReferencesName(resource);
  if (name === null) return [];
  const references = ofResource(resource, "actions", name);
  return [ts`${references}(${leadsToEntities(resource) ? ts`entities` : ts``})`];
}

/** `transferInput` */
export function referencesName({ name, input }: ActionModel, body: ObjectType): string {
  return `${name}${body === input ? "Input" : "Answer"}`;
}

/** `ResolvedTransferInputReferences` */
export function resolvedType({ localName }: ObjectType): string {
  return `Resolved${localName}References`;
}

/** Whether what an action answers holds references. */
function answersReferences(action: ActionModel): boolean {
  return bodiesOf(action).includes(action.answer) && referencesOf(action.answer).length > 0;
}

/** What an action asks, reads and does. */
export function madeAction(resource: ResourceModel, action: ActionModel): MadeAction {
  const isOnEntity = action.on === "entity";
  const types = [
    ...(isOnEntity ? [entityType(resource.entity.name)] : []),
    ts`@ServiceContext`,
    hasInput(action) ? ofSchema(`type ${action.input.typeName}`) : ts`null`,
    resultType(action),
  ];
  const made = genericDoc(isOnEntity ? ts`@EntityAction` : ts`@CollectionAction`, types);
  return {
    name: word(action.name),
    signature: makerSignature(
      ts`function ${makerName(action)}`,
      makerParameters(resource, refers(action)),
      made,
    ),
    entries: [
      ts`rules: ${rulesName(resource, action)}`,
      readCode(action),
      ...answerReferencesCode(action),
      ...enterCode(resource, action),
      runCode(resource, action),
    ].map((entry) => ({ entry })),
  };
}

/** How the service's own code calls an action, and what is done then. */
export function calledAction(resource: ResourceModel, action: ActionModel): CalledAction {
  const comment = doc(action.description, 2);
  const isOnEntity = action.on === "entity";
  const given = [...(isOnEntity ? [ts`id`] : []), ...(hasInput(action) ? [ts`input`] : [])];
  const parameters = [
    ...(isOnEntity ? [ts`id: string`] : []),
    ...(hasInput(action)
      ? [ts`input: ${ofResource(resource, "dto", `type ${sentDto(action).name}`)}`]
      : []),
  ];
  const isEntity = action.answers === "entity";
  const answered = isEntity
    ? entityType(resource.entity.name)
    : ofResource(resource, "dto", `type ${answeredDto(action).name}`);
  const result = action.answers === "nothing" ? ts`void` : answered;
  const tail = ts`: Promise<${result}>;`;
  const method = isEntity ? ts`change` : isOnEntity ? ts`ask` : ts`askAll`;
  const made = makerCall(action, ts`own`, ts`references`);
  const value = arrowDoc(
    ts`${word(action.name)}: async (${joined(given, ", ")})`,
    callDoc(ts`calls.${method}`, [made, ...given]),
  );
  return {
    documented: comment !== "",
    doc: comment,
    signature: ts`${callCode(word(action.name), parameters, { indent: 2, after: tail })}${tail}`,
    value: printed(value, { indent: 4, after: "," }),
  };
}

/** What the code of an action returns. */
function resultType({ answers, answer }: ActionModel): TsCode {
  return answers === "object" ? ofSchema(`type ${answer.typeName}`) : ts`void`;
}

/** `read: parseCancelInput`; with what its references lead to, where it holds some. */
function readCode(action: ActionModel): TsCode {
  const { input } = action;
  const parse = hasInput(action) ? ts`parse${word(input.localName)}` : ts`@noInput`;
  if (referencesOf(input).length === 0) return ts`read: ${parse}`;
  const references = ts`references.${word(referencesName(action, input))}`;
  return printed(callDoc(ts`...@referringInput`, [references, parse]), { indent: 4, after: "," });
}

/** `answerReferences: references.transferAnswer`, where the code that hooks follow answers some. */
function answerReferencesCode(action: ActionModel): TsCode[] {
  if (action.on !== "entity" || !answersReferences(action)) return [];
  return [ts`answerReferences: references.${word(referencesName(action, action.answer))}`];
}

function enterCode({ entity }: ResourceModel, { leadsTo }: ActionModel): TsCode[] {
  if (leadsTo === null || entity.states === null) return [];
  const property = word(entity.states.property);
  return [ts`enter: (next) => {\n      next.${property} = ${literal(leadsTo)};\n    }`];
}

/** `run: (next, input, context) => own.cancel(next, input, context)`; an answer of its own is read before anything is stored. */
function runCode({ entity }: ResourceModel, action: ActionModel): TsCode {
  const taken = action.on === "entity" ? [ts`next`] : [];
  const input = hasInput(action) ? ts`input` : ts`_input`;
  const given = [...taken, ...(hasInput(action) ? [input] : []), ts`context`];
  const parameters = joined([...taken, input, ts`context`], ", ");
  const code = callDoc(ts`own.${word(action.name)}`, given);
  if (action.answers !== "object") {
    return printed(arrowDoc(ts`run: (${parameters})`, code), { indent: 4, after: "," });
  }
  const told = literal(`${action.name} of ${entity.name.plural}`);
  const parse = ts`parse${word(action.answer.localName)}`;
  const answered = prefixed(ts`await `, code);
  if (!answersReferences(action)) {
    const read = callDoc(ts`@readAnswer`, [told, parse, answered]);
    return printed(arrowDoc(ts`run: async (${parameters})`, read), { indent: 4, after: "," });
  }
  const references = ts`references.${word(referencesName(action, action.answer))}`;
  const how = objectDoc([ts`name: ${told}`, ts`references: ${references}`, ts`read: ${parse}`]);
  const read = callDoc(ts`@referringAnswer`, [how, answered, ts`request`]);
  const head = ts`run: async (${parameters}, request)`;
  return printed(arrowDoc(head, read), { indent: 4, after: "," });
}
