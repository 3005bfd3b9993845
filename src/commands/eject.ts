import { apply } from "../apply/apply.js";
import type { Change } from "../apply/change.js";
import { EMPTY_MANIFEST } from "../apply/manifest.js";
import { withLock } from "../apply/process-lock.js";
import { readDisk } from "../apply/read-disk.js";
import { textHash } from "../apply/text-hash.js";
import { didYouMean } from "../diagnostics/advice.js";
import type { Result } from "../diagnostics/result.js";
import { success } from "../diagnostics/result.js";
import { nearest } from "../naming/nearest.js";
import { ejectedPath } from "../render/ejected.js";
import { baseMark, ejectable, templateSource } from "../render/template-sources.js";
import type { Environment } from "./environment.js";
import { finishInterrupted } from "./finish-interrupted.js";
import type { Outcome } from "./outcome.js";
import { UsageError } from "./usage-error.js";

/** The templates that can be ejected, and where a project's copy of each stands. */
export function ejectableTemplates(): readonly { readonly name: string; readonly path: string }[] {
  return ejectable().map((name) => ({ name, path: ejectedPath(name) }));
}

/**
 * Copies a template into the project, where it is the user's and used in place of the generator's. Where there is a copy
 * already, the present text is written beside it. Throws `UsageError`.
 */
export function eject(env: Environment, name: string): Result<Outcome> {
  const interrupted = finishInterrupted(env);
  if (!interrupted.ok) return interrupted;
  const { files, root, machine } = env;
  const bare = name.replace(/^ejected\//, "").replace(/\.hbs$/, "");
  const source = ejectable().includes(bare) ? templateSource(bare) : null;
  if (source === null) throw new UsageError(unknown(bare));
  const text = baseMark(source) + source;
  return withLock(files, root, machine, () => {
    const changes = [changeFor(env, ejectedPath(bare), text)];
    const { leftAlone } = apply(files, root, { changes });
    return success({ changes, applied: true, leftAlone, plainSchema: null, migration: null });
  });
}

function changeFor({ files, root }: Environment, path: string, text: string): Change {
  const disk = readDisk(files, root, EMPTY_MANIFEST);
  const after = textHash(text);
  const own = disk.at(path);
  if (own.kind === "absent") return { kind: "created", path, owner: "user", text, after };
  if (own.kind !== "file") throw new UsageError(`${path} is not a file.`);
  if (own.hash === after) return { kind: "unchanged", path, owner: "user" };
  const beside = `${path}.new`;
  const present = disk.at(beside);
  switch (present.kind) {
    case "absent":
      return { kind: "created", path: beside, owner: "user", text, after };
    case "file": {
      if (present.hash === after) return { kind: "unchanged", path: beside, owner: "user" };
      throw new UsageError(
        `${beside} is there already: take over what you need of it, and delete it.`,
      );
    }
    default:
      throw new UsageError(`${beside} is not a file.`);
  }
}

function unknown(name: string): string {
  const near = nearest(name, ejectable());
  const known = near === null ? `There are ${ejectable().join(", ")}.` : didYouMean(near);
  return `The generator has no template ${JSON.stringify(name)} to eject. ${known}`;
}
