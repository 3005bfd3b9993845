import Handlebars from "handlebars";
import { SyntaxKind, type InterfaceDeclaration, type SourceFile, type TypeNode } from "ts-morph";

/** A field of a view, and which interface it was declared in. */
interface Field {
  readonly owner: string;
  readonly name: string;
  /** The fields of the list's elements; null for anything but a list of objects. */
  readonly elements: Scope | null;
}

/** The fields that a template sees at one place. */
type Scope = ReadonlyMap<string, Field>;

/** What a template does with its view. */
export interface Usage {
  /** `DtoView.doc`, for each field that is printed or asked for. */
  readonly used: ReadonlySet<string>;
  /** Every field that could have been, with the interface that declares it. */
  readonly offered: ReadonlySet<string>;
  /** Names that no field has, a sentence each. */
  readonly unknown: readonly string[];
}

/** The interfaces of all views, by name. */
export type Views = ReadonlyMap<string, InterfaceDeclaration>;

/** Finds the interfaces of some files. */
export function viewsOf(files: readonly SourceFile[]): Views {
  const all = files.flatMap((file) => file.getInterfaces());
  return new Map(all.map((one) => [one.getName(), one]));
}

/** The name of the interface that the view function `name` returns. */
export function viewName(files: readonly SourceFile[], name: string): string {
  const found = files.map((file) => file.getFunction(name)).find((one) => one !== undefined);
  return found?.getReturnTypeNode()?.getText() ?? `nothing: there is no function ${name}`;
}

/** Compares a template with its view; `partials` are texts by name. */
export function usageOf(
  template: { readonly path: string; readonly text: string },
  view: InterfaceDeclaration,
  views: Views,
  partials: ReadonlyMap<string, string>,
): Usage {
  const used = new Set<string>();
  const offered = new Set<string>();
  const unknown: string[] = [];
  const root = scopeOf(view, views);
  offer(root);
  visit(Handlebars.parse(template.text), [root]);
  return { used, offered, unknown };

  function offer(scope: Scope): void {
    for (const { owner, name, elements } of scope.values()) {
      offered.add(`${owner}.${name}`);
      if (elements !== null) offer(elements);
    }
  }

  function visit({ body }: hbs.AST.Program, scopes: readonly Scope[]): void {
    for (const statement of body) {
      if (statement.type === "PartialStatement") {
        const { original } = (statement as hbs.AST.PartialStatement).name as hbs.AST.PathExpression;
        visit(Handlebars.parse(partials.get(original) ?? ""), scopes);
      } else if (statement.type === "MustacheStatement") {
        use((statement as hbs.AST.MustacheStatement).path, scopes);
      } else if (statement.type === "BlockStatement") {
        const { path, params, program } = statement as hbs.AST.BlockStatement;
        const field = use(params[0] as hbs.AST.PathExpression, scopes);
        const isEach = (path as hbs.AST.PathExpression).original === "each";
        visit(program, isEach ? [field?.elements ?? new Map(), ...scopes] : scopes);
      }
    }
  }

  function use(expression: hbs.AST.Expression, scopes: readonly Scope[]): Field | undefined {
    const { depth, parts, original } = expression as hbs.AST.PathExpression;
    const field = scopes[depth]?.get(String(parts[0]));
    if (field === undefined) unknown.push(`${template.path}: no field for {{${original}}}`);
    else used.add(`${field.owner}.${field.name}`);
    return field;
  }
}

function scopeOf(view: InterfaceDeclaration, views: Views): Scope {
  const inherited = view.getExtends().flatMap((base) => {
    const found = views.get(base.getText());
    return found === undefined ? [] : [...scopeOf(found, views)];
  });
  const own = view.getProperties().map((property) => {
    const name = property.getName();
    const elements = elementScope(property.getTypeNode(), `${view.getName()}.${name}`, views);
    return [name, { owner: view.getName(), name, elements }] as const;
  });
  return new Map([...inherited, ...own]);
}

/** `readonly FieldView[]` or `readonly { readonly name: TsCode }[]`; null for anything else. */
function elementScope(type: TypeNode | undefined, path: string, views: Views): Scope | null {
  const array = type?.getFirstDescendantByKind(SyntaxKind.ArrayType);
  const element = type?.isKind(SyntaxKind.ArrayType) ? type : array;
  const held = element?.getElementTypeNode();
  if (held === undefined) return null;
  const named = views.get(held.getText());
  if (named !== undefined) return scopeOf(named, views);
  if (!held.isKind(SyntaxKind.TypeLiteral)) return null;
  return new Map(
    held.getProperties().map((property) => {
      const name = property.getName();
      const elements = elementScope(property.getTypeNode(), `${path}.${name}`, views);
      return [name, { owner: path, name, elements }];
    }),
  );
}
