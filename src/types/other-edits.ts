import { placeOfChange } from "../contract/check-published.js";
import type { Project } from "../contract/project.js";
import type { EntityModel } from "../model/entity-model.js";
import type { ServiceModel } from "../model/service-model.js";
import type { SchemaEdit } from "./schema-edit.js";

/** Versions that nothing is generated for any more, where nothing else of their resources was edited. */
export function retirements(before: ServiceModel, { model, tree }: Project): readonly SchemaEdit[] {
  return model.versions.flatMap((version): readonly SchemaEdit[] => {
    const { name, status } = version;
    const was = before.versions.find((earlier) => earlier.name === name);
    if (status !== "retired" || was === undefined || was.status === "retired") return [];
    const gone = goneWith(before, model);
    return [
      {
        kind: "version-retired",
        resource: null,
        sentence: `${name} is retired: nothing is generated for it any more.`,
        span: tree.service.locate(["versions", name], "key").span,
        names: new Set(gone.flatMap(({ names }) => names)),
        folders: [
          `src/generated/${name}/`,
          ...gone.map(({ plural }) => `src/generated/entities/${plural}/`),
        ],
      },
    ];
  });
}

/** What the entities do not hold any more, whether a version removed it or nobody shows them. */
function goneWith(before: ServiceModel, after: ServiceModel) {
  return before.entities.flatMap(({ name: { plural }, properties }) => {
    const now = entityOf(after, plural)?.properties ?? [];
    const names = properties
      .map(({ name }) => name)
      .filter((name) => !now.some((property) => property.name === name));
    return names.length === 0 ? [] : [{ plural, names }];
  });
}

/** AUT-2: entities of which own code has to say now which ones a caller is given, or has not to any more. */
export function scopesAsked(before: ServiceModel, project: Project): readonly SchemaEdit[] {
  const { model, tree } = project;
  return model.entities.flatMap(({ name: { plural }, isScoped }): readonly SchemaEdit[] => {
    const was = entityOf(before, plural);
    if (was === undefined || was.isScoped === isScoped) return [];
    const version = model.versions.findLast(({ resources }) =>
      resources.some(({ name }) => name.plural === plural),
    );
    if (version === undefined) return [];
    const change = { resource: plural, at: ["access"], kind: "read-access-narrowed" } as const;
    return [
      {
        kind: "scope-asked",
        resource: plural,
        sentence: isScoped
          ? "`access` says `custom` now, so that `scope` is asked."
          : "`access` does not say `custom` any more, so that `scope` is not asked.",
        span: placeOfChange(change, version, tree).span,
        names: new Set(["scope"]),
        folders: [`src/generated/${version.name}/${plural}/`, `src/generated/entities/${plural}/`],
      },
    ];
  });
}

function entityOf({ entities }: ServiceModel, plural: string): EntityModel | undefined {
  return entities.find(({ name }) => name.plural === plural);
}
