import { resourceName } from "../naming/resource-name.js";
import type { Lineage } from "../validate/lineage.js";
import type { ValidatedTree } from "../validate/resource-document.js";
import type { ActionModel } from "./action-model.js";
import { withStoredStates } from "./action-states.js";
import type { Declared, DeclaredEntity, DeclaredResource } from "./declared.js";
import { withEqualities } from "./equalities.js";
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

/** What its actions embed, and the states in which they are allowed, as those are stored (VER-2). */
function storedActions(
  { actions, version, projection }: Pick<DeclaredResource, "actions" | "version" | "projection">,
  plural: string,
  history: History | null,
  lineage: Lineage | undefined,
): readonly ActionModel[] {
  if (history === null || lineage === undefined) return actions;
  const entity = history.entities.find(({ name }) => name.plural === plural);
  const shown = { states: entity?.states ?? null, lineage, version, projection };
  return withEmbeds(withStoredStates(actions, shown), version, history.embedded);
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
  const lineages = lineagesOf(tree);
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
      const lineage = lineages.get(entity.plural);
      const actions = storedActions(declared.resource, entity.plural, history, lineage);
      return {
        entity: { ...declared.entity, name: entity },
        owner: declared.owner,
        resource: { ...declared.resource, entity, actions, pairs: shown?.pairs ?? [] },
        projected: shown?.part ?? null,
      };
    });
    const documents = tree.representations.filter(({ version }) => version === name);
    const representations = documents.flatMap((document) => {
      const { represents } = document.value;
      const original = originals.find(({ resource }) => resource.name.plural === represents);
      return original === undefined ? [] : [normaliseRepresentation(document, original, inherited)];
    });
    const shown = originals.map(({ resource }) => resource);
    const resources = withEqualities([...shown, ...representations], shown);
    return { name, resources, entities: originals.map(({ entity }) => entity) };
  });
  const entities = history?.entities ?? versions.flatMap((version) => version.entities);
  const whole = entities.map((entity) => {
    const lineage = lineages.get(entity.name.plural);
    return lineage === undefined
      ? entity
      : { ...entity, history: withPastShapes(entity.history, lineage, entity.name.collection) };
  });
  return { entities: whole, versions };
}
