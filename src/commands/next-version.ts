import { join } from "node:path";
import { apply } from "../apply/apply.js";
import type { Change } from "../apply/change.js";
import { withLock } from "../apply/process-lock.js";
import { textHash } from "../apply/text-hash.js";
import { brokenFiles } from "../contract/check-published.js";
import { nextVersion } from "../contract/way-out.js";
import { didYouMean } from "../diagnostics/advice.js";
import type { Result } from "../diagnostics/result.js";
import { failure, success } from "../diagnostics/result.js";
import { withVersionStatus } from "../load/edit-versions.js";
import type { SourceDocument } from "../load/source-document.js";
import { nearest } from "../naming/nearest.js";
import { isObject } from "../samples/json.js";
import { stemOf } from "../validate/check-versions.js";
import { byNumber } from "../validate/lineage.js";
import type { Environment } from "./environment.js";
import { onWhole } from "./finish-interrupted.js";
import { NOTHING_ELSE, type Outcome } from "./outcome.js";
import { readModel, type ReadModel } from "./read-model.js";
import { NO_REUSE } from "./reuse.js";
import { serviceChange } from "./service-change.js";
import { UsageError } from "./usage-error.js";

/** A version to make, or a draft to open further: its name, and the resources that will change in it. */
export interface VersionRequest {
  /** `v2` */
  readonly version: string;
  /** By plural; the others stay as they are. */
  readonly resources: readonly string[];
}

/** The files of the next version. */
export interface MadeVersion extends Outcome {
  /** Files of published versions with edits that break them: they were copied, and have still to be undone there; of a resource that is gone, the file that it had. */
  readonly broken: readonly string[];
}

/**
 * Makes the files of the next version: of each resource that is named a copy, with comments and order kept, and of the
 * others a word that they are the same. Where the version is a draft already, what it has as it was becomes such a copy.
 * What a version that is there lacks of an older one becomes a copy in it as well.
 * Throws `UsageError` where the version is none of these, or a resource is unknown.
 */
export function makeNextVersion(
  env: Environment,
  request: VersionRequest,
): Promise<Result<MadeVersion>> {
  return onWhole(env, () => makeVersion(env, request));
}

async function makeVersion(
  env: Environment,
  { version, resources }: VersionRequest,
): Promise<Result<MadeVersion>> {
  const { files, root, machine } = env;
  // SCH-275 advises this command, so it has to work while SCH-275 is reported.
  const read = await readModel(files, root, NO_REUSE, { accepted: [MISSING] });
  if (!read.ok) return read;
  const isThere = isOpen(read.value, { version, resources });
  if (!isThere && read.diagnostics.some(({ severity }) => severity === "error")) {
    return failure(read.diagnostics);
  }
  const told = read.diagnostics.filter(({ code }) => !isThere || code !== MISSING);
  const changes = isThere
    ? opened(read.value, { version, resources }, env)
    : created(read.value, { version, resources }, env);
  return withLock(files, root, machine, () => {
    const { leftAlone } = apply(files, root, { changes });
    const broken = brokenFiles(read.value);
    return success({ changes, applied: true, leftAlone, ...NOTHING_ELSE, broken }, told);
  });
}

/** Reported where a version lacks resources of an older one. */
const MISSING = "SCH-275";

/** Whether the request opens resources: those of the newest version, which is a draft, or those that a version lacks. */
function isOpen(read: ReadModel, { version, resources }: VersionRequest): boolean {
  const newest = read.model.versions.at(-1);
  const isDraft = newest?.name === version && newest.status === "draft";
  const lacking = lackingIn(read, version);
  return resources.length > 0 && (isDraft || resources.every((name) => lacking.has(name)));
}

/** What a version that is served does not have of older ones, each with the newest of those that has it. */
function lackingIn({ tree, model }: ReadModel, version: string): ReadonlyMap<string, string> {
  const served = model.versions.find(({ name }) => name === version);
  if (served === undefined || served.status === "retired") return new Map();
  const present = served.resources.map(({ name }) => name.plural);
  const stored = served.resources.map(({ entity }) => entity.name.plural);
  // What was renamed is there under its other name.
  const renamed = model.versions.flatMap(({ resources }) =>
    resources
      .filter(
        ({ entity, isRepresentation }) => !isRepresentation && stored.includes(entity.name.plural),
      )
      .map(({ name }) => name.plural),
  );
  const lacking = new Map<string, string>();
  const paths = tree.resources.map(({ path }) => path);
  for (const { name: older } of model.versions.filter(({ name }) => byNumber(name, version) < 0)) {
    for (const path of paths.filter((one) => one.startsWith(`resources/${older}/`))) {
      const name = stemOf(path);
      if (!present.includes(name) && !renamed.includes(name)) lacking.set(name, older);
    }
  }
  return lacking;
}

