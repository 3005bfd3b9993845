import type { KindName } from "../kinds/kinds.js";
import { longForm, type PropertyObjectYaml } from "../kinds/property-yaml.js";
import { embeddable, referenceIdentifier } from "./neighbours.js";
import type { PropertyPlace } from "./property-place.js";
import type { Scope } from "./scope.js";

/** What a condition can name: a property, or a date that every entity has. */
export interface Named {
  readonly kind: KindName;
  readonly yaml: PropertyObjectYaml;
  readonly sortable: boolean;
  /** It refers to others, or stands in the items of a list: no text that is searched. */
  readonly isUnsearched?: true;
  /** It stands in the items of a list: nothing is sorted by it. */
  readonly isInItems?: boolean;
}

const TIMESTAMP: Named = { kind: "timestamp", yaml: { type: "timestamp" }, sortable: true };

/** Everything that a `where` or a sort can name, by its path. */
export function namesOf(properties: readonly PropertyPlace[], scope: Scope): Map<string, Named> {
  return new Map<string, Named>([
    ["createdDate", TIMESTAMP],
    ["lastModifiedDate", TIMESTAMP],
    ...properties.flatMap((property) => [...namesIn(property, scope)]),
  ]);
}

function namesIn(property: PropertyPlace, scope: Scope): (readonly [string, Named])[] {
  const { kind, yaml, holders, name, isItem } = property;
  if (isItem || kind === null || kind === "object") return [];
  const lists = holders.filter((holder) => holder.kind === "array");
  if (lists.length > 1 || (lists.length === 1 && kind === "array")) return [];
  // The items of a list have its name.
  const named = holders.filter((holder) => !holder.isItem);
  const path = [...named.map((holder) => holder.name), name].join(".");
  if (kind === "reference") return referenceNames(path, property, scope);
  const items = kind === "array" ? itemsOf(yaml) : null;
  // QRY-3: an array of references is compared by their identifiers.
  if (items?.reference !== undefined) {
    const identifiers: Named = {
      kind,
      yaml: { type: "array", items: identifierKind(items) },
      sortable: false,
      isUnsearched: true,
    };
    return [[`${path}.${identifierOf(items, scope)}`, identifiers]];
  }
  const sortable = yaml.sortable === true;
  const inItems = lists.length > 0 && ({ isUnsearched: true, isInItems: true } as const);
  return [[path, { kind, yaml, sortable, ...inItems }]];
}

/** The identifier of the other, and what is embedded of it (QRY-2); inside an object nothing is joined. */
function referenceNames(
  path: string,
  { yaml, holders }: PropertyPlace,
  scope: Scope,
): (readonly [string, Named])[] {
  const sortable = yaml.sortable === true;
  const kind = identifierKind(yaml);
  const identifier: Named = { kind, yaml: { type: kind }, sortable, isUnsearched: true };
  const joined = holders.length === 0 ? (yaml.embed ?? []) : [];
  const embedded = joined.flatMap((name) => {
    const other = embeddable(yaml, name, scope.neighbours);
    if (other === undefined || other.kind === null) return [];
    const named = {
      ...other,
      kind: other.kind,
      sortable: sortable && other.yaml.sortable === true,
    };
    return [[`${path}.${name}`, named] as const];
  });
  return [[`${path}.${identifierOf(yaml, scope)}`, identifier], ...embedded];
}

function identifierKind({ identifier = "uuid" }: PropertyObjectYaml): "uuid" | "string" {
  return identifier;
}

function identifierOf(yaml: PropertyObjectYaml, { neighbours, plurals }: Scope): string {
  return referenceIdentifier(yaml, neighbours, plurals);
}

/** What the items of an array are. */
export function itemsOf({ items = {} }: PropertyObjectYaml): PropertyObjectYaml {
  return longForm(items);
}
