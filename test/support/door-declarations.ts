import { join } from "node:path";
import { Node, Project, ts, type ExportedDeclarations } from "ts-morph";
import { RUNTIME_SOURCE } from "./runtime.js";

/** The modules of the runtime that a service's own code may import, by their files in `src/runtime/doors`. */
const OWN_DOORS = ["index", "testing"] as const;
/** All that a service imports: generated code has doors of its own. */
export const DOORS = [...OWN_DOORS, "generated-v1", "generated-v1-testing"] as const;
export type Door = (typeof DOORS)[number];

/** An export of a door. */
export interface DoorExport {
  /** `variables.url` for a member of a namespace. */
  readonly name: string;
  /** The declaration without comments. */
  readonly declaration: string;
  /** The doc comment; "" without one. */
  readonly doc: string;
  /** Types of the runtime that the declaration names. */
  readonly named: readonly string[];
}

const project = new Project({
  compilerOptions: {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    skipLibCheck: true,
    types: [],
  },
});

/** Reads what a door exports from the declarations that the package ships, sorted by name. */
export function exportsOf(door: Door): readonly DoorExport[] {
  const file = project.addSourceFileAtPath(join(RUNTIME_SOURCE, `dist/doors/${door}.d.ts`));
  project.resolveSourceFileDependencies();
  return declarationsOf(file.getExportedDeclarations(), "").sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
}

function declarationsOf(
  exported: ReadonlyMap<string, readonly ExportedDeclarations[]>,
  before: string,
): DoorExport[] {
  return [...exported].flatMap(([name, [node]]) => {
    if (node === undefined) throw new Error(`${name} is exported and declared nowhere`);
    if (Node.isSourceFile(node)) {
      return declarationsOf(node.getExportedDeclarations(), `${before}${name}.`);
    }
    const told = Node.isVariableDeclaration(node) ? node.getVariableStatement() : node;
    const docs = told !== undefined && Node.isJSDocable(told) ? told.getJsDocs() : [];
    return [
      {
        name: `${before}${name}`,
        declaration: withoutComments(node.getText()),
        doc: docs.map((doc) => doc.getDescription().trim()).join("\n"),
        named: namedBy(node),
      },
    ];
  });
}

function withoutComments(text: string): string {
  const lines = text.replaceAll(/\/\*\*[\s\S]*?\*\/\s*/g, "").split("\n");
  return lines.filter((line) => line.trim() !== "").join("\n");
}

/** Types of the runtime, by their names; those of packages and parameters of types are left out. */
function namedBy(node: ExportedDeclarations): readonly string[] {
  const names = node.getDescendants().flatMap((part) => {
    if (!Node.isTypeReference(part) && !Node.isExpressionWithTypeArguments(part)) return [];
    const name = Node.isTypeReference(part) ? part.getTypeName() : part.getExpression();
    const symbol = name.getSymbol();
    const [declared] = (symbol?.getAliasedSymbol() ?? symbol)?.getDeclarations() ?? [];
    if (declared === undefined || Node.isTypeParameterDeclaration(declared)) return [];
    return isOfRuntime(declared) ? [name.getText()] : [];
  });
  return [...new Set(names)];
}

function isOfRuntime(node: Node<ts.Node>): boolean {
  return node.getSourceFile().getFilePath().includes(`/${RUNTIME_SOURCE}/dist/`);
}

/** What a door promises, as text: every declaration, and at the end the types of the runtime that it names without exporting them. */
export function doorText(door: Door): string {
  const exported = exportsOf(door);
  const doors = door === "index" || door === "testing" ? OWN_DOORS : DOORS;
  const names = new Set(doors.flatMap((one) => exportsOf(one).map(({ name }) => name)));
  const inside = new Set(exported.flatMap(({ named }) => named));
  const left = [...inside].filter((name) => !names.has(name) && !names.has(`variables.${name}`));
  const declarations = exported.map(({ name, declaration }) => `// ${name}\n${declaration}\n`);
  return `${declarations.join("\n")}\n// Named above and not exported: ${left.sort().join(", ")}\n`;
}

/** Where the promise of a door is kept; `npm run accept` writes it. */
export function doorFile(door: Door): string {
  return `fixtures/doors/${door}.txt`;
}
