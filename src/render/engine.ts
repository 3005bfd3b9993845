import type Handlebars from "handlebars";
import runtime from "handlebars/runtime.js";
import { partials, templates } from "#compiled/templates";
import { InternalError } from "../diagnostics/internal-error.js";

// The package's own types leave its runtime empty: it is the same object without the compiler.
const handlebars = runtime as unknown as typeof Handlebars;

/** Renders the views of one run by templates that were compiled when the package was built: nothing is evaluated. */
export class TemplateEngine {
  private readonly handlebars = handlebars.create();
  private readonly ready = new Map<string, Handlebars.TemplateDelegate>();

  constructor() {
    for (const [name, compiled] of Object.entries(partials)) {
      this.handlebars.registerPartial(name, this.handlebars.template(compiled));
    }
  }

  /** Renders a view with the template `name`. Throws an `InternalError` for an unknown template. */
  render(name: string, view: object): string {
    const known = this.ready.get(name) ?? this.prepare(name);
    return known(view);
  }

  private prepare(name: string): Handlebars.TemplateDelegate {
    const compiled = templates[name];
    if (compiled === undefined) throw new InternalError(`there is no template "${name}"`);
    const template = this.handlebars.template(compiled);
    this.ready.set(name, template);
    return template;
  }
}
