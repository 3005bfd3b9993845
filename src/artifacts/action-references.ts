import { ts, word } from "../naming/code.js";
import { callDoc, objectDoc, prefixed, type Doc } from "../naming/doc.js";
import { key, type TsCode } from "../naming/encoders.js";
import type { ResourceName } from "../naming/resource-name.js";
import { isRestricted } from "../kinds/access-model.js";
import type { ObjectType } from "../kinds/object/object-type.js";
import { leadsInside, leadsToEntities, referringBodiesOf } from "../model/action-model.js";
import { referencesOf, type ReferenceProperty } from "../model/references.js";
import type { ResourceModel } from "../model/resource-model.js";
import { answersReferences, referencesName, resolvedType } from "./action-code.js";
import { accessImport } from "./controller-code.js";
import { objectCode, typeAliasCode, type Import } from "./layout.js";
import { entityModule } from "./modules.js";
import { isText, referenceView, type ReferenceView } from "./references-view.js";

/** Where the references of one body of an action lead: what it is sent, or what it answers. */
export interface BodyReferencesView {
  /** `input of transfer` */
  readonly told: TsCode;
  /** `function transferInputReferences(entities: ServiceEntities) {` */
  readonly signature: TsCode;
  readonly references: readonly ReferenceView[];
  /** The type of the resolved references. */
  readonly resolved: TsCode;
}

/** Those of all actions that refer to something. */
export function actionReferences({ actions }: ResourceModel): BodyReferencesView[] {
  return actions.flatMap((action) =>
    referringBodiesOf({ actions: [action] }).map((body) => {
      const name = word(referencesName(action, body));
      const entities = leadsInside(body) ? ts`entities: ServiceEntities` : ts``;
      return {
        told:
          body === action.input
            ? ts`input of ${word(action.name)}`
            : ts`answer of ${word(action.name)}`,
        signature: ts`function ${name}References(${entities}) {`,
        references: referencesOf(body).map((one) => referenceView(one, storeOf(one))),
        resolved: typeAliasCode(
          ts`${word(resolvedType(body))}`,
          ts`ResolvedReferences<ReturnType<typeof ${name}References>>`,
          { isExported: false },
        ),
      };
    }),
  );
}

/** `{ transferInput: guardedBy(transferInputReferences(entities), { merchant: merchantAccess }) }` */
export function allReferences({ actions }: ResourceModel): TsCode {
  const entries = actions.flatMap((action) =>
    referringBodiesOf({ actions: [action] }).map((body) => {
      const name = word(referencesName(action, body));
      const given = leadsInside(body) ? [ts`entities`] : [];
      const made = callDoc(ts`${name}References`, given);
      return prefixed(ts`${name}: `, body === action.input ? guarded(made, body) : made);
    }),
  );
  return objectCode(entries, { indent: 2, before: "return ", after: ";", expanded: true });
}

/** AUT-2: nobody refers to what they may not read; what an action answers is its own code's. */
function guarded(made: Doc, body: ObjectType): Doc {
  const rules = guardedTargets(body).map(
    ({ path, target }) => ts`${key(path)}: ${word(target.singular)}Access`,
  );
  return rules.length === 0 ? made : callDoc(ts`guardedBy`, [made, objectDoc(rules)]);
}

/** What the references of actions need. */
export function actionReferenceImports(resource: ResourceModel): Import[] {
  const { actions, entity } = resource;
  const bodies = referringBodiesOf(resource);
  if (bodies.length === 0) return [];
  const references = bodies.flatMap(referencesOf);
  const guards = actions.flatMap(({ input }) => guardedTargets(input));
  const inputs = actions.some((action) => referencesOf(action.input).length > 0);
  const answers = actions.some((action) => answersReferences(action));
  const kernel = "../../kernel/entity";
  const isIn = (isThere: boolean, ...names: string[]): string[] => (isThere ? names : []);
  const isExternal = references.some(({ type }) => type.target === null);
  return [
    { from: "../../entities.js", names: isIn(leadsToEntities(resource), "type ServiceEntities") },
    { from: `${kernel}/external-reference.js`, names: isIn(isExternal, "externalReference") },
    {
      from: `${kernel}/local-reference.js`,
      names: isIn(leadsToEntities(resource), "localReference"),
    },
    { from: `${kernel}/references.js`, names: ["type ResolvedReferences"] },
    {
      from: `${kernel}/referring-action.js`,
      names: [...isIn(inputs, "referringInput"), ...isIn(answers, "readReferringAnswer")],
    },
    { from: `${kernel}/restricted-references.js`, names: isIn(guards.length > 0, "guardedBy") },
    {
      from: "../../kernel/input/text-reader.js",
      names: isIn(
        references.some(({ type }) => isText(type)),
        "text",
      ),
    },
    {
      from: entityModule(entity, "actions"),
      names: references.map(({ type }) => `type ${type.typeName}`),
    },
    ...guards.map(({ target }) => accessImport(target, resource)),
  ];
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
