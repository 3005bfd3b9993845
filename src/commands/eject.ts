import { join } from "node:path";
import { apply } from "../apply/apply.js";
import type { Change } from "../apply/change.js";
import { withLock } from "../apply/process-lock.js";
import { textHash } from "../apply/text-hash.js";
import { success, type Result } from "../diagnostics/result.js";
import { filesBelow } from "../files/files-below.js";
import { withJsonText, withoutJsonText } from "../load/edit-json.js";
import { RUNTIME } from "../naming/packages.js";
import { createdFile, updatedFile } from "./changed-file.js";
import type { Environment } from "./environment.js";
import { onWhole } from "./finish-interrupted.js";
import { NOTHING_ELSE, type Outcome } from "./outcome.js";
import { archiveOf, packRuntime, runtimeFiles } from "./own-archives.js";
import { askedVersion, memberOf, vendoredArchive } from "./upgrade-package.js";
import { UsageError } from "./usage-error.js";

/** How the runtime is ejected. */
export interface EjectOptions {
  /** The folder of the generator's package, absolute. */
  readonly packageRoot: string;
  /** Takes it back: the service depends on the package again. */
  readonly undo: boolean;
  /** Writes this generator's files over those of an earlier one, edited or not. */
  readonly force: boolean;
}

const FOLDER = "runtime";
const ASKED = `file:${FOLDER}`;
const COMPILE = `tsc -p ${FOLDER}`;
const PACKAGE = "package.json";
const DOCKERFILE = "Dockerfile";

/**
 * Makes the runtime code of the service: its TypeScript stands in `runtime/`, package.json depends on it there, and `npm install`
 * compiles it. Imports stay the same. Throws `UsageError` where there is such a folder, or, to take it back, where it was edited.
 */
export function eject(env: Environment, options: EjectOptions): Promise<Result<Outcome>> {
  return onWhole(env, () => ejectWhole(env, options));
}

async function ejectWhole(
  env: Environment,
  { packageRoot, undo, force }: EjectOptions,
): Promise<Result<Outcome>> {
  const { files, root, machine, version } = env;
  if (!files.exists(join(root, PACKAGE))) {
    throw new UsageError(`There is no ${PACKAGE} in ${root}: this is not a service.`);
  }
  const text = files.readText(join(root, PACKAGE));
  const wasEjected = isEjected(text);
  if (undo && !wasEjected) {
    throw new UsageError(`${PACKAGE} does not depend on ${ASKED}: there is nothing to take back.`);
  }
  const kind = files.lstat(join(root, FOLDER))?.kind ?? "directory";
  if (kind !== "directory") {
    throw new UsageError(`${FOLDER} already exists and is not a folder: move it away first.`);
  }
  const source = await runtimeFiles(packageRoot);
  return withLock(files, root, machine, () => {
    const changes = undo ? takenBack(env, source, text) : ejected(env, { source, text, force });
    if (undo) {
      files.makeDirectory(join(root, "vendor"));
      packRuntime(packageRoot, join(root, archiveOf("runtime", version)));
    }
    const { leftAlone } = apply(files, root, { changes });
    const archive = vendoredArchive(text, RUNTIME);
    if (archive !== null) files.remove(join(root, archive));
    return success({ changes, applied: true, leftAlone, ...NOTHING_ELSE });
  });
}

/** Whether a package.json depends on the folder. Throws `UsageError` where it cannot be read. */
export function isEjected(packageText: string): boolean {
  return askedVersion(packageText, RUNTIME) === ASKED;
}

function ejected(
  env: Environment,
  { source, text, force }: { source: ReadonlyMap<string, string>; text: string; force: boolean },
): Change[] {
  const others = ownFiles(env).filter((path) => isOwn(env, source, path));
  if (others.length > 0 && !force) {
    throw new UsageError(
      `${FOLDER}/ already exists, and differs from the folder that this generator ejects: ${listed(others)}. --force writes this generator's files over it, and "git diff" shows what was yours.`,
    );
  }
  return [
    ...[...source].flatMap(([path, content]) => {
      const file = `${FOLDER}/${path}`;
      const isThere = env.files.exists(join(env.root, file));
      return isThere ? updatedFile(env, file, content) : [createdFile(file, content)];
    }),
    ...updatedFile(env, PACKAGE, withFolder(text)),
    ...inDockerfile(env, (docker) => {
      const isUsual = COPIES.every(([line, own]) => line.test(docker) && !docker.includes(own));
      const add = (now: string, [line, own]: (typeof COPIES)[number]): string =>
        now.replace(line, `$&\n${own}`);
      return isUsual ? COPIES.reduce(add, docker) : docker;
    }),
  ];
}

