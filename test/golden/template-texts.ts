import type { Artifact } from "../../src/artifacts/artifact.js";
import {
  LIST_ARTIFACTS,
  RESOURCE_ARTIFACTS,
  SERVICE_ARTIFACTS,
  SETTINGS_ARTIFACTS,
} from "../../src/artifacts/artifacts.js";
import { ENTITY_ARTIFACTS } from "../../src/artifacts/entity-artifacts.js";
import { listedService } from "../../src/artifacts/entity-list.js";
import { settingsOf } from "../../src/artifacts/settings-code.js";
import type { ServiceModel } from "../../src/model/service-model.js";
import { withoutMarks } from "../../src/naming/imported.js";
import { TemplateEngine } from "../../src/render/engine.js";
import { codeOf } from "../../src/render/render.js";

/** A file as its template leaves it: prettier has not seen it. */
interface TemplateText {
  readonly path: string;
  readonly text: string;
}

/** The TypeScript of a service before prettier is asked. */
export function templateTexts(service: ServiceModel): TemplateText[] {
  const engine = new TemplateEngine();
  const made = <Model>(artifacts: readonly Artifact<Model>[], model: Model): TemplateText[] =>
    artifacts
      .filter(({ when }) => when?.(model) !== false)
      .map((artifact) => ({
        path: artifact.path(model),
        text: withoutMarks(codeOf(engine, artifact, model)),
      }));
  const resources = service.versions.flatMap((version) => version.resources);
  const texts = [
    ...made(SERVICE_ARTIFACTS, service),
    ...made(SETTINGS_ARTIFACTS, settingsOf(service)),
    ...made(LIST_ARTIFACTS, listedService(service)),
    ...service.entities.flatMap((entity) => made(ENTITY_ARTIFACTS, entity)),
    ...resources.flatMap((resource) => made(RESOURCE_ARTIFACTS, resource)),
  ];
  return texts.filter(({ path }) => path.endsWith(".ts"));
}
