import { pathText, ts, word } from "../naming/code.js";
import { doc, type DocComment } from "../naming/doc-comment.js";
import { literal, type TsCode } from "../naming/encoders.js";
import { valuesConstant } from "../kinds/enum/enum-kind.js";
import type { ObjectType } from "../kinds/object/object-type.js";
import { hasInput, type ActionModel } from "../model/action-model.js";
import type { EntityModel } from "../model/entity-model.js";
import { fieldView, type FieldView } from "./entity-view.js";
import { entityHeader, type HeaderView } from "./header-view.js";
import { givenName } from "./input-view.js";
import { arrayCode, callCode, importCode } from "./layout.js";
import { besideModule } from "./modules.js";
import { enumsOf, shownObjectsOf } from "./nested.js";
import { namesView, type NamesView } from "./resource-names.js";
import { runtime } from "./runtime-modules.js";

/** What `entity/actions.ts.hbs` sees. */
export interface EntityActionsView extends HeaderView, NamesView {
  readonly imports: TsCode;
  readonly enums: readonly {
    readonly path: TsCode;
    readonly typeName: TsCode;
    readonly constant: TsCode;
    readonly values: TsCode;
  }[];
  readonly objects: readonly {
    readonly doc: DocComment;
    readonly typeName: TsCode;
    readonly fields: readonly FieldView[];
  }[];
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
  return {
    ...entityHeader(entity),
    ...namesView(name),
    imports: imports(entity),
    enums: bodies.flatMap(({ type }) =>
      enumsOf(type.properties).map((found) => {
        const constant = valuesConstant(found.type.typeName);
        const around = { before: `export const ${constant} = `, after: " as const;" };
        return {
          path: pathText(found.path),
          typeName: word(found.type.typeName),
          constant,
          values: arrayCode(found.type.values.map(literal), around),
        };
      }),
    ),
    objects: bodies.flatMap(({ type, told }) => [
      ...shownObjectsOf(type.properties).map(({ path, description, type: inner }) => ({
        doc: doc(description.trim() === "" ? `\`${path}\` of what ${told}` : description),
        typeName: word(inner.typeName),
        fields: inner.properties.map(fieldView),
      })),
      {
        doc: doc(`What ${told}`),
        typeName: word(type.typeName),
        fields: type.properties.map(fieldView),
      },
    ]),
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
function bodiesOf(action: ActionModel): { readonly type: ObjectType; readonly told: string }[] {
  const { name, input, answer, answers } = action;
  return [
    ...(hasInput(action) ? [{ type: input, told: `${name} is sent.` }] : []),
    ...(answers === "object" ? [{ type: answer, told: `${name} answers.` }] : []),
  ];
}

function signatureOf(action: ActionModel, { name }: EntityModel): TsCode {
  const { on, input, answer, answers } = action;
  const variable = ["input", "context"].includes(name.variable) ? "entity" : name.variable;
  const parameters = [
    ...(on === "entity" ? [ts`${word(variable)}: ${word(name.typeName)}`] : []),
    ...(hasInput(action) ? [ts`input: ${word(input.typeName)}`] : []),
    ts`context: ServiceContext`,
  ];
  const tail = ts`: Later<${answers === "object" ? givenName(answer.typeName) : ts`void`}>;`;
  return ts`${callCode(word(action.name), parameters, { indent: 2, after: tail })}${tail}`;
}

function imports(entity: EntityModel): TsCode {
  const { name, actions } = entity;
  const isOnEntity = actions.some(({ on }) => on === "entity");
  return importCode([
    { from: runtime("entity/hooks"), names: ["type Later"] },
    { from: "../../context.js", names: ["type ServiceContext"] },
    { from: besideModule(entity, "entity"), names: isOnEntity ? [`type ${name.typeName}`] : [] },
    {
      from: besideModule(entity, "input"),
      names: actions
        .filter(({ answers }) => answers === "object")
        .map(({ answer }) => `type ${givenName(answer.typeName)}`),
    },
  ]);
}
