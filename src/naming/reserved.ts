/** Names that objects of JavaScript answer to by themselves, and the one that `await` asks for. */
const PROTOTYPE_NAMES: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  "prototype",
  "toJSON",
  "then",
]);

/** Columns that PostgreSQL gives to every table; no quoting frees the name. */
const SYSTEM_COLUMNS: ReadonlySet<string> = new Set([
  "xmin",
  "xmax",
  "cmin",
  "cmax",
  "ctid",
  "oid",
  "tableoid",
]);

/** QRY-4, QRY-5: query parameters that are no filters. */
const QUERY_PARAMETERS: ReadonlySet<string> = new Set(["sort", "pageSize", "pageNumber"]);

/** ENT-1: what the service writes on every entity beside its identifier. */
export const COMMON_FIELDS: readonly string[] = [
  "createdDate",
  "createdSubject",
  "lastModifiedDate",
  "lastModifiedSubject",
];

/** What emitted files that name the types of an entity use beside them, of JavaScript and of the kernel. */
const EMITTED_TYPES: ReadonlySet<string> = new Set(
  (
    "JSON Promise Set String " +
    "BodyInput CollectionAlias CollectionQuery CommonFields EntityHooks EntityRepository " +
    "EntityStore EntityTable HttpCall HttpReply JsonObject ServiceStores StoreKernel Versioned"
  ).split(" "),
);

/** Names of devices on Windows: a file of such a name can not be made there. */
const WINDOWS_DEVICES = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/;

/** Why a property can not have this name, or null when it can. */
export function reservedPropertyReason(name: string, atRoot: boolean): string | null {
  if (PROTOTYPE_NAMES.has(name)) return "every object of JavaScript has a member of that name";
  if (atRoot && SYSTEM_COLUMNS.has(name)) return "PostgreSQL has a system column of that name";
  if (atRoot && QUERY_PARAMETERS.has(name)) return "it is a query parameter of every collection";
  return null;
}

/** Why a resource can not have this name, or null when it can. */
export function reservedResourceReason(name: string): string | null {
  if (WINDOWS_DEVICES.test(name)) return "Windows can not keep a file of that name";
  return PROTOTYPE_NAMES.has(name) ? "every object of JavaScript has a member of that name" : null;
}

/** Why an entity can not have this type name, or null when it can. */
export function reservedTypeReason(typeName: string): string | null {
  return EMITTED_TYPES.has(typeName)
    ? `generated code already uses a type or a value called ${typeName}`
    : null;
}
