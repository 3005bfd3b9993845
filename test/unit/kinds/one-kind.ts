import type { TypeScope } from "../../../src/kinds/kind-model.js";
import type { ValueScope } from "../../../src/kinds/kind-keywords.js";
import { kindNamed, kindOf, type PropertyType } from "../../../src/kinds/kinds.js";
import type { PropertyModel, Value } from "../../../src/kinds/property-model.js";
import { kindNameOf, longForm, type PropertyYaml } from "../../../src/kinds/property-yaml.js";
import { flat } from "../../../src/naming/doc.js";
import { withoutMarks } from "../../../src/naming/imported.js";
import { resourceName } from "../../../src/naming/resource-name.js";
import { InternalError } from "../../../src/diagnostics/internal-error.js";
import type { ParameterFilter } from "#runtime/query/filters";
import { type Reader, Problem } from "#runtime/input/reader";
import type { JsonValue } from "#runtime/input/json";
import { reading } from "../runtime/reading.js";

/** What an emitted validator can import. */
const RUNTIME: Readonly<Record<string, unknown>> = await import("#runtime/doors/generated-v1");

/** Values without any special bounds; every pattern of a test is simple. */
export const SCOPE: ValueScope = {
  stringCharacters: 10_000,
  arrayItems: 1000,
  isQuick: () => true,
};

/** The type that a property's YAML becomes, at `Ticket.value`; a reference in it leads to users. */
export function typeOf(property: PropertyYaml): PropertyType {
  const yaml = longForm(property);
  const name = kindNameOf(yaml);
  if (name === null) throw new InternalError("the property has no kind");
  return kindNamed(name).normalise(yaml, typeScope());
}

const ALL = ["anyone"];
const USERS = {
  name: resourceName("users", "user"),
  storedPlural: "users",
  access: { read: ALL, create: ALL, update: ALL, delete: ALL },
};

function typeScope(): TypeScope {
  return {
    typeName: "TicketValue",
    localName: "Value",
    limits: SCOPE,
    isParent: false,
    properties: (yaml) => Object.entries(yaml).map(([name, inner]) => model(name, inner)),
    items: typeOf,
    referred: ({ external = false }) => ({
      singular: "user",
      target: external ? null : USERS,
      property: (name) => model(name, { type: "string", maxLength: 40, filterable: true }),
    }),
  };
}

function model(name: string, property: PropertyYaml): PropertyModel {
  const yaml = longForm(property);
  return {
    name,
    path: `value.${name}`,
    description: "",
    type: typeOf(property),
    nullable: yaml.required !== true,
    default: (yaml.default ?? null) as Value | null,
    example: null,
    deprecated: false,
    filterable: yaml.filterable ?? false,
    sortable: false,
    unique: false,
    readOnly: false,
    immutable: false,
    sensitive: false,
    addedLater: false,
    filled: null,
  };
}

/** What the check of a schema says of a value; null where it is one of the property. */
export function mistakeOf(value: unknown, property: PropertyYaml): string | null {
  const yaml = longForm(property);
  const name = kindNameOf(yaml);
  if (name === null) throw new InternalError("the property has no kind");
  const found = kindNamed(name).valueMistake(value, { yaml, role: "default", scope: SCOPE });
  return found === null ? null : `${found.code}: ${found.message}`;
}

/** What a service makes of a value in a body: the emitted reader is run with the runtime's own functions. */
export function readAs(value: Value, type: PropertyType): unknown {
  const reader = evaluate(withoutMarks(flat(kindOf(type).reader(type))), {
    ...RUNTIME,
    ...constantsOf(type),
  });
  // What is emitted for a kind is a reader, and a value of a schema is JSON.
  return reading(reader as Reader<unknown>, value as JsonValue);
}

/** What a service makes of a text in a query. */
export function filterAs(text: string, type: PropertyType): unknown {
  const filter = kindOf(type).filter(type);
  if (filter === null) throw new InternalError("it cannot be filtered by");
  const made = evaluate(withoutMarks(flat(filter)), {
    ...RUNTIME,
    ...constantsOf(type),
  }) as ParameterFilter;
  const found = made.read(text);
  return found instanceof Problem ? found.message : { value: found };
}

function constantsOf(type: PropertyType): Record<string, unknown> {
  const inner = type.kind === "array" ? type.items : type;
  return inner.kind === "enum" ? { TICKET_VALUE_VALUES: inner.values } : {};
}

/** Emitted code as a value. */
export function evaluate(code: string, names: Readonly<Record<string, unknown>>): unknown {
  // What is emitted is what is tested.
  const made = new Function(...Object.keys(names), `return ${code};`) as (
    ...values: readonly unknown[]
  ) => unknown;
  return made(...Object.values(names));
}
