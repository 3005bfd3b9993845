import type { SourceDocument } from "../load/source-document.js";
import type { CheckedResource } from "./read-resource.js";
import { versionOf } from "./check-versions.js";
import { Findings } from "./findings.js";
import { byNumber } from "./lineage.js";

/** What a copy may say beside the version that it is taken from. */
const KEYS = ["resource", "sameAs"];

/**
 * The resources of all versions, each that is the same as in an older version with what that one says (VER-2): every
 * mistake of the copy is told where the copy is asked for.
 */
export function withCopies(resources: readonly CheckedResource[]): readonly CheckedResource[] {
  const known = new Map<string, CheckedResource>();
  const versions = [...resources].sort((a, b) => byNumber(versionAt(a), versionAt(b)));
  for (const resource of versions) {
    const whole = resource.value["sameAs"] === undefined ? resource : copied(resource, known);
    if (whole !== null) known.set(keyOf(resource.value["resource"], versionAt(resource)), whole);
  }
  return resources.flatMap((resource) => {
    const found = known.get(keyOf(resource.value["resource"], versionAt(resource)));
    const isCopy = resource.value["sameAs"] !== undefined;
    return isCopy ? (found === undefined ? [] : [found]) : [resource];
  });
}

function copied(
  { findings, value }: CheckedResource,
  known: ReadonlyMap<string, CheckedResource>,
): CheckedResource | null {
  const { resource, sameAs } = value;
  for (const key of Object.keys(value).filter((name) => !KEYS.includes(name))) {
    const suggestion = "Remove it, or write the whole definition without `sameAs`.";
    findings.add("SCH-188", { path: [key], part: "key" }, { key }, { suggestion });
  }
  const original = known.get(keyOf(resource, String(sameAs)));
  if (original === undefined) {
    const given = { resource: String(resource), sameAs: String(sameAs) };
    findings.add("SCH-187", { path: ["sameAs"] }, given);
    return null;
  }
  const { document } = original.findings;
  const copy = new Findings(copyOf(document, findings.document));
  return { ...original, value: { ...original.value, sameAs }, findings: copy };
}

/** The file of a copy: it says what the original says, all of it at the one place that names that. */
function copyOf(original: SourceDocument, own: SourceDocument): SourceDocument {
  return {
    path: own.path,
    hash: `${own.hash}${original.hash}`,
    value: {
      ...Object(original.value),
      sameAs: Reflect.get(Object(own.value), "sameAs") as unknown,
    },
    locate: () => own.locate(["sameAs"], "value"),
  };
}

function keyOf(resource: unknown, version: string): string {
  return `${version}/${String(resource)}`;
}

function versionAt({ findings }: CheckedResource): string {
  return versionOf(findings.document.path);
}
