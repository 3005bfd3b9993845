import { COMMON_FIELDS } from "../bodies.js";
import { query, type Check } from "../check.js";
import type { Exchange } from "../exchange.js";
import type { PropertyType } from "../../kinds/kinds.js";
import type { PropertyModel } from "../../kinds/property-model.js";
import { isList, isObject, type Json } from "../../samples/json.js";
import type { Trial } from "../trial.js";

/** NAM-1, NAM-2: names as far as they can be observed. */
export const NAMING: readonly Check[] = [
  { rule: "NAM-1", run: resourceNames },
  { rule: "NAM-2", run: propertyNames },
];

/** NAM-1: a resource is at its name, and not at another spelling of it. */
async function resourceNames(trial: Trial): Promise<void> {
  await trial.each({ needs: [] }, async ({ path, name, operations, version }) => {
    const there = await trial.send("OPTIONS", path);
    trial.status(there, 204, `: the path has ${operations.join(", ")}`);
    const folder = path.slice(0, -name.plural.length);
    for (const spelling of [name.plural.toUpperCase(), `${name.plural}s`, `${name.plural}-`]) {
      trial.refusal(await trial.get(folder + spelling), 404, "PathNotFoundMessage");
    }
    const document = await trial.get(`${trial.session.model.basePath}/${version}/openapi.json`);
    const paths = isObject(document.answer.json) ? document.answer.json["paths"] : undefined;
    const odd = Object.keys(isObject(paths) ? paths : {}).filter(
      (known) => !/^(?:\/(?:[a-z][a-z0-9]*|\{[a-zA-Z]+\}|[a-z]+\.json))+$/.test(known),
    );
    trial.value(document, odd, [], "paths that are not lower case");
  });
}

/** NAM-2: an entity has the properties of its schema and no others, at every depth. */
async function propertyNames(trial: Trial): Promise<void> {
  await trial.each({ needs: ["create"] }, async (resource) => {
    await trial.make(resource);
    const { plural, idProperty } = resource.name;
    if (trial.session.obstacle(resource, ["list"]) !== null) return;
    const listed = await trial.get(resource.path + query(["sort", "-createdDate"]));
    const { json } = listed.answer;
    const results = isObject(json) ? json["results"] : undefined;
    const [entity] = isList(results) ? results : [];
    const names = [idProperty, ...resource.properties.map(({ name }) => name), ...COMMON_FIELDS];
    trial.value(listed, namesOf(entity), [...names].sort(), `properties of ${plural}`);
    for (const property of resource.properties) compareNames(trial, listed, property, entity);
    for (const name of ["page_size", "PageSize"]) {
      trial.fields(await trial.get(`${resource.path}?${name}=1`), name);
    }
  });
}

function compareNames(
  trial: Trial,
  exchange: Exchange,
  { name, path, type }: PropertyModel,
  holder: Json | undefined,
): void {
  const value = isObject(holder) ? holder[name] : undefined;
  const inner = type.kind === "array" ? type.items : type;
  const properties = innerOf(inner);
  if (properties === null) return;
  for (const object of isList(value) ? value : [value ?? null]) {
    if (!isObject(object)) continue;
    const wanted = properties.map((property) => property.name).sort();
    trial.value(exchange, namesOf(object), wanted, `properties of ${path}`);
    for (const property of properties) compareNames(trial, exchange, property, object);
  }
}

/** The properties that a value has itself; null if it does not have any. */
function innerOf(type: PropertyType): readonly PropertyModel[] | null {
  if (type.kind === "object") return type.properties;
  return type.kind === "reference" ? [type.identifier, ...type.embedded] : null;
}

function namesOf(value: Json | undefined): readonly string[] {
  return isObject(value) ? Object.keys(value).sort() : [];
}
