import { RESOURCE_ARTIFACTS, SERVICE_ARTIFACTS } from "../../src/artifacts/artifacts.js";
import type { ServiceModel } from "../../src/model/service-model.js";
import { TemplateEngine } from "../../src/render/engine.js";

/** A file as its template leaves it: prettier has not seen it. */
interface TemplateText {
  readonly path: string;
  readonly text: string;
}

/** The TypeScript of a service before prettier is asked. */
export function templateTexts(service: ServiceModel): TemplateText[] {
  const engine = new TemplateEngine();
  const resources = service.versions.flatMap((version) => version.resources);
  const texts = [
    ...SERVICE_ARTIFACTS.map(({ template, path, view }) => ({
      path: path(service),
      text: engine.render(template, view(service)),
    })),
    ...resources.flatMap((resource) =>
      RESOURCE_ARTIFACTS.filter(({ when }) => when?.(resource) !== false).map(
        ({ template, path, view }) => ({
          path: path(resource),
          text: engine.render(template, view(resource)),
        }),
      ),
    ),
  ];
  return texts.filter(({ path }) => path.endsWith(".ts"));
}
