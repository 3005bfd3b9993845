import { posix } from "node:path";
import { SyntaxKind, type SourceFile } from "ts-morph";
import { pathOf } from "./source-tree.js";

/** A row of the table in docs/architecture.md. */
export interface Floor {
  readonly floor: number;
  /** What the folder may import from outside the building; `process` stands for the global. */
  readonly packages: readonly string[];
}

/** One building of the document: where it stands, and its floors by folder. */
export interface Building {
  /** `src` */
  readonly root: string;
  readonly floors: ReadonlyMap<string, Floor>;
}

/** The table below a heading of the document, for the folders of `root`. */
export function readFloors(document: string, heading: string, root: string): Building {
  const [, section = ""] = document.split(`\n## ${heading}\n`);
  const [table = ""] = section.split("\n## ");
  const rows = table.matchAll(/^\| (\d+) \| `([a-z]+)` \|[^|]*\| ([^|]+) \|$/gm);
  const floors = new Map(
    [...rows].map(([, floor, folder = "", packages = ""]) => [
      folder,
      {
        floor: Number(floor),
        packages: [...packages.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
      },
    ]),
  );
  return { root, floors };
}

/** The folder of a building in which a file stands. */
export function folderOf(path: string, root: string): string {
  return path.slice(root.length + 1).split("/")[0] ?? "";
}

/** What a file of a building imports against its table, a sentence each. */
export function floorFindings(file: SourceFile, building: Building): string[] {
  const { root, floors } = building;
  const path = pathOf(file);
  const folder = folderOf(path, root);
  const own = floors.get(folder);
  if (own === undefined) return [`${path}: the folder "${folder}" has no floor`];
  const findings = importsOf(file).flatMap((wanted) => {
    const reason = wanted.startsWith(".")
      ? stepOut(posix.join(posix.dirname(path), wanted), folder, building)
      : packageOut(wanted, own);
    return reason === null ? [] : [`${path} imports ${wanted}: ${reason}`];
  });
  const usesProcess = file
    .getDescendantsOfKind(SyntaxKind.PropertyAccessExpression)
    .some((access) => access.getExpression().getText() === "process");
  if (usesProcess && !own.packages.includes("process")) findings.push(`${path} uses process`);
  return findings;
}

/** The packages that a folder really imports, by the names of the table. */
export function packagesOf(file: SourceFile): string[] {
  return importsOf(file)
    .filter((wanted) => !wanted.startsWith("."))
    .map(packageName);
}

function importsOf(file: SourceFile): string[] {
  return file.getImportStringLiterals().map((literal) => literal.getLiteralText());
}

function stepOut(target: string, folder: string, { root, floors }: Building): string | null {
  if (!target.startsWith(`${root}/`)) return `it stands outside ${root}`;
  const other = folderOf(target, root);
  if (other === folder) return null;
  const from = floors.get(folder)?.floor ?? -1;
  const to = floors.get(other)?.floor;
  if (to === undefined) return `the folder "${other}" has no floor`;
  return to < from ? null : `floor ${to} is not below floor ${from}`;
}

function packageOut(wanted: string, { packages }: Floor): string | null {
  return packages.includes(packageName(wanted)) ? null : "the table does not name it";
}

/** `prettier/plugins/estree` -> `prettier`; `node:fs/promises` -> `node:fs`; `#runtime/input/formats` -> `#runtime/input`. */
function packageName(wanted: string): string {
  if (wanted.startsWith("#runtime/")) return wanted.split("/", 2).join("/");
  if (wanted.startsWith("#")) return wanted;
  return wanted.split("/", wanted.startsWith("@") ? 2 : 1).join("/");
}
