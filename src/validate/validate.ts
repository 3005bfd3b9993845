import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { failure, success, type Result } from "../diagnostics/result.js";
import type { SourceDocument, SourceTree } from "../load/source-document.js";
import { checkAnswers } from "./check-answers.js";
import { checkFlatForms } from "./check-flat-forms.js";
import { checkFolders } from "./check-folders.js";
import { checkParents } from "./check-parent.js";
import { checkCycles } from "./check-cycles.js";
import { checkDisclosure } from "./check-disclosure.js";
import { checkNoWhere, checkRepresentation } from "./check-representation.js";
import { checkResource, readResource, type CheckedResource } from "./check-resource.js";
import { checkService } from "./check-service.js";
import { checkTree } from "./check-tree.js";
import { checkVersions, versionOf } from "./check-versions.js";
import { Findings } from "./findings.js";
import { isPlain } from "./linear-pattern.js";
import { withParentReference, type Neighbours } from "./neighbours.js";
import { mapping } from "./plain.js";
import { prune } from "./prune.js";
import { readShape } from "./read-shape.js";
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
import { serviceScope, type ServiceScope } from "./scope.js";

/** True for a file that has the same bytes as in an earlier run without an error or a warning. */
export type IsUnchanged = (document: SourceDocument) => boolean;

/**
 * Checks a whole project: the shape of each file, its rules, and the rules across files. Reports every mistake,
 * those that `load` found included. Asynchronous only because the checker of patterns is loaded when one is there.
 * A file that `isUnchanged` is checked by itself again only if service.yaml or a file that it names has changed.
 */
export async function validate(
  tree: SourceTree,
  isUnchanged: IsUnchanged = () => false,
): Promise<Result<ValidatedTree>> {
  const service = new Findings(tree.service);
  const { value } = prune(mapping(tree.service.value), readShape("service", service));
  checkService(value, service);
  const scope = serviceScope(value);
  const read = tree.resources.map((document) =>
    readResource(document, isUnchanged(document), scope.plurals),
  );
  const resources = withCopies(read);
  checkFolders({ value, findings: service }, tree.resources);
  const isSettled = isUnchanged(tree.service) ? isUnchanged : () => false;
  for (const version of new Set(tree.resources.map(({ path }) => versionOf(path)))) {
    const together = resources.filter(
      ({ findings }) => versionOf(findings.document.path) === version,
    );
    await checkTogether(together, scope, isSettled);
  }
  checkVersions(resources, mapping(value["versions"]));
  const found = [service, ...read.map(({ findings }) => findings)];
  const diagnostics = withoutEchoes(tree.problems, [
    ...found.flatMap((findings) => findings.diagnostics),
    ...inCopies(resources, read),
  ]);
  const isRefused = diagnostics.some(({ severity }) => severity === "error");
  if (isRefused) return failure(diagnostics);
  const documents = resources.map(({ findings }) => findings.document);
  return success(validated({ ...tree, resources: documents }), diagnostics);
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
  service: ServiceScope,
  isUnchanged: IsUnchanged,
): Promise<void> {
  const own = together.filter(({ findings }) => !isRepresentation(findings.document));
  const shown = together.filter((resource) => !own.includes(resource));
  const representations = new Map(
    shown.map(({ value }) => [String(value["resource"]), String(value["represents"])]),
  );
  const neighbours = neighboursOf(own);
  const scope = { ...service, neighbours, representations, isQuick: isPlain };
  checkParents(own);
  const stored = own.map((resource) => ({
    ...resource,
    properties: withParentReference(resource.value["parent"], resource.properties, neighbours),
  }));
  const isSettled = settled(together, isUnchanged);
  for (const resource of stored) {
    if (isSettled(resource)) continue;
    await checkResource(resource, scope);
    checkNoWhere(resource);
  }
  for (const resource of shown) checkRepresentation(resource, stored, scope);
  checkTree([...stored, ...shown], scope);
  checkCycles(stored);
  for (const resource of stored) checkFlatForms(resource, scope);
  checkDisclosure(stored, shown, scope);
  for (const resource of stored) checkAnswers(resource, { stored, scope });
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
      const { resource, entity } = value;
      return [String(resource), { entity: typeof entity === "string" ? entity : null, properties }];
    }),
  );
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
