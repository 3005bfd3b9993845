import { posix } from "node:path";
import { SyntaxKind, type SourceFile } from "ts-morph";
import { pathOf } from "./source-tree.js";

/** A row of the table in docs/architecture.md. */
export interface Floor {
  readonly floor: number;
  /** What the folder may import from outside `src`; `process` stands for the global. */
  readonly packages: readonly string[];
}

/** The table as it stands in the document, by folder. */
export function readFloors(document: string): ReadonlyMap<string, Floor> {
  const rows = document.matchAll(/^\| (\d+) \| `([a-z]+)` \|[^|]*\| ([^|]+) \|$/gm);
  return new Map(
    [...rows].map(([, floor, folder = "", packages = ""]) => [
      folder,
      {
        floor: Number(floor),
        packages: [...packages.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
      },
    ]),
  );
}

/** What a file of `src` imports against the table, a sentence each. */
export function floorFindings(file: SourceFile, floors: ReadonlyMap<string, Floor>): string[] {
  const path = pathOf(file);
  const folder = path.split("/")[1] ?? "";
  const own = floors.get(folder);
  if (own === undefined) return [`${path}: the folder "${folder}" has no floor`];
  const findings = importsOf(file).flatMap((wanted) => {
    const reason = wanted.startsWith(".")
      ? stepOut(posix.join(posix.dirname(path), wanted), folder, floors)
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

function stepOut(
  target: string,
  folder: string,
  floors: ReadonlyMap<string, Floor>,
): string | null {
  const [top, other = ""] = target.split("/");
  if (top !== "src") return "it stands outside src";
  if (other === folder) return null;
  const from = floors.get(folder)?.floor ?? -1;
  const to = floors.get(other)?.floor;
  if (to === undefined) return `the folder "${other}" has no floor`;
  return to < from ? null : `floor ${to} is not below floor ${from}`;
}

function packageOut(wanted: string, { packages }: Floor): string | null {
  return packages.includes(packageName(wanted)) ? null : "the table does not name it";
}

/** `prettier/plugins/estree` -> `prettier`; `node:fs/promises` -> `node:fs`. */
function packageName(wanted: string): string {
  if (wanted.startsWith("#")) return wanted;
  return wanted.split("/", wanted.startsWith("@") ? 2 : 1).join("/");
}
