import type { SourceDocument } from "../load/source-document.js";
import { versionOf } from "./check-versions.js";
import type { Findings } from "./findings.js";
import { mapping, type Mapping } from "./plain.js";

/** SCH-191: where service.yaml declares versions, each folder with resources is one of them. */
export function checkFolders(
  service: { readonly value: Mapping; readonly findings: Findings },
  resources: readonly SourceDocument[],
): void {
  const declared = Object.keys(mapping(service.value["versions"]));
  if (declared.length === 0) return;
  const folders = [...new Set(resources.map(({ path }) => versionOf(path)))];
  const empty = declared.filter((name) => !folders.includes(name));
  for (const name of folders.filter((folder) => !declared.includes(folder))) {
    const [other] = empty;
    const suggestion =
      other === undefined
        ? `Add \`${name}: draft\` to \`versions\`.`
        : `Write \`${name}\` instead of \`${other}\`, or rename the folder to resources/${other}.`;
    const at =
      other === undefined
        ? ({ path: ["versions"], part: "key" } as const)
        : ({ path: ["versions", other], part: "key" } as const);
    service.findings.add("SCH-191", at, { folder: `resources/${name}`, name }, { suggestion });
  }
}
