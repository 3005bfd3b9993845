import { ts, word } from "../naming/code.js";
import { doc, type DocComment } from "../naming/doc-comment.js";
import type { TsCode } from "../naming/encoders.js";
import type { ObjectType } from "../kinds/object/object-type.js";
import { hasInput, type ActionModel } from "../model/action-model.js";
import type { EntityModel } from "../model/entity-model.js";
import { declaredBy, objectTypeView, typesView, type TypesView } from "./entity-view.js";
import { givenName, inputCode } from "./input-view.js";
import { entityHeader, type HeaderView } from "./header-view.js";
import { callCode } from "./layout.js";
import { namesView, type NamesView } from "./resource-names.js";
import { entityType } from "./modules.js";

/** What `entity/actions.ts.hbs` sees. */
export interface EntityActionsView extends HeaderView, NamesView, TypesView {
  readonly given: readonly { readonly purpose: TsCode; readonly declaration: TsCode }[];
  readonly actions: readonly {
    readonly documented: boolean;
    readonly doc: DocComment;
    /** `cancel(order: Order, input: OrderCancelInput, context: ServiceContext): Later<void>;` */
    readonly signature: TsCode;
  }[];
}

/** What the user's code is asked by the actions of an entity, and answers (OPS-11). */
export function entityActionsView(entity: EntityModel): EntityActionsView {
  const { name, actions } = entity;
  const bodies = actions.flatMap(bodiesOf);
  const answered = bodies.filter(({ isSent }) => !isSent);
  const types = bodies.map(({ type, told }) => ({
    ...typesView(declaredBy(type.properties), `what ${told}`),
    whole: objectTypeView(type, `What ${told}`),
  }));
  return {
    ...entityHeader(entity),
    ...namesView(name),
    enums: types.flatMap(({ enums }) => enums),
    objects: types.flatMap(({ objects, whole }) => [...objects, whole]),
    given: answered.map(({ type: { typeName, properties }, action }) => ({
      purpose: ts`The result of ${word(action)}, as custom code returns it.`,
      declaration: inputCode(givenName(typeName), word(typeName), properties),
    })),
    actions: actions.map((action) => {
      const comment = doc(action.description, 2);
      return {
        documented: comment !== "",
        doc: comment,
        signature: signatureOf(action, entity),
      };
    }),
  };
}

/** What is sent and what is answered, each where there is something, and what it is in words. */
function bodiesOf(action: ActionModel): Body[] {
  const { name, input, answer, answers } = action;
  const sent = { type: input, told: `${name} is sent.`, action: name, isSent: true };
  const answered = { type: answer, told: `${name} answers.`, action: name, isSent: false };
  return [...(hasInput(action) ? [sent] : []), ...(answers === "object" ? [answered] : [])];
}

interface Body {
  readonly type: ObjectType;
  readonly told: string;
  readonly action: string;
  readonly isSent: boolean;
}

function signatureOf(action: ActionModel, { name }: EntityModel): TsCode {
  const { on, input, answer, answers } = action;
  const variable = ["input", "context"].includes(name.variable) ? "entity" : name.variable;
  const parameters = [
    ...(on === "entity" ? [ts`${word(variable)}: ${entityType(name)}`] : []),
    ...(hasInput(action) ? [ts`input: ${word(input.typeName)}`] : []),
    ts`context: @ServiceContext`,
  ];
  const tail = ts`: @Later<${answers === "object" ? word(givenName(answer.typeName)) : ts`void`}>;`;
  return ts`${callCode(word(action.name), parameters, { indent: 2, after: tail })}${tail}`;
}
