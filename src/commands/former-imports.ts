import { join, posix } from "node:path";
import type { FileSystem } from "../files/file-system.js";
import { filesBelow } from "../files/files-below.js";
import type { Change } from "../apply/change.js";
import { RUNTIME } from "../naming/packages.js";
import { updatedFile } from "./changed-file.js";
import type { Environment } from "./environment.js";

/** An import of a file of the runtime that cannot be imported any more. */
export interface FormerImport {
  /** `src/custom/orders.ts:3` */
  readonly place: string;
  /** What the file imports: `validationFailed`; "" where the import names nothing. */
  readonly name: string;
  /** What it imports instead: `validationFailed of @rulebound/runtime`. */
  readonly instead: string;
}

/** What holds no file of the user, from the root of the service. */
const NOT_OWN =
  /^(?:dist|src\/generated|test\/generated|vendor)$|(?:^|\/)(?:node_modules|\.git|\.rulebound)$/;
const CODE = /\.[cm]?[jt]s$/;
const FORMER = new RegExp(
  `(?:\\{([^{}]*)\\}\\s*from\\s*|\\bfrom\\s*|\\bimport\\s*\\(?\\s*)["']${RUNTIME}/internal/([\\w/-]+)\\.js["']`,
  "g",
);
/** Generated files that users imported, and which have what they exported. */
const MOVED = { context: "services", entities: "app", registry: "app", stores: "services" };
const IMPORTED =
  /(?<=\b(?:from|import)\s*\(?\s*["'])(\.[^"']*\/)(context|entities|registry|stores|[a-z0-9]+\.input)(?=\.js["'])/g;

/** The imports of the runtime's inside in the user's code; `runtime` holds the files of the package by path. */
export function formerImports(
  files: FileSystem,
  root: string,
  runtime: ReadonlyMap<string, string>,
): readonly FormerImport[] {
  const doors = [
    { door: RUNTIME, text: runtime.get("doors/index.ts") ?? "" },
    { door: `${RUNTIME}/testing`, text: runtime.get("doors/testing.ts") ?? "" },
  ].flatMap(({ door, text }) => doorExports(door, text));
  return ownCode(files, root).flatMap((path) => {
    const text = files.readText(join(root, path));
    return [...text.matchAll(FORMER)].flatMap(({ 0: all, 1: list, 2: module = "", index }) => {
      const line = text.slice(0, index + all.length).split("\n").length;
      const names = list === undefined ? [""] : namesOf(list);
      return names.map((name): FormerImport => {
        const instead =
          doors.find((one) => one.module === module && one.name === name)?.instead ??
          "nothing: only generated code uses it";
        return { place: `${path}:${line}`, name, instead };
      });
    });
  });
}

/** The user's code with the imports of generated files that have moved. */
export function movedImports(env: Environment): readonly Change[] {
  const { files, root } = env;
  return ownCode(files, root).flatMap((path) => {
    const text = files.readText(join(root, path));
    // Bytes that are not UTF-8 would be lost: such a file is left as it is.
    if (text.includes("\uFFFD")) return [];
    const moved = text.replaceAll(IMPORTED, (all, folder: string, name: string) => {
      const place = posix.join(posix.dirname(path), folder);
      if (place.startsWith("src/generated/entities/"))
        return folder + name.replace(/input$/, "hooks");
      return place === "src/generated/"
        ? folder + (MOVED[name as keyof typeof MOVED] ?? name)
        : all;
    });
    return updatedFile(env, path, moved);
  });
}

function ownCode(files: FileSystem, root: string): readonly string[] {
  const own = filesBelow(files, root, "", (path) => !NOT_OWN.test(path));
  return own.filter((path) => CODE.test(path));
}

/** Which name of which module a door exports. */
interface DoorExport {
  /** `base/errors` */
  readonly module: string;
  readonly name: string;
  readonly instead: string;
}

function doorExports(door: string, text: string): readonly DoorExport[] {
  const named = [...text.matchAll(/export (?:type )?\{([^}]*)\} from "\.\.\/([\w/-]+)\.js"/g)];
  return named.flatMap(([, list = "", module = ""]) =>
    namesOf(list).map((name) => ({ module, name, instead: `${name} of ${door}` })),
  );
}

/** `a` and `B` of `a, type B as C`. */
function namesOf(list: string): readonly string[] {
  return list.split(",").flatMap((part) => /^\s*(?:type\s+)?(\w+)/.exec(part)?.[1] ?? []);
}
