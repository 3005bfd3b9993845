import { scopesOf, storedGrants } from "./access-code.js";
import { joined, pathText, ts, word } from "../naming/code.js";
import { arrowDoc, callDoc, genericDoc, objectDoc, prefixed, type Doc } from "../naming/doc.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import { isRestricted } from "../kinds/access-model.js";
import type { ObjectType } from "../kinds/object/object-type.js";
import {
  bodiesOf,
  hasInput,
  leadsToEntities,
  operationLike,
  referringBodiesOf,
  type ActionModel,
} from "../model/action-model.js";
import { referencesOf } from "../model/references.js";
import type { ResourceModel } from "../model/resource-model.js";
import {
  calledAction,
  madeAction,
  makerCall,
  makerParameters,
  makerSignature,
  resolvedType,
  rulesName,
  type CalledAction,
  type MadeAction,
} from "./action-code.js";
import { actionReferences, allReferences, type BodyReferencesView } from "./action-references.js";
import { resourceHeader, type HeaderView } from "./header-view.js";
import { arrayCode, callCode, objectCode, signatureCode } from "./layout.js";
import { objectsOf } from "./nested.js";
import { resourceNames, type ResourceNamesView } from "./resource-names.js";
import { objectReaderCode } from "./reader-code.js";
import { ofSchema } from "../naming/imported.js";
import {
  accessOf,
  actionsType,
  entityType,
  propertiesType,
  scopeOfEntity,
  writerOf,
} from "./modules.js";

/** What `resource/actions.ts.hbs` sees. */
export interface ActionsView extends HeaderView, ResourceNamesView {
  readonly rules: readonly {
    readonly name: TsCode;
    readonly constant: TsCode;
    readonly value: TsCode;
  }[];
  readonly construction: TsCode;
  readonly actions: readonly {
    readonly name: TsCode;
    readonly path: TsCode;
    /** The call that carries it out, and answers. */
    readonly acted: TsCode;
  }[];
  readonly made: readonly MadeAction[];
  readonly called: readonly CalledAction[];
  /** `export function orderServiceActions(own: OrderActions): ActionsOf<...> {` */
  readonly serviceSignature: TsCode;
  /** What reads a body, or an answer. */
  readonly parsers: readonly {
    readonly purpose: TsCode;
    readonly signature: TsCode;
    readonly read: TsCode;
  }[];
  /** Something that an action is sent, or answers, refers to others. */
  readonly refers: boolean;
  /** `export function orderActionReferences(entities: ServiceEntities) {` */
  readonly referencesSignature: TsCode;
  readonly allReferences: TsCode;
  readonly bodies: readonly BodyReferencesView[];
  readonly objects: readonly { readonly code: TsCode }[];
}

/** The actions of a resource that has some (OPS-11). */
export function actionsView(resource: ResourceModel): ActionsView {
  const { actions } = resource;
  return {
    ...resourceHeader(resource),
    ...resourceNames(resource),
    rules: actions.map((action) => ({
      name: word(action.name),
      constant: rulesName(resource, action),
      value: rulesCode(resource, action),
    })),
    construction: constructionCode(resource),
    actions: actions.map((action) => ({
      name: word(action.name),
      path: pathText(action.path),
      acted: actedCode(resource, action),
    })),
    made: actions.map((action) => madeAction(resource, action)),
    called: actions.map((action) => calledAction(resource, action)),
    serviceSignature: serviceSignature(resource),
    parsers: actions.flatMap((action) =>
      bodiesOf(action).map((type) => ({
        purpose:
          type === action.input
            ? ts`Reads the body of POST ${pathText(action.path)}.`
            : ts`Reads what ${word(action.name)} answers, before it is sent.`,
        ...parserOf(type),
      })),
    ),
    refers: referringBodiesOf(resource).length > 0,
    referencesSignature: referencesSignature(resource),
    allReferences: allReferences(resource),
    bodies: actionReferences(resource),
    objects: actions.flatMap((action) => bodiesOf(action).flatMap(objectReaders)),
  };
}

function parserOf(type: ObjectType) {
  const isReferring = referencesOf(type).length > 0;
  const given = isReferring ? [ts`references: ${word(resolvedType(type))}`] : [];
  const references = isReferring ? [ts`references`] : [];
  const name = word(type.localName);
  return {
    signature: signatureCode(
      ts`function parse${name}`,
      [ts`body: @JsonObject`, ...given],
      ofSchema(`type ${type.typeName}`),
    ),
    read: callCode(ts`@bodyOf`, [ts`read${name}`, ts`body`, ...references], {
      indent: 2,
      before: "return ",
      after: ";",
    }),
  };
}

/** A body, and the objects in it, inner ones first. */
function objectReaders(type: ObjectType): { readonly code: TsCode }[] {
  const names = { projection: [], references: [], resolved: word(resolvedType(type)) };
  const source = { ...names, readBy: "clients" } as const;
  return [...objectsOf(type.properties).map((object) => object.type), type].map((one) => ({
    code: objectReaderCode(one, source),
  }));
}

