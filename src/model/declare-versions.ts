import { resourceName } from "../naming/resource-name.js";
import type { ValidatedTree } from "../validate/resource-document.js";
import type { Declared, DeclaredEntity, DeclaredResource } from "./declared.js";
import { withEmbeds } from "./embedding-actions.js";
import { type History, historyOf, lineagesOf, storedPluralsOf } from "./history.js";
import { documentsOf, surroundings } from "./neighbour-models.js";
import type { Inherited } from "./normalise-operations.js";
import { normaliseRepresentation } from "./normalise-representation.js";
import { normaliseResource } from "./normalise-resource.js";
import { withPastShapes } from "./past-shapes.js";

/** What the files of one version say. */
export interface DeclaredVersion {
  readonly name: string;
  readonly resources: readonly DeclaredResource[];
}

/** What its actions embed, as that is stored (VER-2). */
function embedding(
  { actions, version }: Pick<DeclaredResource, "actions" | "version">,
  history: History | null,
): Partial<DeclaredResource> {
  return history === null ? {} : { actions: withEmbeds(actions, version, history.embedded) };
}

/** What is stored, and what each version shows of it, before either is told what the other asks (VER-2). */
export function declareVersions(
  names: readonly string[],
  tree: ValidatedTree,
  inherited: Inherited,
): { readonly entities: readonly DeclaredEntity[]; readonly versions: readonly DeclaredVersion[] } {
  // One version shows everything as it is stored.
  const history = names.length < 2 ? null : historyOf(names, tree, inherited);
  const stored = storedPluralsOf(tree);
  const versions = names.map((name) => {
    const named = (plural: string): string => stored(name, plural);
    const around = surroundings(documentsOf(name, tree), inherited, named);
    const originals = documentsOf(name, tree).map((document): Declared => {
      const shown = history?.shownIn(document) ?? null;
      const declared = normaliseResource(
        document,
        around,
        shown === null ? undefined : () => shown.whole,
      );
      const entity = resourceName(stored(name, document.value.resource), document.value.entity);
      return {
        entity: { ...declared.entity, name: entity },
        resource: { ...declared.resource, entity, ...embedding(declared.resource, history) },
        projected: shown?.part ?? null,
      };
    });
    const representations = tree.representations
      .filter(({ version }) => version === name)
      .flatMap((document) => {
        const original = originals.find(
          ({ resource }) => resource.name.plural === document.value.represents,
        );
        return original === undefined
          ? []
          : [normaliseRepresentation(document, original, inherited)];
      });
    const resources = [...originals.map(({ resource }) => resource), ...representations];
    return { name, resources, entities: originals.map(({ entity }) => entity) };
  });
  const entities = history?.entities ?? versions.flatMap((version) => version.entities);
  const lineages = lineagesOf(tree);
  const whole = entities.map((entity) => {
    const lineage = lineages.get(entity.name.plural);
    return lineage === undefined
      ? entity
      : { ...entity, history: withPastShapes(entity.history, lineage) };
  });
  return { entities: whole, versions };
}
