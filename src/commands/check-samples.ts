import { ADVICE, didYouMean } from "../diagnostics/advice.js";
import {
  diagnostic,
  mistake,
  placed,
  type Diagnostic,
  type Mistake,
} from "../diagnostics/diagnostic.js";
import { quoted, shown } from "../diagnostics/quoted.js";
import type { KindLimits } from "../kinds/kind-keywords.js";
import { partMistake } from "../kinds/part-mistake.js";
import type { PropertyModel } from "../kinds/property-model.js";
import { longForm, type PropertyYaml } from "../kinds/property-yaml.js";
import type { PathStep, SourceDocument } from "../load/source-document.js";
import { innerType } from "../model/leaves.js";
import { originalOf } from "../model/original-of.js";
import { uniqueLists } from "../model/projection.js";
import type { ResourceModel } from "../model/resource-model.js";
import { nearest } from "../naming/nearest.js";
import { isList, isObject, type Json } from "../samples/json.js";
import { mapping, own } from "../validate/plain.js";
import type { ValidatedTree } from "../validate/resource-document.js";
import { referredBy } from "../verify/anchors.js";
import { hasFew } from "../verify/unique-values.js";

/** What samples are held against. */
export interface Sampled {
  /** Of all versions, each as its clients see it. */
  readonly resources: readonly ResourceModel[];
  readonly documents: ValidatedTree;
  readonly limits: KindLimits;
}

/** Every mistake in a file of samples: names that the service does not have, and values that no body can have, or one only. */
export function checkSamples(document: SourceDocument, sampled: Sampled): readonly Diagnostic[] {
  const wrong = Object.entries(mapping(document.value)).flatMap(([key, values]) =>
    underKey(document, key, { values, sampled }),
  );
  return wrong.length > 0 ? wrong : together(document, sampled);
}

/** What one key of the file holds: `loans`, or `v1/loans`. */
function underKey(
  document: SourceDocument,
  key: string,
  { values, sampled }: { readonly values: unknown; readonly sampled: Sampled },
): readonly Diagnostic[] {
  const meant = sampled.resources.filter((one) => keysOf(one).includes(key));
  if (meant.length === 0) {
    const keys = [...new Set(sampled.resources.flatMap(keysOf))];
    const suggestion = didYouMean(nearest(key, keys)) ?? `Resources are ${keys.join(", ")}.`;
    return [
      diagnostic("SCH-390", document.locate([key], "key"), { resource: key }, { suggestion }),
    ];
  }
  if (!isObject(values)) {
    const given = { key, expected: "a mapping of properties to values", read: shown(values) };
    return [diagnostic("SCH-8", document.locate([key]), given)];
  }
  return Object.entries(values).flatMap(([name, value = null]) => {
    const found = meant.map((one) => ofProperty(document, one, { key, name, value, sampled }));
    // The same in another version is the same mistake.
    return found.find((one) => one.length > 0) ?? [];
  });
}

function keysOf({ name, version }: ResourceModel): readonly string[] {
  return [name.plural, labelOf({ name, version })];
}

function labelOf({ name, version }: Pick<ResourceModel, "name" | "version">): string {
  return `${version}/${name.plural}`;
}

interface Sample {
  readonly key: string;
  readonly name: string;
  readonly value: Json;
  readonly sampled: Sampled;
}

function ofProperty(
  document: SourceDocument,
  resource: ResourceModel,
  { key, name, value, sampled }: Sample,
): readonly Diagnostic[] {
  const given = { resource: labelOf(resource), property: name };
  const property = resource.properties.find((one) => one.name === name);
  const place = document.locate([key, name], "key");
  if (property === undefined) {
    const suggestion = adviceFor(resource, name, sampled.resources);
    return [diagnostic("SCH-391", place, given, { suggestion })];
  }
  const suggestion = ADVICE.remove;
  if (property.unique) return [diagnostic("SCH-393", place, given, { suggestion })];
  const [written] = readOnlyIn(property, value);
  if (written !== undefined) {
    const inner = document.locate([key, name, ...written.steps], "key");
    const told = { ...given, property: written.path };
    return [diagnostic("SCH-392", inner, told, { suggestion })];
  }
  const wrong =
    valueMistake(resource, property, { value, sampled }) ??
    stateMistake(resource, property, { value, sampled });
  if (wrong === null) return [];
  return [
    placed(wrong, document.locate([key, name]), {
      suggestion: CURES[wrong.code] ?? "Change the value.",
    }),
  ];
}

/** What to do about some of them. */
const CURES: Readonly<Partial<Record<Mistake["code"], string>>> = {
  "SCH-103": "Remove it: verify creates the referenced entity, with the samples of that resource.",
  "SCH-395": ADVICE.remove,
};

