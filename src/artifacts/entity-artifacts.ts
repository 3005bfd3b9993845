import type { EntityModel } from "../model/entity-model.js";
import { referencesOf } from "../model/references.js";
import type { Artifact } from "./artifact.js";
import { customView } from "./custom-view.js";
import { entityActionsView } from "./entity-actions-view.js";
import { entityModules, eventModules, inputModules, meaning, scopeModules } from "./exports.js";
import { entityEventsView } from "./events-view.js";
import { entityReaderView } from "./entity-reader-view.js";
import { entityView } from "./entity-view.js";
import { hooksView } from "./hooks-view.js";
import { entityInputView } from "./input-view.js";
import { entityPath } from "./modules.js";
import { referencesView } from "./references-view.js";
import { scopeView } from "./scope-view.js";
import { statesView } from "./states-view.js";
import { storeView } from "./store-view.js";

/** What is emitted for each entity, whatever versions and resources show of it. */
export const ENTITY_ARTIFACTS: readonly Artifact<EntityModel>[] = [
  {
    template: "entity/entity.ts",
    owner: "generator",
    path: (entity) => entityPath(entity, "entity"),
    view: entityView,
    modules: entityModules,
  },
  {
    template: "entity/hooks.ts",
    owner: "generator",
    path: (entity) => entityPath(entity, "hooks"),
    view: hooksView,
    modules: entityModules,
  },
  {
    template: "entity/states.ts",
    owner: "generator",
    when: ({ states }) => states !== null,
    path: (entity) => entityPath(entity, "states"),
    view: statesView,
  },
  {
    template: "entity/references.ts",
    owner: "generator",
    when: (entity) => referencesOf(entity).length > 0,
    path: (entity) => entityPath(entity, "references"),
    view: referencesView,
    modules: entityModules,
  },
  {
    template: "entity/actions.ts",
    owner: "generator",
    when: ({ actions }) => actions.length > 0,
    path: (entity) => entityPath(entity, "actions"),
    view: entityActionsView,
    modules: entityModules,
  },
  {
    template: "entity/scope.ts",
    owner: "generator",
    when: ({ isScoped }) => isScoped,
    path: (entity) => entityPath(entity, "scope"),
    view: scopeView,
    modules: meaning("query/where", "type PathFilters", scopeModules),
  },
  {
    template: "entity/input.ts",
    owner: "generator",
    path: (entity) => entityPath(entity, "input"),
    view: entityInputView,
    modules: inputModules,
  },
  {
    template: "entity/reader.ts",
    owner: "generator",
    path: (entity) => entityPath(entity, "reader"),
    view: entityReaderView,
    modules: meaning("entity/entity-parts", "type EntityReader", entityModules),
  },
  {
    template: "entity/store.ts",
    owner: "generator",
    path: (entity) => entityPath(entity, "store"),
    view: storeView,
    modules: entityModules,
  },
  {
    template: "entity/events.ts",
    owner: "generator",
    when: ({ announced }) => announced.length > 0,
    path: (entity) => entityPath(entity, "events"),
    view: entityEventsView,
    modules: eventModules,
  },
  {
    template: "scaffold/custom.ts",
    owner: "user",
    path: ({ name }) => `src/custom/${name.plural}.ts`,
    view: customView,
  },
];
