import { quoted } from "../quoted.js";

function allOf(names: readonly string[]): string {
  return names.map(quoted).join(", ");
}

/** Mistakes between the versions of a resource (VER-2). */
export const BETWEEN_VERSIONS = {
  "SCH-170": ({ older, entity }: { older: string; entity: string }) =>
    `The entity is called ${quoted(entity)} in ${older}: all versions of a resource name its identifier alike.`,
  "SCH-171": ({ older, parent }: { older: string; parent: string }) =>
    parent === ""
      ? `The resource has no parent in ${older}, so there it is stored without one.`
      : `The parent of the resource is ${quoted(parent)} in ${older}.`,
  "SCH-172": ({ older, name }: { older: string; name: string }) =>
    `The property ${quoted(name)} of ${older} is gone, and the schema does not say what happened to it.`,
  "SCH-173": ({ older, name }: { older: string; name: string }) =>
    `${quoted(name)} is never null, but an entity created through ${older} has no value for it.`,
  "SCH-174": ({ older, value }: { older: string; value: string }) =>
    `${older} does not have the value ${quoted(value)}, and the schema does not say what it shows instead.`,
  "SCH-175": (given: { older: string; name: string; value: string }) =>
    `Clients of ${given.older} can write ${quoted(given.value)}, which is not a value of ${quoted(given.name)} any more.`,
  "SCH-176": ({ value }: { value: string }) =>
    `${quoted(value)} is not a value of the enum, so nothing is shown instead of it.`,
  "SCH-177": ({ older, value }: { older: string; value: string }) =>
    `${older} cannot show ${quoted(value)}, which is not one of its values.`,
  "SCH-178": ({ name, older, removed }: { name: string; older: string; removed: string }) =>
    `${quoted(name)} was removed or converted in ${removed}, and ${older} still stores its values under that name.`,
  "SCH-179": (given: { path: string; from: string; table: string; value: string }) =>
    `Existing rows of ${given.table} were converted to ${given.from} before ${quoted(given.path)} was added, so it is ${given.value} in them.`,
  "SCH-181": ({ older, name }: { older: string; name: string }) =>
    `${quoted(name)} is never null in ${older}, but an entity created here has no value for it.`,
  "SCH-182": (given: { older: string; keyword: string; then: string; now: string }) =>
    `In ${given.older} ${given.keyword} is ${given.then}, here it is ${given.now}: one version could write what the other cannot show.`,
  "SCH-183": () => "No older version has a property from which this could be converted.",
  "SCH-186": ({ older, name }: { older: string; name: string }) =>
    `${quoted(name)} has been converted from ${older} already, and cannot be converted again.`,
  "SCH-439": ({ name, why }: { name: string; why: string }) =>
    `${quoted(name)} cannot be converted as it says: ${why}.`,
  "SCH-432": ({ older, name }: { older: string; name: string }) =>
    `${quoted(name)} of ${older} is stored under this name, and would be read as the value that it is converted to.`,
  "SCH-187": ({ resource, sameAs }: { resource: string; sameAs: string }) =>
    `There is no ${quoted(resource)} in an older version ${quoted(sameAs)}.`,
  "SCH-188": ({ key }: { key: string }) =>
    `A resource that is the same as in another version cannot have the key ${quoted(key)}.`,
  "SCH-270": ({ older, names }: { older: string; names: string }) =>
    `${older} does not keep ${quoted(names)} unique, and all versions share the stored data: its clients would get a 409 response.`,
  "SCH-272": ({ former }: { former: string }) =>
    `There is a resource ${quoted(former)} in this version as well, so it is not the former name of another.`,
  "SCH-273": ({ former, other }: { former: string; other: string }) =>
    `${quoted(other)} says that it was ${quoted(former)}, too: one resource becomes one other.`,
  "SCH-271": ({ older, names }: { older: string; names: string }) =>
    `${older} keeps ${quoted(names)} unique, and all versions share the stored data: its clients would find several.`,
  "SCH-274": ({ older, name }: { older: string; name: string }) =>
    `${older} sets ${quoted(name)} to null when what it refers to is deleted, and all versions share the stored data: its clients would get a 409 response.`,
  "SCH-275": (given: { older: string; newer: string; names: readonly string[] }) =>
    given.names.length === 1
      ? `${given.newer} lacks the resource ${allOf(given.names)} of ${given.older}, and service.yaml does not say that it is removed.`
      : `${given.newer} lacks the resources ${allOf(given.names)} of ${given.older}, and service.yaml does not say that they are removed.`,
  "SCH-276": (given: { version: string; name: string; isThere: boolean }) =>
    given.isThere
      ? `${quoted(given.name)} cannot have been removed in ${given.version}: it is still a resource there.`
      : `No version before ${given.version} has a resource ${quoted(given.name)} that could have been removed.`,
  "SCH-340": (given: { older: string; state: string; shown: string; lost: string }) =>
    `${given.older} shows ${quoted(given.state)} as ${quoted(given.shown)}, which allows more: ${given.lost}. Clients that rely on that get a 409 response.`,
  "SCH-310": ({ older, name }: { older: string; name: string }) =>
    `${quoted(name)} of ${older} refers to others, and a reference has the same target in all versions: custom code cannot convert it.`,
} as const;
