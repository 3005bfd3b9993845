import { pluralsOf } from "../naming/plurals.js";
import type { AccessModel } from "../kinds/access-model.js";
import { lineageOf, type Lineage, type LineageVersion } from "../validate/lineage.js";
import type {
  ResourceDocument,
  ResourceYaml,
  ValidatedTree,
} from "../validate/resource-document.js";
import type { Declared, DeclaredEntity, DeclaredResource, Names } from "./declared.js";
import { entityYaml } from "./entity-yaml.js";
import { normaliseAccess } from "./normalise-authentication.js";
import type { Inherited } from "./normalise-operations.js";
import type { NeighbourModels } from "./normalise-property.js";
import { normaliseRepresentation } from "./normalise-representation.js";
import { normaliseResource, type Surroundings } from "./normalise-resource.js";
import {
  olderVersion,
  shownBy,
  type FindEmbedded,
  type Shown,
  type Versions,
} from "./older-version.js";
import { renamedProperty } from "./renamed-property.js";
import { trace } from "./trace.js";

/** What the files of one version say. */
export interface DeclaredVersion {
  readonly name: string;
  readonly resources: readonly DeclaredResource[];
}

/** What is stored, and what each version shows of it, before either is told what the other asks (VER-2). */
export function declareVersions(
  names: readonly string[],
  tree: ValidatedTree,
  inherited: Inherited,
): { readonly entities: readonly DeclaredEntity[]; readonly versions: readonly DeclaredVersion[] } {
  const history = historyOf(names, tree, inherited);
  const versions = names.map((name) => {
    const around = surroundings(documentsOf(name, tree), inherited);
    const originals = documentsOf(name, tree).map((document): Declared => {
      const shown = history?.shownIn(document) ?? null;
      const declared = normaliseResource(
        document,
        around,
        shown === null ? undefined : () => shown.whole,
      );
      return { ...declared, projected: shown?.part ?? null };
    });
    const representations = tree.representations
      .filter(({ version }) => version === name)
      .flatMap((document) => {
        const original = originals.find(
          ({ entity }) => entity.name.plural === document.value.represents,
        );
        return original === undefined
          ? []
          : [normaliseRepresentation(document, original, inherited)];
      });
    const resources = [...originals.map(({ resource }) => resource), ...representations];
    return { name, resources, entities: originals.map(({ entity }) => entity) };
  });
  const entities = history?.entities ?? versions.flatMap((version) => version.entities);
  return { entities, versions };
}

/** What several versions show of what is stored. */
interface History {
  readonly entities: readonly DeclaredEntity[];
  shownIn(document: ResourceDocument): { readonly whole: Shown; part(names: Names): Shown } | null;
}

/** Null: there is one version, which shows everything as it is stored. */
function historyOf(
  names: readonly string[],
  tree: ValidatedTree,
  inherited: Inherited,
): History | null {
  if (names.length < 2) return null;
  const lineages = lineagesOf(names, tree);
  const find = findEmbedded(lineages);
  const stored = new Map(
    [...lineages].map(([plural, lineage]) => {
      const yaml = entityYaml(lineage, (version, { reference = "", embed = [] }) =>
        embed.map((name) => find(version, reference, name).name),
      );
      return [plural, yaml] as const;
    }),
  );
  const around = { ...inherited, neighbours: neighbourModels([...stored.values()], inherited) };
  const entities = new Map(
    [...stored].flatMap(([plural, value]) => {
      const newest = tree.resources.findLast(
        (one) =>
          one.value.resource === plural &&
          one.version === lineages.get(plural)?.versions.at(-1)?.version,
      );
      return newest === undefined
        ? []
        : [[plural, normaliseResource({ ...newest, value }, around).entity] as const];
    }),
  );
  const properties = new Map(
    names.flatMap((version) => {
      const documents = documentsOf(version, tree);
      const within = surroundings(documents, inherited);
      return documents.map((document) => {
        const { resource } = normaliseResource(document, within);
        return [`${version}/${document.value.resource}`, resource.properties] as const;
      });
    }),
  );
  const versions = new Map(
    [...lineages].map(([plural, lineage]): [string, Versions] => [
      plural,
      {
        levels: lineage.versions.map(({ version }) => ({
          version,
          properties: properties.get(`${version}/${plural}`) ?? [],
        })),
        steps: lineage.steps,
        stored: entities.get(plural)?.properties ?? [],
        embedded: find,
      },
    ]),
  );
  return {
    entities: [...entities.values()],
    shownIn: ({ value: { resource }, version }) => {
      const all = versions.get(resource);
      if (all === undefined) return null;
      const level = all.levels.findIndex((one) => one.version === version);
      const whole = olderVersion(level, all);
      return { whole, part: (part) => shownBy(renamed(whole, part), level, all) };
    },
  };
}

/** The members of an older version that a representation shows, under its names (REP-7). */
function renamed({ members }: Shown, { typeName, names }: Names): Shown["members"] {
  return names.flatMap(({ property: name, original }) => {
    const member = members.find(({ property }) => property.name === original);
    if (member === undefined) return [];
    return [{ ...member, property: renamedProperty(member.property, name, typeName) }];
  });
}

function lineagesOf(names: readonly string[], tree: ValidatedTree): ReadonlyMap<string, Lineage> {
  const all = new Map<string, LineageVersion[]>();
  for (const version of names) {
    const documents = documentsOf(version, tree);
    for (const { value } of documents) {
      const parent = documents.find((one) => one.value.resource === value.parent);
      const own = { version, value, parentProperty: parent?.value.entity ?? null };
      all.set(value.resource, [...(all.get(value.resource) ?? []), own]);
    }
  }
  return new Map([...all].map(([plural, versions]) => [plural, lineageOf(versions)]));
}

function findEmbedded(lineages: ReadonlyMap<string, Lineage>): FindEmbedded {
  return (version, plural, name) => {
    const lineage = lineages.get(plural);
    const level = lineage?.versions.findIndex((one) => one.version === version) ?? -1;
    if (lineage === undefined || level < 0) return { name, instead: [] };
    const found = trace(name, lineage.steps.slice(level));
    const instead = [...found.instead].map(([stored, shown]) => ({ stored, shown }));
    return { name: found.name, instead };
  };
}

function documentsOf(name: string, tree: ValidatedTree): readonly ResourceDocument[] {
  return tree.resources.filter(({ version }) => version === name);
}

function surroundings(documents: readonly ResourceDocument[], inherited: Inherited): Surroundings {
  const yamls = documents.map(({ value }) => value);
  return { ...inherited, neighbours: neighbourModels(yamls, inherited) };
}

/** What a resource can ask of the others of its version. */
function neighbourModels(
  resources: readonly ResourceYaml[],
  { service, authentication }: Inherited,
): NeighbourModels {
  const found = new Map(resources.map((value) => [value.resource, value]));
  const { singular } = pluralsOf(service.inflections ?? {});
  const accessOf = ({ access, parent = "" }: ResourceYaml): AccessModel => {
    const above = found.get(parent);
    const around = { parent: above === undefined ? null : accessOf(above), original: null };
    return normaliseAccess(access, authentication, around);
  };
  return {
    find: (plural) => {
      const yaml = found.get(plural);
      return yaml === undefined ? null : { yaml, access: accessOf(yaml) };
    },
    singular,
  };
}
