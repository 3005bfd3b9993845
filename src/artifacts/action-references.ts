import { joined, ts, word } from "../naming/code.js";
import { callDoc, genericDoc, objectDoc, prefixed, printed, type Doc } from "../naming/doc.js";
import { key, type TsCode } from "../naming/encoders.js";
import type { ResourceName } from "../naming/resource-name.js";
import { isRestricted } from "../kinds/access-model.js";
import type { ObjectType } from "../kinds/object/object-type.js";
import type { PropertyModel } from "../kinds/property-model.js";
import { leadsInside, referringBodiesOf, type ActionModel } from "../model/action-model.js";
import { insteadAt, storedNameOf, type Projection } from "../model/projection.js";
import { referencesOf, type ReferenceProperty } from "../model/references.js";
import type { ResourceModel } from "../model/resource-model.js";
import { referencesName, resolvedType } from "./action-code.js";
import { entityAction, isOwnAnswer } from "./own-answers.js";
import { objectCode } from "./layout.js";
import { insteadCode } from "./instead-code.js";
import { referenceCode, toEmbeddedCode } from "./references-code.js";
import { accessOf } from "./modules.js";

/** Where the references of one body of an action lead: what it is sent, or what it answers. */
export interface BodyReferencesView {
  /** `input of transfer` */
  readonly told: TsCode;
  /** `function transferInputReferences(entities: ServiceEntities) {` */
  readonly signature: TsCode;
  readonly references: TsCode;
  /** The type of the resolved references. */
  readonly resolved: TsCode;
}

/** Those of all actions that refer to something. */
export function actionReferences(resource: ResourceModel): BodyReferencesView[] {
  return resource.actions.flatMap((action) =>
    referringBodiesOf({ actions: [action] }).map((body) => {
      const name = word(referencesName(action, body));
      const entities = leadsInside(body) ? ts`entities: @ServiceEntities` : ts``;
      return {
        told:
          body === action.input
            ? ts`input of ${word(action.name)}`
            : ts`answer of ${word(action.name)}`,
        signature: ts`function ${name}References(${entities}) {`,
        references: joined(
          referencesOf(body).map((one) =>
            referenceCode(one, storeOf(one), embeddedCode(one, { resource, action, body })),
          ),
          "\n",
        ),
        resolved: resolvedCode(body, ts`${name}References`),
      };
    }),
  );
}

interface Body {
  readonly resource: ResourceModel;
  readonly action: ActionModel;
  readonly body: ObjectType;
}

/** What own code is given is as it is stored; what a version answers is called as that version does (VER-2). */
function embeddedCode({ property, type }: ReferenceProperty, { resource, action, body }: Body) {
  if (isOwnAnswer(resource, action) && body === action.answer) {
    return toEmbeddedCode(type, (one, other) => shownCode(one, other, action.embeds.answer));
  }
  const given = entityAction(resource, action);
  const same = referencesOf(body === action.input ? given.input : given.answer);
  return toEmbeddedCode(same.find((one) => one.property.path === property.path)?.type ?? type);
}

/** `customer.fullName`; `insteadOf({ suspended: "blocked" }, customer.standing)` */
function shownCode(
  { path, nullable }: PropertyModel,
  other: TsCode,
  projection: Projection,
): TsCode {
  const value = ts`${other}.${word(storedNameOf(path, projection))}`;
  const instead = insteadAt(path, projection);
  if (instead.length === 0) return value;
  const shown = ts`@insteadOf(${insteadCode(instead)}, ${value})`;
  return nullable ? ts`${value} === null ? null : ${shown}` : shown;
}

/** `type ResolvedTransferInputReferences = ResolvedReferences<ReturnType<typeof transferInputReferences>>;` */
function resolvedCode(body: ObjectType, made: TsCode): TsCode {
  const head = ts`type ${word(resolvedType(body))} = `;
  const type = genericDoc(ts`@ResolvedReferences`, [ts`ReturnType<typeof ${made}>`]);
  return ts`${head}${printed(type, { before: head, after: ";" })};`;
}

/** `{ transferInput: guardedBy(transferInputReferences(entities), { merchant: merchantAccess }) }` */
export function allReferences({ actions, version }: ResourceModel): TsCode {
  const entries = actions.flatMap((action) =>
    referringBodiesOf({ actions: [action] }).map((body) => {
      const name = word(referencesName(action, body));
      const given = leadsInside(body) ? [ts`entities`] : [];
      const made = callDoc(ts`${name}References`, given);
      return prefixed(ts`${name}: `, body === action.input ? guarded(made, body, version) : made);
    }),
  );
  return objectCode(entries, { indent: 2, before: "return ", after: ";", expanded: true });
}

/** AUT-2: nobody refers to what they may not read; what an action answers is its own code's. */
function guarded(made: Doc, body: ObjectType, version: string): Doc {
  const rules = guardedTargets(body).map(
    ({ path, target }) => ts`${key(path)}: ${accessOf(target, version)}`,
  );
  return rules.length === 0 ? made : callDoc(ts`@guardedBy`, [made, objectDoc(rules)]);
}

function guardedTargets(
  body: ObjectType,
): readonly { readonly path: string; readonly target: ResourceName }[] {
  return referencesOf(body).flatMap(({ property, type: { target } }) =>
    target !== null && isRestricted(target) ? [{ path: property.path, target: target.name }] : [],
  );
}

function storeOf({ type: { target } }: ReferenceProperty): TsCode {
  return target === null ? ts`` : ts`entities.${key(target.storedPlural)}.store`;
}
