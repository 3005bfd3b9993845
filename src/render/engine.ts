import type Handlebars from "handlebars";
import runtime from "handlebars/runtime.js";
import { partials, templates } from "#compiled/templates";
import { InternalError } from "../diagnostics/internal-error.js";
import { NOTHING_EJECTED, type Ejected } from "./ejected.js";
import { printTemplate, TemplateMistake } from "./print-template.js";

type Render = (view: unknown) => string;

// The package's own types leave its runtime empty: it is the same object without the compiler.
const handlebars = runtime as unknown as typeof Handlebars;

/**
 * Renders the views of one run. The generator's templates were compiled when the package was built, and those of the
 * project are printed piece by piece: nothing is evaluated.
 */
export class TemplateEngine {
  private readonly handlebars = handlebars.create();
  private readonly ready = new Map<string, Render>();

  constructor(private readonly ejected: Ejected = NOTHING_EJECTED) {
    for (const [name, compiled] of Object.entries(partials)) {
      const own = this.own(`partials/${name}`);
      this.handlebars.registerPartial(name, own ?? this.handlebars.template(compiled));
    }
  }

  /** Renders a view with the template `name`. Throws an `InternalError` for an unknown template, and `TemplateMistake` for one of the project's own. */
  render(name: string, view: object): string {
    const known = this.ready.get(name) ?? this.prepare(name);
    return known(view);
  }

  private prepare(name: string): Render {
    const render = this.own(name) ?? this.compiled(templates[name], name);
    this.ready.set(name, render);
    return render;
  }

  private compiled(compiled: (typeof templates)[string] | undefined, name: string): Render {
    if (compiled === undefined) throw new InternalError(`there is no template "${name}"`);
    const template = this.handlebars.template(compiled);
    return (view) => template(view);
  }

  /** The project's own template of a name. */
  private own(name: string): Render | null {
    const template = this.ejected.templates.get(name);
    if (template === undefined) return null;
    const partial = (of: string, view: unknown): string | null => this.partial(of, view);
    return (view) => {
      try {
        return printTemplate(template.pieces, view, partial);
      } catch (error) {
        // Which of them it stands in is known here only; a partial has told it already.
        if (error instanceof TemplateMistake) error.path ??= template.path;
        throw error;
      }
    };
  }

  private partial(name: string, view: unknown): string | null {
    const key = `partials/${name}`;
    const known = this.ready.get(key) ?? this.own(key);
    const compiled = Object.hasOwn(partials, name) ? partials[name] : undefined;
    const render = known ?? (compiled === undefined ? null : this.compiled(compiled, name));
    if (render === null) return null;
    this.ready.set(key, render);
    return render(view);
  }
}
