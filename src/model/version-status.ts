import type { ServiceYaml } from "../validate/resource-document.js";
import type { VersionHeader } from "./resource-model.js";
import type { ServiceModel, VersionModel } from "./service-model.js";

/** VER-4: a version of which service.yaml says nothing is a draft. */
export function versionStatus(
  name: string,
  { versions = {} }: Pick<ServiceYaml, "versions">,
): Omit<VersionModel, "resources"> {
  const yaml = Object.hasOwn(versions, name) ? versions[name] : undefined;
  const { status, deprecated, sunset } =
    typeof yaml === "object"
      ? yaml
      : { status: yaml ?? "draft", deprecated: undefined, sunset: undefined };
  return { name, status, deprecated: deprecated ?? null, sunset: sunset ?? null };
}

/** VER-4: nothing of it is served, and what it shows is compared by nobody. */
export function isRetired(name: string, yaml: Pick<ServiceYaml, "versions">): boolean {
  return versionStatus(name, yaml).status === "retired";
}

/** VER-4: the versions whose paths are answered otherwise than with 410. */
export function servedVersions({ versions }: Pick<ServiceModel, "versions">): VersionModel[] {
  return versions.filter(({ status }) => status !== "retired");
}

/** VER-4: what the answers of a version carry. */
export function headersOf({
  status,
  deprecated,
  sunset,
}: Omit<VersionModel, "resources">): readonly VersionHeader[] {
  if (status !== "deprecated") return [];
  return [
    ...(deprecated === null ? [] : ["Deprecation" as const]),
    ...(sunset === null ? [] : ["Sunset" as const]),
  ];
}
