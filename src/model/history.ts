import { byNumber, lineageOf, type Lineage, type LineageVersion } from "../validate/lineage.js";
import type {
  ResourceDocument,
  ResourceYaml,
  ValidatedTree,
} from "../validate/resource-document.js";
import { storedPlurals, underStoredNames, type StoredPlural } from "../validate/stored-plurals.js";
import type { DeclaredEntity, Names } from "./declared.js";
import { entityYaml } from "./entity-yaml.js";
import { documentsOf, neighbourModels, surroundings } from "./neighbour-models.js";
import type { Inherited } from "./normalise-operations.js";
import { normaliseResource } from "./normalise-resource.js";
import {
  olderVersion,
  shownBy,
  type FindEmbedded,
  type Shown,
  type Versions,
} from "./older-version.js";
import { trace } from "./trace.js";
import type { PropertyType } from "../kinds/kinds.js";
import type { FilledModel, PropertyModel } from "../kinds/property-model.js";
import type { MemberModel, PairModel, ValueModel } from "./conversion-model.js";
import { innerType, membersOf } from "./leaves.js";
import { convertedIn } from "./past-shapes.js";
import { renamedProperty } from "./renamed-property.js";
import { pairsFrom } from "./values-between.js";

/** What several versions show of what is stored (VER-2). */
export interface History {
  readonly entities: readonly DeclaredEntity[];
  /** Where what references of a version embed is stored. */
  readonly embedded: FindEmbedded;
  /** What a resource shows, and what a representation of it does. */
  shownIn(document: ResourceDocument): ShownVersion | null;
}

/** What a version shows of a resource. */
interface ShownVersion {
  readonly whole: Shown;
  readonly pairs: readonly PairModel[];
  part(names: Names): Shown;
}

/** The resources of all versions, by plural. */
type ByPlural<T> = ReadonlyMap<string, T>;

/** Follows each resource through its versions. */
export function historyOf(
  names: readonly string[],
  tree: ValidatedTree,
  inherited: Inherited,
): History {
  const stored = storedPluralsOf(tree);
  const lineages = lineagesOf(tree, names);
  const embedded = findEmbedded(lineages, stored);
  const entities = storedEntities(lineages, { tree, inherited, embedded });
  const properties = shownProperties(names, tree, inherited);
  const versions = new Map(
    [...lineages].map(([plural, lineage]): [string, Versions] => {
      const entity = entities.get(plural);
      const typeName = entity?.name.typeName ?? "";
      const all: Versions = {
        levels: lineage.versions.map(({ version, value }) => {
          const own = properties.get(`${version}/${value.resource}`) ?? [];
          return { version, plural: value.resource, path: "", typeName, properties: own };
        }),
        steps: lineage.steps,
        stored: entity?.properties ?? [],
        storedType: typeName,
        storedPath: "",
        isShaped: (version) => isShapedIn(version, all),
        embedded,
      };
      return [plural, all];
    }),
  );
  return {
    entities: [...entities.values()],
    embedded,
    shownIn: ({ value: { resource }, version }) => {
      const all = versions.get(stored(version, resource));
      if (all === undefined) return null;
      const level = all.levels.findIndex((one) => one.version === version);
      const whole = olderVersion(level, all);
      const part = (names: Names): Shown => shownBy(renamed(whole, names), level, all);
      return { whole, pairs: pairsFrom(level, all), part };
    },
  };
}

/** Whether a version has types of its own; the newest has those of what is stored. */
function isShapedIn(version: string, versions: Versions): boolean {
  const { levels } = versions;
  const level = levels.findIndex((one) => one.version === version);
  return level < levels.length - 1 && olderVersion(level, versions).conversion !== null;
}

/** The members of an older version that a representation shows, under its names (REP-7). */
function renamed({ members }: Shown, { typeName, names }: Names): Shown["members"] {
  return names.flatMap(({ property: name, original }) => {
    const member = members.find(({ property }) => property.name === original);
    return member === undefined ? [] : [renamedMember(member, name, typeName)];
  });
}

/** What is stored: each entity in its newest shape, with what older versions show beside that. */
function storedEntities(
  lineages: ByPlural<Lineage>,
  {
    tree,
    inherited,
    embedded,
  }: {
    readonly tree: ValidatedTree;
    readonly inherited: Inherited;
    readonly embedded: FindEmbedded;
  },
): ByPlural<DeclaredEntity> {
  const stored = new Map<string, ResourceYaml>();
  for (const [plural, lineage] of lineages) {
    const yaml = entityYaml(lineage, (version, { reference = "", embed = [] }) =>
      embed.map((name) => embedded(version, reference, name).name),
    );
    stored.set(plural, yaml);
  }
  const around = { ...inherited, neighbours: neighbourModels([...stored.values()], inherited) };
  const entities = new Map<string, DeclaredEntity>();
  for (const document of tree.resources) {
    const { resource } = document.value;
    const value = stored.get(resource);
    const lineage = lineages.get(resource);
    const newest = lineage?.versions.at(-1);
    if (value === undefined || document.version !== newest?.version) continue;
    if (lineage === undefined || newest.value.resource !== resource) continue;
    const { entity } = normaliseResource({ ...document, value }, around);
    entities.set(resource, { ...entity, properties: withFilled(entity.properties, lineage) });
  }
  return entities;
}

