import type { Code } from "../diagnostics/messages.js";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { failure, success, type Result } from "../diagnostics/result.js";
import type { SourceDocument, SourceTree } from "../load/source-document.js";
import { growthsOf, isQuick } from "./check-pattern.js";
import { ownNames, shownResource } from "./check-representation.js";
import { isRetired } from "./check-status.js";
import { stemOf, versionOf, versionsOf, type Project } from "./check-versions.js";
import type { Versions } from "./check-lineage.js";
import { runChecks } from "./checks.js";
import { Findings } from "./findings.js";
import { isPlain } from "./linear-pattern.js";
import { withParentReference, type Neighbours } from "./neighbours.js";
import { mapping, type Mapping } from "./plain.js";
import { prune } from "./prune.js";
import { readResource, readShape, type CheckedResource } from "./read-resource.js";
import { isRepresentation } from "./represented.js";
import type {
  RepresentationDocument,
  RepresentationYaml,
  ResourceDocument,
  ResourceYaml,
  ServiceYaml,
  ValidatedTree,
} from "./resource-document.js";
import { withCopies } from "./same-as.js";
import { serviceScope, type Beside, type Scope, type ServiceScope } from "./scope.js";

/** True for a file that has the same bytes as in an earlier run without an error or a warning. */
export type IsUnchanged = (document: SourceDocument) => boolean;

/**
 * Checks a whole project: the shape of each file, its rules, and the rules across files. Reports every mistake,
 * those that `load` found included. Asynchronous only because the checker of patterns is loaded when one is there.
 * A file that `isUnchanged` is checked by itself again only if service.yaml or a file that it names has changed.
 * Mistakes that are `accepted` are reported, and refuse nothing.
 */
export async function validate(
  tree: SourceTree,
  isUnchanged: IsUnchanged = () => false,
  accepted: readonly Code[] = [],
): Promise<Result<ValidatedTree>> {
  const service = new Findings(tree.service);
  const { value } = prune(mapping(tree.service.value), readShape("service", service));
  runChecks("service", value, service);
  const scope = serviceScope(value);
  const read = tree.resources.map((document) =>
    readResource(document, isUnchanged(document), scope.plurals),
  );
  const resources = withCopies(read);
  const isSettled = isUnchanged(tree.service) ? isUnchanged : () => false;
  for (const version of new Set(tree.resources.map(({ path }) => versionOf(path)))) {
    const together = resources.filter(
      ({ findings }) => versionOf(findings.document.path) === version,
    );
    const broken = tree.problems.filter(({ span }) => versionOf(span.file) === version);
    const unread = new Set(broken.map(({ span }) => stemOf(span.file)));
    await checkTogether(together, { ...scope, unread }, isSettled);
  }
  const declared = mapping(value["versions"]);
  const versions = versionsOf(resources, declared);
  for (const one of versions.values()) checkLineage(one);
  runChecks("project", {
    ...{ service: { value, findings: service }, resources, versions },
    ...filesOf(tree),
  });
  const found = [service, ...read.map(({ findings }) => findings)];
  const diagnostics = withoutEchoes(tree.problems, [
    ...found.flatMap((findings) => findings.diagnostics),
    ...inCopies(resources, read),
  ]);
  const isRefused = diagnostics.some(
    ({ severity, code }) => severity === "error" && !accepted.includes(code),
  );
  if (isRefused) return failure(diagnostics);
  const documents = resources.map(({ findings }) => findings.document);
  return success(validated({ ...tree, resources: documents }), diagnostics);
}

/** Every file of a resource, and the versions with one that could not be read. */
function filesOf({ resources, problems }: SourceTree): Pick<Project, "paths" | "unread"> {
  const paths = resources.map(({ path }) => path);
  const known = new Set(paths.map(versionOf));
  // A problem can be that of a file in no version.
  const broken = problems.map(({ span }) => span.file).filter((path) => known.has(versionOf(path)));
  return { paths: [...paths, ...broken], unread: new Set(broken.map(versionOf)) };
}

/** What is wrong with copies, unless the original has mistakes itself; what it is warned of is told there. */
function inCopies(
  resources: readonly CheckedResource[],
  read: readonly CheckedResource[],
): readonly Diagnostic[] {
  const errorsIn = ({ findings }: CheckedResource): Diagnostic[] =>
    findings.diagnostics.filter(({ severity }) => severity === "error");
  if (read.flatMap(errorsIn).length > 0) return [];
  return resources.filter((one) => !read.includes(one)).flatMap(errorsIn);
}

/** Checks the resources of one version: each by itself, then all together. */
async function checkTogether(
  together: readonly CheckedResource[],
  service: ServiceScope & Pick<Scope, "unread">,
  isUnchanged: IsUnchanged,
): Promise<void> {
  const own = together.filter(({ findings }) => !isRepresentation(findings.document));
  const shown = together.filter((resource) => !own.includes(resource));
  const representations = new Map(
    shown.map(({ value }) => [String(value["resource"]), String(value["represents"])]),
  );
  const neighbours = neighboursOf(own);
  const scope = { ...service, neighbours, representations, isQuick: isPlain };
  const stored = own.map((resource) => ({
    ...resource,
    properties: withParentReference(resource.value["parent"], resource.properties, neighbours),
  }));
  const isSettled = settled(together, isUnchanged);
  for (const resource of stored) if (!isSettled(resource)) await checkStored(resource, scope);
  for (const resource of shown) checkRepresentation(resource, { stored, scope });
  for (const resource of stored) checkBeside(resource, scope);
  runChecks("together", { own, stored, shown, scope });
}

