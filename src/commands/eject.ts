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
import { memberOf, vendoredArchive } from "./upgrade-package.js";
import { UsageError } from "./usage-error.js";

/** How the runtime is ejected. */
export interface EjectOptions {
  /** The folder of the generator's package, absolute. */
  readonly packageRoot: string;
  /** Takes it back: the service depends on the package again. */
  readonly undo: boolean;
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
  { packageRoot, undo }: EjectOptions,
): Promise<Result<Outcome>> {
  const interrupted = finishInterrupted(env);
  if (!interrupted.ok) return interrupted;
  const { files, root, machine, version } = env;
  if (!files.exists(join(root, PACKAGE))) {
    throw new UsageError(`There is no ${PACKAGE} in ${root}: this is not a service.`);
  }
  const text = files.readText(join(root, PACKAGE));
  const isEjected = memberOf(memberOf(JSON.parse(text), "dependencies"), RUNTIME) === ASKED;
  if (undo && !isEjected) {
    throw new UsageError(`${PACKAGE} does not depend on ${ASKED}: there is nothing to take back.`);
  }
  const source = await runtimeFiles(packageRoot);
  return withLock(files, root, machine, () => {
    const archive = archiveOf("runtime", version);
    const changes = undo ? takenBack(env, source, text) : ejected(env, source, text);
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

function ejected(
  env: Environment,
  source: ReadonlyMap<string, string>,
  packageText: string,
): Change[] {
  const [first] = filesBelow(env, FOLDER);
  if (first !== undefined) {
    throw new UsageError(
      `${first} is there already. To take over the runtime of this generator, take yours back first: generator eject runtime --undo`,
    );
  }
  return [
    ...[...source].map(([path, text]) => createdFile(`${FOLDER}/${path}`, text)),
    ...updatedFile(env, PACKAGE, withFolder(packageText)),
    ...inDockerfile(env, (text) =>
      COPIES.reduce((now, [line, own]) => now.replace(line, `$&\n${own}`), text),
    ),
  ];
}

function takenBack(
  env: Environment,
  source: ReadonlyMap<string, string>,
  packageText: string,
): Change[] {
  const present = filesBelow(env, FOLDER);
  const isOwn = (path: string): boolean =>
    source.get(path.slice(FOLDER.length + 1)) !== env.files.readText(join(env.root, path));
  const own = present.filter(isOwn);
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
  const prepare = typeof own === "string" ? `${own} && ${COMPILE}` : COMPILE;
  return withJsonText(depending, "scripts", { key: "prepare", value: prepare }) ?? depending;
}

function withArchive(text: string, version: string): string {
  const asked = { key: RUNTIME, value: `file:${archiveOf("runtime", version)}` };
  const depending = withJsonText(text, "dependencies", asked) ?? text;
  const own = memberOf(memberOf(JSON.parse(text), "scripts"), "prepare");
  if (own === COMPILE) return withoutJsonText(depending, "scripts", "prepare") ?? depending;
  const prepare = String(own).replace(` && ${COMPILE}`, "");
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
