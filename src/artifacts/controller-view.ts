import { joined, ts, word } from "../naming/code.js";
import { arrayDoc, arrowDoc, callDoc, genericDoc, prefixed, type Doc } from "../naming/doc.js";
import { literal, type TsCode } from "../naming/encoders.js";
import { looksUpReferences, pathsOf } from "../model/references.js";
import type { ResourceModel } from "../model/resource-model.js";
import { listView, pageReply, UNDER, underCode } from "./controller-list.js";
import { resourceHeader, type HeaderView } from "./header-view.js";
import { callCode, signatureCode } from "./layout.js";
import { operationsOf, type OperationsView } from "./operations.js";
import { isReferring } from "./references-code.js";
import { isNamingReferences } from "./projection-code.js";
import { resourceNames, type ResourceNamesView } from "./resource-names.js";
import { routesView, type RoutesView } from "./routes-view.js";
import { writtenType } from "./shaped.js";
import { derivedName } from "../naming/derived-names.js";
import { accessOf, entityType, ofEntity, ofResource, propertiesType, writerOf } from "./modules.js";

/** What `resource/controller.ts.hbs` sees. */
export interface ControllerView extends HeaderView, ResourceNamesView, OperationsView, RoutesView {
  /** What is listed beside the collection itself, in words. */
  readonly listedToo: TsCode;
  readonly listSignature: TsCode;
  readonly createSignature: TsCode;
  /** The page that is answered: of the caller's query, within the alias, under the parent. */
  readonly page: TsCode;
  /** The answer to a creation. */
  readonly createdReply: TsCode;
  readonly createdSignature: TsCode;
  /** It answers reads or changes of one entity. */
  readonly answers: boolean;
  /** The answer to those, and the function that makes it: `shownTicket`. */
  readonly answer: TsCode;
  readonly answerSignature: TsCode;
  readonly answered: TsCode;
  readonly construction: TsCode;
  /** The call that stores a new entity and answers with it. */
  readonly created: TsCode;
  /** The calls that change a stored entity. */
  readonly replaced: TsCode;
  readonly updated: TsCode;
  /** `ok(await jsonPage(page, writeTicket))` */
  readonly pageReply: TsCode;
  /** What its list can be asked for: `ticketCollection`. */
  readonly listed: TsCode;
}

/** The requests that a resource answers. */
export function controllerView(resource: ResourceModel): ControllerView {
  const names = resourceNames(resource);
  const offered = operationsOf(resource);
  return {
    ...resourceHeader(resource),
    ...names,
    ...offered,
    ...listView(resource),
    ...routesView(resource),
    createdReply: createdCode(resource, names),
    createdSignature: answerSignature(resource, ts`created${names.typeName}`),
    answers: answersWithOne(offered),
    answer: answerName(names),
    answerSignature: answerSignature(resource, answerName(names)),
    answered: ts`@ok(${writtenCode(resource)}, ${names.variable})`,
    construction: constructionCode(resource),
    createSignature: signatureCode(
      ts`create`,
      [ts`call: @HttpCall`, ...underCode(resource, resource.parent === null)],
      ts`Promise<@HttpReply>`,
      { indent: 2 },
    ),
    created: createCode(resource),
    replaced: changeCode(resource, ts`replace`),
    updated: changeCode(resource, ts`update`),
    pageReply: pageReply(resource),
    listed: ofResource(resource, "validator", `${resource.name.singular}Collection`),
  };
}

/** The entities, and where their references lead, which is looked up before a body is read (REP-4). */
function constructionCode(resource: ResourceModel): TsCode {
  const { collection } = resource.name;
  const { name } = resource.entity;
  const entities = genericDoc(ts`@EntityRepository`, [entityType(name), propertiesType(name)]);
  const parameters = [prefixed(ts`private readonly ${word(collection)}: `, entities)];
  if (looksUpReferences(resource)) {
    parameters.push(ts`private readonly references: ${referencesType(resource)}`);
  }
  return ts`${callCode(ts`constructor`, parameters, { indent: 2, after: " {}" })} {}`;
}