/** Marks the stored properties on either side of a conversion. */
function withFilled(properties: readonly PropertyModel[], lineage: Lineage): PropertyModel[] {
  const filled = new Map<string, FilledModel>();
  const mark = (paths: readonly string[], side: Partial<FilledModel>, other: readonly string[]) => {
    for (const path of paths) {
      const { from, ...known } = filled.get(path) ?? { until: null, after: null, from: [] };
      filled.set(path, { ...known, ...side, from: [...from, ...other] });
    }
  };
  for (const { version, from, to } of convertedIn(lineage)) {
    mark(from, { until: version }, to);
    mark(to, { after: version }, from);
  }
  const marked = (property: PropertyModel): PropertyModel => ({
    ...property,
    type: markedType(property.type),
    filled: filled.get(property.path) ?? null,
  });
  const markedType = <T extends PropertyType>(type: T): T => {
    if (type.kind === "array") return { ...type, items: markedType(type.items) };
    return type.kind === "object" ? { ...type, properties: type.properties.map(marked) } : type;
  };
  return filled.size === 0 ? [...properties] : properties.map(marked);
}

/** The properties of each resource of each version, as its file says. */
function shownProperties(names: readonly string[], tree: ValidatedTree, inherited: Inherited) {
  return new Map(
    names.flatMap((version) => {
      const documents = documentsOf(version, tree);
      const within = surroundings(documents, inherited);
      return documents.map((document) => {
        const { resource } = normaliseResource(document, within);
        return [`${version}/${document.value.resource}`, resource.properties] as const;
      });
    }),
  );
}

/** The resources of some versions; of all that have files where `names` is left out. */
export function lineagesOf(
  tree: ValidatedTree,
  names: readonly string[] = versionsWithFiles(tree),
): ReadonlyMap<string, Lineage> {
  const stored = storedPluralsOf(tree);
  const all = new Map<string, LineageVersion[]>();
  for (const version of names) {
    const documents = documentsOf(version, tree);
    for (const { value } of documents) {
      const parent = documents.find((one) => one.value.resource === value.parent);
      const plural = stored(version, value.resource);
      const named = underStoredNames(value, version, stored);
      const own = { version, value: named, parentProperty: parent?.value.entity ?? null };
      all.set(plural, [...(all.get(plural) ?? []), own]);
    }
  }
  return new Map([...all].map(([plural, versions]) => [plural, lineageOf(versions)]));
}

/** What each resource is called where it is stored. */
export function storedPluralsOf({ resources }: ValidatedTree): StoredPlural {
  return storedPlurals(
    resources.map(({ version, value: { resource, renamedFrom = null } }) => ({
      version,
      plural: resource,
      renamedFrom,
    })),
  );
}

function versionsWithFiles({ resources }: ValidatedTree): readonly string[] {
  return [...new Set(resources.map(({ version }) => version))].sort(byNumber);
}

function findEmbedded(lineages: ReadonlyMap<string, Lineage>, stored: StoredPlural): FindEmbedded {
  return (version, plural, name) => {
    const lineage = lineages.get(stored(version, plural));
    const level = lineage?.versions.findIndex((one) => one.version === version) ?? -1;
    if (lineage === undefined || level < 0) return { name, instead: [] };
    const found = trace(name, lineage.steps.slice(level));
    const instead = [...found.instead].map(([stored, shown]) => ({ stored, shown }));
    return { name: found.name, instead };
  };
}

/** A member of an older version as a representation whose type is `typeName` shows it, with all that it holds (REP-7). */
function renamedMember(member: MemberModel, path: string, typeName: string): MemberModel {
  const property = renamedProperty(member.property, path, typeName);
  return { ...member, property, value: renamedValue(member.value, property) };
}

function renamedValue(value: ValueModel, { type }: Pick<PropertyModel, "type">): ValueModel {
  if (value.kind === "items") {
    return { ...value, item: renamedValue(value.item, { type: innerType(type) }) };
  }
  if (value.kind !== "object") return value;
  const { members } = value.object;
  const held = membersOf(innerType(type));
  const renamed = members.map((member): MemberModel => {
    const property = held.find(({ name }) => name === member.property.name) ?? member.property;
    return { ...member, property, value: renamedValue(member.value, property) };
  });
  return { ...value, object: { ...value.object, members: renamed } };
}