/** Whether a file of the folder is not as the generator writes it; line ends do not count. */
function isOwn(env: Environment, source: ReadonlyMap<string, string>, path: string): boolean {
  const made = source.get(path.slice(FOLDER.length + 1));
  const text = env.files.readText(join(env.root, path));
  return made === undefined || textHash(made) !== textHash(text);
}

function takenBack(
  env: Environment,
  source: ReadonlyMap<string, string>,
  packageText: string,
): Change[] {
  const present = ownFiles(env);
  const own = present.filter((path) => isOwn(env, source, path));
  if (own.length > 0) {
    throw new UsageError(
      `${FOLDER}/ differs from the folder that this generator ejects: ${listed(own)}. Remove the folder first, if git keeps what is yours.`,
    );
  }
  const compiled = filesBelow(env.files, env.root, COMPILED);
  const removed = [...present, ...compiled].map((path): Change => {
    return { kind: "removed", path, before: textHash(env.files.readText(join(env.root, path))) };
  });
  return [
    ...removed,
    ...updatedFile(env, PACKAGE, withArchive(packageText, env.version)),
    ...inDockerfile(env, (text) =>
      COPIES.reduce((now, [, own]) => now.replace(`${own}\n`, ""), text),
    ),
  ];
}

/** package.json that depends on the folder, and compiles it after every `npm install` and `npm ci`. */
function withFolder(text: string): string {
  const own = prepareOf(text);
  const prepare = own === null ? COMPILE : own.includes(COMPILE) ? own : `${own} && ${COMPILE}`;
  const depending = withJsonText(text, "dependencies", { key: RUNTIME, value: ASKED }) ?? text;
  return withJsonText(depending, "scripts", { key: "prepare", value: prepare }) ?? depending;
}

/** package.json as it was before, with the archive of this generator's runtime. */
function withArchive(text: string, version: string): string {
  const asked = { key: RUNTIME, value: `file:${archiveOf("runtime", version)}` };
  const depending = withJsonText(text, "dependencies", asked) ?? text;
  const own = prepareOf(text);
  if (own === null) return depending;
  if (own === COMPILE) return withoutJsonText(depending, "scripts", "prepare") ?? depending;
  const prepare = own.replace(` && ${COMPILE}`, "").replace(`${COMPILE} && `, "");
  return withJsonText(depending, "scripts", { key: "prepare", value: prepare }) ?? depending;
}

/** The script that npm runs after an installation; null: there is none. */
function prepareOf(packageText: string): string | null {
  const prepare = memberOf(memberOf(JSON.parse(packageText), "scripts"), "prepare");
  return typeof prepare === "string" ? prepare : null;
}

/** Lines of the Dockerfile of a new service, and what goes below each: `node_modules` holds a link to the folder. */
const COPIES = [
  [/^COPY vendor \.\/vendor$/m, `COPY ${FOLDER} ./${FOLDER}`],
  [
    /^COPY --from=build .*\/service\/node_modules \.\/node_modules$/m,
    `COPY --from=build --chown=node:node /service/${FOLDER} ./${FOLDER}`,
  ],
] as const;

function inDockerfile(env: Environment, edit: (text: string) => string): Change[] {
  const path = join(env.root, DOCKERFILE);
  if (env.files.lstat(path)?.kind !== "file") return [];
  return updatedFile(env, DOCKERFILE, edit(env.files.readText(path)));
}

const COMPILED = `${FOLDER}/dist`;

/** The files of the folder, without what is compiled or installed there. */
function ownFiles({ files, root }: Environment): readonly string[] {
  const isOwn = (path: string): boolean => path !== COMPILED && path !== `${FOLDER}/node_modules`;
  return filesBelow(files, root, FOLDER, isOwn);
}

function listed(paths: readonly string[]): string {
  const few = paths.slice(0, 3).join(", ");
  return paths.length > 3 ? `${few} and ${paths.length - 3} more differ` : `${few} differ`;
}