/** The references of the entity, or those of them that a body can hold here. */
function referencesType(resource: ResourceModel): TsCode {
  const { entity, name } = resource;
  return isNamingReferences(resource)
    ? ofResource(resource, "projection", `type ${derivedName(name.typeName, "BodyReferences")}`)
    : ofEntity(entity, "references", `type ${derivedName(entity.name.typeName, "References")}`);
}

function answerName({ typeName }: Pick<ResourceNamesView, "typeName">): TsCode {
  return ts`whole${typeName}`;
}

/** `function createdTicket(ticket: Versioned<Ticket>): HttpReply` */
function answerSignature(resource: ResourceModel, answer: TsCode): TsCode {
  const { name, entity } = resource;
  const type = writtenType(resource, entityType(entity.name));
  const parameter = ts`${word(name.variable)}: @Versioned<${type}>`;
  return signatureCode(ts`function ${answer}`, [parameter], ts`@HttpReply`);
}

function answersWithOne({ reads, replaces, updates }: OperationsView): boolean {
  return reads || replaces || updates;
}

/** `created(`/api/v1/tickets/${ticket.entity.ticketId}`, writeTicket(ticket.entity), ticket)` */
function createdCode(resource: ResourceModel, names: ResourceNamesView): TsCode {
  const location = ts`\`${names.path}/\${${names.variable}.entity.${names.idProperty}}\``;
  const given = [location, writtenCode(resource), names.variable];
  return callCode(ts`@created`, given, { indent: 2, before: "return ", after: ";" });
}

/** `writeTicket(ticket.entity)` */
function writtenCode(resource: ResourceModel): TsCode {
  return ts`${writerOf(resource)}(${word(resource.name.variable)}.entity)`;
}

/** `this.tickets.create(() => ticketBodies.create(call.body), createdTicket, call)` */
function createCode(resource: ResourceModel): TsCode {
  const { name } = resource;
  const around = { indent: 4, before: "return ", after: ";" };
  const parse = parseCode(resource, ts`create`, [], findUnderCode(resource));
  const given = [parse, ts`created${word(name.typeName)}`, ts`call`];
  return callCode(ts`this.${word(name.collection)}.create`, given, around);
}

/** `(stored) => ticketBodies.update(call.body, stored)`; what it refers to is looked up first. */
function parseCode(
  resource: ResourceModel,
  verb: TsCode,
  given: readonly TsCode[],
  find: Doc = callDoc(ts`await @lookUp`, [ts`this.references`, ts`call`, ...given]),
): Doc {
  const bodies = ofResource(resource, "validator", `${resource.name.singular}Bodies`);
  const parse = ts`${bodies}.${verb}`;
  const parameters = joined(given, ", ");
  const known = [ts`call.body`, ...given];
  if (!isReferring(resource)) return arrowDoc(ts`(${parameters})`, callDoc(parse, known));
  return arrowDoc(ts`async (${parameters})`, callDoc(parse, [...known, find]));
}

/** The path names the parent of a new child, or what another reference leads to (CHD-1). */
function findUnderCode(resource: ResourceModel): Doc | undefined {
  const { parent, name, version } = resource;
  if (pathsOf(resource).length === 0) return undefined;
  const own =
    parent !== null && asksForParent(resource)
      ? [arrayDoc([literal(parent.property), accessOf(name, version)])]
      : [];
  return callDoc(ts`await @resolveUnder`, [UNDER, ts`call`, ...own]);
}

/** AUT-2: who may create it depends on the parent. */
export function asksForParent({ access: { create } }: ResourceModel): boolean {
  return create.some((grant) => grant.startsWith("parent:")) && !create.includes("anyone");
}

/** `this.tickets.change((stored) => ticketBodies.update(call.body, stored), wholeTicket, call)` */
function changeCode(resource: ResourceModel, verb: TsCode): TsCode {
  const { name } = resource;
  const parse = parseCode(resource, verb, [ts`stored`]);
  const around = { indent: 4, before: "return ", after: ";" };
  const change = ts`this.${word(name.collection)}.change`;
  return callCode(change, [parse, answerName(resourceNames(resource)), ts`call`], around);
}
