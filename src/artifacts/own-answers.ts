import { ts, word } from "../naming/code.js";
import { doc } from "../naming/doc-comment.js";
import type { ObjectType } from "../kinds/object/object-type.js";
import type { PropertyModel } from "../kinds/property-model.js";
import { bodiesOf, type ActionModel } from "../model/action-model.js";
import { referencesOf } from "../model/references.js";
import type { ResourceModel } from "../model/resource-model.js";
import { fieldView, type FieldView, type ObjectTypeView } from "./entity-view.js";
import { shownObjectsOf } from "./nested.js";

/** The same action as the service's own code sees it: what the newest version says. */
export function entityAction({ entity }: ResourceModel, action: ActionModel): ActionModel {
  return entity.actions.find(({ name }) => name === action.name) ?? action;
}

/** VER-2: whether an older version embeds something else in an answer, so that its types are its own. */
export function isOwnAnswer(resource: ResourceModel, action: ActionModel): boolean {
  if (action.embeds.answer.length > 0) return true;
  return shownNames(action.answer) !== shownNames(entityAction(resource, action).answer);
}

function shownNames(body: ObjectType): string {
  return referencesOf(body)
    .map(({ property, type }) => [property.path, ...type.embedded.map(({ name }) => name)].join())
    .join(" ");
}

/** The bodies of actions whose types are those of the entity, or those that the version has for itself. */
export function bodiesBy(resource: ResourceModel, owner: "entity" | "version"): ObjectType[] {
  return resource.actions.flatMap((action) => {
    const isOwn = isOwnAnswer(resource, action);
    return bodiesOf(action).filter(
      (body) => (isOwn && body === action.answer) === (owner === "version"),
    );
  });
}

/** The types of answers that a version has for itself. */
export function ownTypes(resource: ResourceModel): ObjectTypeView[] {
  return resource.actions
    .filter((action) => isOwnAnswer(resource, action))
    .flatMap(({ name, answer }) => {
      const whole = { path: "", type: answer };
      return [...shownObjectsOf(answer.properties), whole].map(({ path, type }) => ({
        doc: doc(path === "" ? `The result of ${name}.` : `\`${path}\` of the result of ${name}.`),
        typeName: word(type.typeName),
        heritage: ts``,
        fields: type.properties.map((property) => ownField(property, answer)),
      }));
    });
}

/** What is embedded of others may be shown as another value: its type is not that of the other. */
function ownField(property: PropertyModel, answer: ObjectType): FieldView {
  const field = fieldView(property);
  const isEmbedded = referencesOf(answer).some(({ type }) => type.embedded.includes(property));
  if (!isEmbedded || property.type.kind !== "enum") return field;
  return { ...field, type: property.nullable ? ts`string | null` : ts`string` };
}
