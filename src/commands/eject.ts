import { join } from "node:path";
import { apply } from "../apply/apply.js";
import type { Change } from "../apply/change.js";
import { withLock } from "../apply/process-lock.js";
import { textHash } from "../apply/text-hash.js";
import { success, type Result } from "../diagnostics/result.js";
import { withJsonText, withoutJsonText } from "../load/edit-json.js";
import { RUNTIME } from "../naming/packages.js";
import { createdFile, updatedFile } from "./changed-file.js";
import type { Environment } from "./environment.js";
import { finishInterrupted } from "./finish-interrupted.js";
import type { Outcome } from "./outcome.js";
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
export async function eject(
  env: Environment,
  { packageRoot, undo, force }: EjectOptions,
): Promise<Result<Outcome>> {
  const interrupted = finishInterrupted(env);
  if (!interrupted.ok) return interrupted;
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
    throw new UsageError(`${FOLDER} is there already, and is not a folder: move it away first.`);
  }
  const source = await runtimeFiles(packageRoot);
  return withLock(files, root, machine, () => {
    const archive = archiveOf("runtime", version);
    const changes = undo ? takenBack(env, source, text) : ejected(env, { source, text, force });
    if (undo) {
      files.makeDirectory(join(root, "vendor"));
      packRuntime(packageRoot, join(root, archive));
    }
    const { leftAlone } = apply(files, root, { changes });
    const before = vendoredArchive(text, RUNTIME);
    if (undo) {
      removeCompiled(env, `${FOLDER}/dist`);
      if (files.exists(join(root, FOLDER))) files.removeEmptyDirectory(join(root, FOLDER));
    } else if (before !== null) files.remove(join(root, before));
    return success({ changes, applied: true, leftAlone, plainSchema: null, migration: null });
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
  const others = filesBelow(env, FOLDER).filter((path) => isOwn(env, source, path));
  if (others.length > 0 && !force) {
    throw new UsageError(
      `${FOLDER}/ is there already, and is not as this generator ejects it: ${listed(others)}. --force writes this generator's files over it, and "git diff" shows what was yours.`,
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
  const present = filesBelow(env, FOLDER);
  const own = present.filter((path) => isOwn(env, source, path));
  if (own.length > 0) {
    throw new UsageError(
      `${FOLDER}/ is not as this generator ejects it: ${listed(own)}. Remove the folder first, if git keeps what is yours.`,
    );
  }
  const removed = present.map((path): Change => {
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
  const depending = withJsonText(text, "dependencies", { key: RUNTIME, value: ASKED }) ?? text;
  const own = memberOf(memberOf(JSON.parse(text), "scripts"), "prepare");
  const all = typeof own === "string" ? `${own} && ${COMPILE}` : COMPILE;
  const prepare = String(own).includes(COMPILE) ? String(own) : all;
  return withJsonText(depending, "scripts", { key: "prepare", value: prepare }) ?? depending;
}

function withArchive(text: string, version: string): string {
  const asked = { key: RUNTIME, value: `file:${archiveOf("runtime", version)}` };
  const depending = withJsonText(text, "dependencies", asked) ?? text;
  const own = memberOf(memberOf(JSON.parse(text), "scripts"), "prepare");
  if (own === COMPILE) return withoutJsonText(depending, "scripts", "prepare") ?? depending;
  const prepare = String(own).replace(` && ${COMPILE}`, "").replace(`${COMPILE} && `, "");
  return typeof own !== "string"
    ? depending
    : (withJsonText(depending, "scripts", { key: "prepare", value: prepare }) ?? depending);
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

/** The files below a folder, without what is compiled or installed there. */
function filesBelow(env: Environment, folder: string): string[] {
  const { files, root } = env;
  if (files.lstat(join(root, folder)) === null) return [];
  return files.list(join(root, folder)).flatMap((name) => {
    const path = `${folder}/${name}`;
    if (path === `${FOLDER}/dist` || path === `${FOLDER}/node_modules`) return [];
    return files.lstat(join(root, path))?.kind === "directory" ? filesBelow(env, path) : [path];
  });
}

function removeCompiled(env: Environment, folder: string): void {
  const { files, root } = env;
  if (files.lstat(join(root, folder))?.kind !== "directory") return;
  for (const name of files.list(join(root, folder))) {
    const path = `${folder}/${name}`;
    if (files.lstat(join(root, path))?.kind === "directory") removeCompiled(env, path);
    else files.remove(join(root, path));
  }
  files.removeEmptyDirectory(join(root, folder));
}

function listed(paths: readonly string[]): string {
  const few = paths.slice(0, 3).join(", ");
  return paths.length > 3 ? `${few} and ${paths.length - 3} more differ` : `${few} differ`;
}
