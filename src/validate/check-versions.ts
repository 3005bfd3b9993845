import type { Findings } from "./findings.js";
import type { CheckedResource } from "./check-resource.js";
import { mapping, type Mapping } from "./plain.js";

/** The folder that a resource file stands in: `v1`. */
export function versionOf(path: string): string {
  return path.split("/")[1] ?? "";
}

/** More than one version is not supported yet: reports each further version once. */
export function checkVersions(
  service: { readonly value: Mapping; readonly findings: Findings },
  resources: readonly CheckedResource[],
): void {
  const declared = Object.keys(mapping(service.value["versions"]));
  const folders = resources.map(({ findings }) => versionOf(findings.document.path));
  // A folder of no declared version is told by itself.
  const named = declared.length > 0 ? declared : folders;
  const all = [...new Set(named)].filter((name) => /^v[1-9][0-9]*$/.test(name));
  const [, ...further] = all.sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));
  for (const name of further) {
    const first = resources[folders.indexOf(name)];
    if (declared.includes(name)) {
      service.findings.add("SCH-128", { path: ["versions", name], part: "key" }, { name });
    } else {
      first?.findings.add("SCH-128", { path: ["resource"], part: "key" }, { name });
    }
  }
}
