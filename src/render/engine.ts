import Handlebars from "handlebars/runtime.js";
import { partials, templates } from "#compiled/templates";
import { InternalError } from "../diagnostics/internal-error.js";

type Render = (view: object) => string;

/** Renders the views of one run; templates were compiled when the package was built, nothing is evaluated. */
export class TemplateEngine {
  private readonly handlebars = Handlebars.create();
  private readonly ready = new Map<string, Render>();

  constructor() {
    for (const [name, compiled] of Object.entries(partials)) {
      this.handlebars.registerPartial(name, this.handlebars.template(compiled));
    }
  }

  /** The text that the template `name` makes of a view. Throws an `InternalError` for an unknown template. */
  render(name: string, view: object): string {
    const known = this.ready.get(name) ?? this.prepare(name);
    return known(view);
  }

  private prepare(name: string): Render {
    const compiled = templates[name];
    if (compiled === undefined) throw new InternalError(`there is no template "${name}"`);
    const template = this.handlebars.template(compiled);
    const render: Render = (view) => template(view);
    this.ready.set(name, render);
    return render;
  }
}