/** What any of the other resources can make wrong. */
function checkBeside(resource: CheckedResource, scope: Scope): void {
  const { findings, value, properties, actionProperties } = resource;
  const stored = { properties, entity: entityOf(value), scope, isOfAction: false };
  for (const property of properties) runChecks("beside", property, findings, stored);
  const sent = { properties: actionProperties, entity: null, scope, isOfAction: true };
  for (const property of actionProperties) runChecks("beside", property, findings, sent);
}

async function checkStored(resource: CheckedResource, around: Scope): Promise<void> {
  const { findings, value, properties, actionProperties } = resource;
  runChecks("resource", value, findings, { ...around, hasParent: value["parent"] !== undefined });
  const growths = await growthsOf([...properties, ...actionProperties]);
  const scope = {
    ...around,
    entity: entityOf(value),
    growths,
    isQuick: (pattern: string, length: number) => isQuick(growths, pattern, length),
  };
  runChecks("stored", resource, around);
  runChecks("aliases", resource, around);
  for (const property of properties) {
    runChecks("ofEntity", property, findings, scope);
    runChecks("property", property, findings, scope);
  }
  for (const property of actionProperties) {
    runChecks("ofAction", property, findings, scope);
    runChecks("property", property, findings, scope);
  }
}

function checkRepresentation(resource: CheckedResource, beside: Beside): void {
  const { findings, value } = resource;
  const shown = shownResource(resource, beside);
  const hasParent = shown?.original.value["parent"] !== undefined;
  runChecks("resource", value, findings, { ...beside.scope, hasParent });
  runChecks("representation", resource, beside);
  if (shown === null) return;
  runChecks("shown", shown);
  const { places, original } = shown;
  runChecks("aliases", { ...resource, properties: places }, beside.scope);
  const scope = { ...beside.scope, entity: entityOf(original.value) };
  const around = { properties: places, entity: scope.entity, scope, isOfAction: false };
  for (const property of ownNames(shown)) {
    runChecks("beside", property, findings, around);
    runChecks("ofEntity", property, findings, scope);
  }
}

function checkLineage(resource: Versions): void {
  const { versions, lineage, declared } = resource;
  for (const [index, step] of lineage.steps.entries()) {
    const [older, newer] = versions.slice(index);
    if (older === undefined || newer === undefined) continue;
    runChecks("step", { older, newer }, step);
    if (isRetired(declared[older.lineage.version])) continue;
    runChecks("servedStep", { older, newer }, step);
  }
  runChecks("versions", resource);
}

/** True if a resource and all that it names are unchanged since a run without mistakes. */
function settled(
  together: readonly CheckedResource[],
  isUnchanged: IsUnchanged,
): (resource: CheckedResource) => boolean {
  const changed = new Set<unknown>();
  const present = new Set<unknown>();
  for (const { value, findings } of together) {
    present.add(value["resource"]);
    if (!isUnchanged(findings.document)) changed.add(value["resource"]);
  }
  const isAsThen = (name: unknown): boolean => present.has(name) && !changed.has(name);
  return ({ value, properties, actionProperties }) => {
    const { parent } = value;
    return (
      isAsThen(value["resource"]) &&
      (parent === undefined || isAsThen(parent)) &&
      [...properties, ...actionProperties].every(
        ({ yaml: { reference } }) => reference === undefined || isAsThen(reference),
      )
    );
  };
}

function neighboursOf(resources: readonly CheckedResource[]): Neighbours {
  return new Map(
    resources.map(({ value, properties }) => {
      return [String(value["resource"]), { entity: entityOf(value), properties }];
    }),
  );
}

/** The singular that a file gives its resource; null where it does not say it properly. */
function entityOf({ entity }: Mapping): string | null {
  return typeof entity === "string" ? entity : null;
}

/** Drops a diagnostic at a place that `load` has already reported. */
function withoutEchoes(
  loaded: readonly Diagnostic[],
  checked: readonly Diagnostic[],
): Diagnostic[] {
  const key = ({ span }: Diagnostic): string => `${span.file}:${span.line}:${span.column}`;
  const told = new Set(loaded.map(key));
  return [...loaded, ...checked.filter((diagnostic) => !told.has(key(diagnostic)))];
}

function validated({ service, resources, contracts }: SourceTree): ValidatedTree {
  return {
    // The JSON Schemas and the rules have found nothing wrong: the values have these types.
    service: { source: service, value: service.value as ServiceYaml },
    resources: resources.filter((source) => !isRepresentation(source)).map(resourceDocument),
    representations: resources.filter(isRepresentation).map(representationDocument),
    contracts,
  };
}

function resourceDocument(source: SourceDocument): ResourceDocument {
  return { source, version: versionOf(source.path), value: source.value as ResourceYaml };
}

function representationDocument(source: SourceDocument): RepresentationDocument {
  return { source, version: versionOf(source.path), value: source.value as RepresentationYaml };
}