/** The name that was meant, here or in another version. */
function adviceFor(
  { name: { plural }, properties }: ResourceModel,
  name: string,
  resources: readonly ResourceModel[],
): string {
  const others = resources.filter(
    (one) => one.name.plural === plural && one.properties.some((other) => other.name === name),
  );
  const [other] = others;
  if (other !== undefined) return `Write it under ${quoted(labelOf(other))}.`;
  const names = properties.filter(({ readOnly }) => !readOnly).map((one) => one.name);
  return didYouMean(nearest(name, names)) ?? `Properties are ${names.join(", ")}.`;
}

/** What a value says of properties that only the service writes, at any depth. */
function readOnlyIn(
  { type, path, readOnly }: PropertyModel,
  value: Json | undefined,
): readonly { readonly path: string; readonly steps: readonly PathStep[] }[] {
  if (value === undefined) return [];
  if (readOnly) return [{ path, steps: [] }];
  const items = type.kind === "array" && isList(value) ? value : [value];
  const inner = innerType(type);
  if (inner.kind !== "object") return [];
  return items.flatMap((item, index) =>
    inner.properties.flatMap((property) => {
      const below = isObject(item) ? readOnlyIn(property, item[property.name]) : [];
      const above = type.kind === "array" ? [index, property.name] : [property.name];
      return below.map((one) => ({ ...one, steps: [...above, ...one.steps] }));
    }),
  );
}

function valueMistake(
  resource: ResourceModel,
  property: PropertyModel,
  { value, sampled }: { readonly value: Json; readonly sampled: Sampled },
): Mistake | null {
  if (value === null && property.nullable) return null;
  if (property.type.kind === "reference") return mistake("SCH-103", { role: "value" });
  const yaml = yamlOf(resource, property.name, sampled);
  if (yaml === undefined) return null;
  // The service matches every pattern of its schema, too.
  const scope = { ...sampled.limits, isQuick: () => true };
  return partMistake(value, yaml, { yaml: longForm(yaml), role: "value", scope });
}

/** STA: what others refer to is led to a state, and nothing else is. */
function stateMistake(
  { name, version, entity: { states } }: ResourceModel,
  property: PropertyModel,
  { value, sampled }: { readonly value: Json; readonly sampled: Sampled },
): Mistake | null {
  if (states?.property !== property.name || value === states.initial) return null;
  const isReferredTo = sampled.resources.some(
    (other) => other.version === version && referredBy(other).includes(name.plural),
  );
  if (isReferredTo) return null;
  return mistake("SCH-395", { resource: labelOf({ name, version }), property: property.name });
}

/** What the file of a resource says of a property; that of the original, where it represents one. */
function yamlOf(
  resource: ResourceModel,
  name: string,
  { resources, documents }: Sampled,
): PropertyYaml | undefined {
  const { version, name: own } = originalOf(resource, resources) ?? resource;
  const shownAs = resource.projection.find(({ property }) => property === name)?.storedPath;
  const document = documents.resources.find(
    (one) => one.version === version && one.value.resource === own.plural,
  );
  return document?.value.properties[(resource.isRepresentation ? shownAs : undefined) ?? name];
}

/** Where samples leave nothing of what is unique together by which entities could differ. */
function together(document: SourceDocument, { resources }: Sampled): readonly Diagnostic[] {
  const found = resources.flatMap((resource) =>
    uniqueLists(resource).flatMap((names) => alike(document, resource, names)),
  );
  const place = ({ span }: Diagnostic): string => `${span.line}:${span.column}`;
  // The same in another version is the same mistake.
  const places = found.map(place);
  return found.filter((one, index) => places.indexOf(place(one)) === index);
}

function alike(
  document: SourceDocument,
  resource: ResourceModel,
  names: readonly string[],
): readonly Diagnostic[] {
  const given = names.flatMap((name) => {
    if (name === resource.entity.states?.property) return [];
    const key = keysOf(resource).findLast(
      (one) => own(own(document.value, one), name) !== undefined,
    );
    return key === undefined ? [] : [{ key, name, value: own(own(document.value, key), name) }];
  });
  const [first] = given;
  const isGiven = (name: string): boolean => given.some((one) => one.name === name);
  const others = resource.properties.filter(({ name }) => names.includes(name) && !isGiven(name));
  // Null is like no other.
  const isOpen = given.some(({ value }) => value === null) || others.some(varies);
  if (first === undefined || isOpen) return [];
  const told = { resource: labelOf(resource), properties: names.join(", ") };
  const place = document.locate([first.key, first.name], "key");
  return [diagnostic("SCH-394", place, told, { suggestion: ADVICE.remove })];
}

/** A child refers to one and the same parent. */
function varies(property: PropertyModel): boolean {
  const { type, readOnly } = property;
  return readOnly || (type.kind === "reference" ? !type.isParent : !hasFew(property));
}