function referencesSignature(resource: ResourceModel): TsCode {
  const entities = leadsToEntities(resource) ? ts`entities: @ServiceEntities` : ts``;
  return ts`export function ${word(resource.name.singular)}ActionReferences(${entities}) {`;
}

function rulesCode(resource: ResourceModel, action: ActionModel): TsCode {
  const { states } = action;
  const entries = [
    ts`name: ${literal(action.name)}`,
    prefixed(ts`access: `, accessDoc(resource, action)),
    ts`hasInput: ${hasInput(action)}`,
    ...(states === null ? [] : [ts`states: ${arrayCode(states.map(literal), { indent: 2 })}`]),
  ];
  const before = `export const ${rulesName(resource, action)}: ActionRules = `;
  return objectCode(entries, { before, after: ";", expanded: true });
}

/** AUT-2: the resource's own, with other grants where the action has others. */
function accessDoc(resource: ResourceModel, action: ActionModel): Doc {
  const isOwn = isRestricted(resource);
  const base = isOwn ? accessOf(resource.name, resource.version) : ts`@OPEN`;
  if (!hasOwnAccess(resource, action)) return base;
  const scopes = scopesHere(resource).map(
    ({ tie, name }) => ts`${key(tie)}: ${scopeOfEntity(name)}`,
  );
  return objectDoc([
    ts`...${base}`,
    ts`${word(operationLike(action))}: ${arrayCode(storedGrants(resource, action.access).map(literal), { indent: 4 })}`,
    ...(scopes.length === 0 ? [] : [ts`scopes: { ${joined(scopes, ", ")} }`]),
  ]);
}

function constructionCode(resource: ResourceModel): TsCode {
  const { name, entity } = resource;
  const entities = genericDoc(ts`@ActingRepository`, [
    entityType(entity.name),
    propertiesType(entity.name),
    ts`@ServiceContext`,
  ]);
  const parameters = [
    prefixed(ts`private readonly ${word(name.collection)}: `, entities),
    ts`private readonly ${word(name.singular)}Actions: ${actionsType(entity.name)}`,
    ...(referringBodiesOf(resource).length > 0
      ? [ts`private readonly references: ${word(name.typeName)}ActionReferences`]
      : []),
  ];
  return ts`${callCode(ts`constructor`, parameters, { indent: 2, after: " {}" })} {}`;
}

function serviceSignature(resource: ResourceModel): TsCode {
  const { name, entity } = resource;
  const actions = ts`${word(name.typeName)}ServiceActions`;
  const made = genericDoc(ts`@ActionsOf`, [entityType(entity.name), ts`@ServiceContext`, actions]);
  const parameters = makerParameters(resource, referringBodiesOf(resource).length > 0);
  return makerSignature(ts`export function ${word(name.singular)}ServiceActions`, parameters, made);
}

/** `this.orders.act(cancelAction(this.orderActions), answer, call)`; `ask`, where the answer shows no entity. */
function actedCode(resource: ResourceModel, action: ActionModel): TsCode {
  const { collection, singular } = resource.name;
  const one = action.answers === "entity" ? ts`act` : ts`ask`;
  const method = action.on === "entity" ? one : ts`actOnAll`;
  const made = makerCall(action, ts`this.${word(singular)}Actions`, ts`this.references`);
  const around = { indent: 4, before: "return ", after: ";" };
  return callCode(
    ts`this.${word(collection)}.${method}`,
    [made, answerDoc(resource, action), ts`call`],
    around,
  );
}

function answerDoc(resource: ResourceModel, action: ActionModel): Doc {
  if (action.answers === "nothing") return arrowDoc(ts`()`, callDoc(ts`@noContent`, []));
  if (action.answers === "entity") {
    const written = ts`${writerOf(resource)}(changed.entity)`;
    return arrowDoc(ts`(changed)`, callDoc(ts`@ok`, [written, ts`changed`]));
  }
  const layout = resource.pretty ? [] : [ts`false`];
  return arrowDoc(ts`(result)`, callDoc(ts`@actionAnswer`, [ts`result`, ...layout]));
}

/** Whose code actions ask where the resource has no rules of its own, and theirs are others than those of its operations. */
function scopesHere(resource: ResourceModel): ReturnType<typeof scopesOf> {
  const isAsking =
    !isRestricted(resource) && resource.actions.some((one) => hasOwnAccess(resource, one));
  return isAsking ? scopesOf(resource) : [];
}

/** AUT-2: whether an action has other grants than the operation that it would be else: a change, or a new entity. */
function hasOwnAccess({ access }: ResourceModel, action: ActionModel): boolean {
  return String(access[operationLike(action)]) !== String(action.access);
}
