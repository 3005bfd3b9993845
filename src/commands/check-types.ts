import { readCache } from "../apply/cache.js";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { diagnostic } from "../diagnostics/diagnostic.js";
import { success, type Result } from "../diagnostics/result.js";
import type { ServiceModel } from "../model/service-model.js";
import { render } from "../render/render.js";
import { causesOf } from "../types/causes.js";
import type { Compiler, IsGenerated, Overlay } from "../types/compiler.js";
import { ownErrors, type OwnError } from "../types/own-errors.js";
import { readProject, type OwnProject } from "../types/own-program.js";
import type { SchemaEdit } from "../types/schema-edit.js";
import { schemaEdits } from "../types/schema-edits.js";
import type { Environment } from "./environment.js";
import { outcomeOf } from "./execute-plan.js";
import { finishInterrupted } from "./finish-interrupted.js";
import type { Outcome } from "./outcome.js";
import { prepare, type Prepared } from "./prepare.js";
import { readRevision, type Revisions } from "./read-revision.js";
import { UsageError } from "./usage-error.js";

/** How to check the user's own code. */
export interface TypesRequest {
  readonly compiler: Compiler;
  readonly revisions: Revisions;
  /** The revision that tells what the schemas were; null: `HEAD`, if there is one. */
  readonly since: string | null;
}

/** What `check --types` has found. */
export interface TypeCheck {
  /** What `generate` would do to the files. */
  readonly outcome: Outcome;
  /** How many files of the user's own were compiled. */
  readonly files: number;
  /** The revision that the schemas were compared with; null: none, so that no edit is named. */
  readonly since: string | null;
  /** The places that do not compile. */
  readonly misfits: readonly Diagnostic[];
}

/**
 * Plans like `check`, and compiles the user's own code with the generated code as it would be then. Of each place that does
 * not compile it names the edit that caused it: one without which it compiles. Throws `UsageError` where the project cannot be compiled.
 */
export async function checkTypes(
  env: Environment,
  { compiler, revisions, since }: TypesRequest,
): Promise<Result<TypeCheck>> {
  const interrupted = finishInterrupted(env);
  if (!interrupted.ok) return interrupted;
  const prepared = await prepare(env, readCache(env.files, env.root, env.build), { force: false });
  if (!prepared.ok) return prepared;
  const project = readProject(compiler, env.root);
  if (typeof project === "string") {
    throw new UsageError(`The code of the service cannot be compiled. ${project}`);
  }
  const isGenerated = generatedPaths(prepared.value);
  const { files, errors } = ownErrors(project, plannedOverlay(prepared.value), isGenerated);
  const edited = { env, project, prepared: prepared.value, isGenerated };
  const earlier = await earlierSchemas(env, { since, revisions });
  const misfits = await misfitsOf(errors, earlier?.model ?? null, edited);
  const value = {
    outcome: outcomeOf(prepared.value, false, []),
    files,
    since: earlier?.revision ?? null,
    misfits,
  };
  return success(value, prepared.diagnostics);
}

/** The schemas as they were; null where no revision was asked for and git knows none. */
async function earlierSchemas(
  { root }: Environment,
  { since, revisions }: Pick<TypesRequest, "since" | "revisions">,
): Promise<{ readonly revision: string; readonly model: ServiceModel } | null> {
  const revision = since ?? "HEAD";
  try {
    return { revision, model: await readRevision(root, revision, revisions) };
  } catch (error) {
    // A project that is new, or in no repository, is checked all the same.
    if (since === null && error instanceof UsageError) return null;
    throw error;
  }
}

/** A project that is checked. */
interface Checked {
  readonly env: Environment;
  readonly project: OwnProject;
  readonly prepared: Prepared;
  readonly isGenerated: IsGenerated;
}

async function misfitsOf(
  errors: readonly OwnError[],
  before: ServiceModel | null,
  checked: Checked,
): Promise<Diagnostic[]> {
  if (errors.length === 0) return [];
  if (before === null) return errors.map((error) => told("SCH-262", error));
  const edits = schemaEdits(before, checked.prepared.project);
  const standing = new Set((await errorsBefore(before, edits, checked)).map(placeOf));
  return errors.map((error) =>
    edits.length === 0 || standing.has(placeOf(error))
      ? told("SCH-261", error)
      : told("SCH-260", error, causesOf(error.clues, edits)),
  );
}

/** What did not compile with the schemas as they were; not looked at where nothing was edited. */
async function errorsBefore(
  before: ServiceModel,
  edits: readonly SchemaEdit[],
  { project, prepared, isGenerated }: Checked,
): Promise<readonly OwnError[]> {
  if (edits.length === 0) return [];
  const gone = prepared.project.outputs.filter(({ owner }) => owner === "generator");
  const overlay = new Map<string, string | null>(gone.map(({ path }) => [path, null]));
  const earlier = new Set<string>();
  for (const { path, owner, text } of await render(before)) {
    if (owner === "user" && prepared.disk.at(path).kind === "file") continue;
    overlay.set(path, text);
    earlier.add(path);
  }
  return ownErrors(project, overlay, (path) => isGenerated(path) || earlier.has(path)).errors;
}

function placeOf({ span, number }: OwnError): string {
  return [span.file, span.line, span.column, number].join(":");
}

function told(
  code: "SCH-260" | "SCH-261" | "SCH-262",
  { span, source, message }: OwnError,
  causes: readonly SchemaEdit[] = [],
): Diagnostic {
  const related = causes.map((cause) => ({ span: cause.span, message: cause.sentence }));
  return diagnostic(
    code,
    { span, source },
    { told: message },
    related.length > 0 ? { related } : {},
  );
}

/** What would stand in the project once the plan was carried out, as far as it differs. */
function plannedOverlay({ plan }: Prepared): Overlay {
  const overlay = new Map<string, string | null>();
  for (const change of plan.changes) {
    if (change.kind === "created" || change.kind === "updated")
      overlay.set(change.path, change.text);
    if (change.kind === "removed") overlay.set(change.path, null);
  }
  return overlay;
}

function generatedPaths({ project, disk }: Prepared): IsGenerated {
  const paths = new Set(disk.manifest.generated.keys());
  for (const { path, owner } of project.outputs) if (owner === "generator") paths.add(path);
  return (path) => paths.has(path);
}