/** The files of a version that there was not. */
function created(read: ReadModel, request: VersionRequest, env: Environment): readonly Change[] {
  const { version, resources } = request;
  const newest = checkRequest(read, request);
  const sources = new Sources(read, env);
  const made = sources.of(newest).map((document): Change => {
    const name = document.path.slice(document.path.lastIndexOf("/") + 1, -".yaml".length);
    const text = resources.includes(name)
      ? copied(sources.textOf(name, newest), newest)
      : same(sources.textOf(name, newest), name, newest);
    const path = `resources/${version}/${name}.yaml`;
    return { kind: "created", path, owner: "user", text, after: textHash(text) };
  });
  const service = env.files.readText(join(env.root, "service.yaml"));
  const edited = serviceChange(env, withVersionStatus(service, version, "draft"));
  return edited === null ? made : [...made, edited];
}

/** Copies in a version that there is: instead of the word that they are the same, or of what an older one alone has. */
function opened(read: ReadModel, request: VersionRequest, env: Environment): readonly Change[] {
  const { version, resources } = request;
  const lacking = lackingIn(read, version);
  checkResources(read, version, resources, [...lacking.keys()]);
  const sources = new Sources(read, env);
  return [...new Set(resources)].sort().map((name): Change => {
    const path = `resources/${version}/${name}.yaml`;
    const having = lacking.get(name);
    if (having !== undefined) {
      const text = copied(sources.textOf(name, having), having);
      return { kind: "created", path, owner: "user", text, after: textHash(text) };
    }
    const older = sources.olderOf(name, version);
    if (older === null) {
      throw new UsageError(`${path} is a definition of its own already: edit it.`);
    }
    const text = copied(sources.textOf(name, older), older);
    const before = textHash(env.files.readText(join(env.root, path)));
    const after = textHash(text);
    return { kind: "updated", path, owner: "user", text, after, before, savedAs: null };
  });
}

/** The newest version so far. */
function checkRequest(read: ReadModel, { version, resources }: VersionRequest): string {
  const next = nextVersion(read.model);
  const newest = read.model.versions.at(-1);
  if (version !== next || newest === undefined) {
    throw new UsageError(`The next version is ${next}: "generator version ${next}".`);
  }
  checkResources(read, newest.name, resources);
  return newest.name;
}

function checkResources(
  { model }: ReadModel,
  version: string,
  resources: readonly string[],
  lacking: readonly string[] = [],
): void {
  const newest = model.versions.find(({ name }) => name === version);
  const known = [...(newest?.resources.map(({ name }) => name.plural) ?? []), ...lacking];
  const unknown = resources.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const near = nearest(unknown, known);
  const advice = near === null ? `There are ${known.join(", ")}.` : didYouMean(near);
  throw new UsageError(`${version} has no resource ${JSON.stringify(unknown)}. ${advice}`);
}

/** The schema files of a project by version. */
class Sources {
  constructor(
    private readonly read: ReadModel,
    private readonly env: Environment,
  ) {}

  of(version: string): readonly SourceDocument[] {
    return this.read.tree.resources.filter(({ path }) => path.startsWith(`resources/${version}/`));
  }

  /** The version that a resource is the same as; null: it has a definition of its own. */
  olderOf(name: string, version: string): string | null {
    const path = `resources/${version}/${name}.yaml`;
    const value = this.read.tree.resources.find((one) => one.path === path)?.value;
    const older = isObject(value) ? value["sameAs"] : undefined;
    return typeof older === "string" && older !== version ? older : null;
  }

  /** The text of a resource's definition, of an older version where that one is the same. */
  textOf(name: string, version: string): string {
    const older = this.olderOf(name, version);
    if (older !== null) return this.textOf(name, older);
    return this.env.files.readText(join(this.env.root, `resources/${version}/${name}.yaml`));
  }
}

/** What an editor looks for in the first lines of a YAML file. */
const MARK = /^# yaml-language-server:.*\n/m;

function copied(text: string, older: string): string {
  const note =
    `# A copy of ${older}, for you to change. A renamed property or resource has \`renamedFrom: <old name>\`;\n` +
    "# a property that is removed is listed in `removed: { <name>: <why> }`, next to `properties`.\n";
  const mark = MARK.exec(text);
  if (mark === null) return note + text;
  const end = mark.index + mark[0].length;
  return text.slice(0, end) + note + text.slice(end);
}

function same(text: string, name: string, older: string): string {
  return `${MARK.exec(text)?.[0] ?? ""}resource: ${name}\nsameAs: ${older}\n`;
}
