/** Names of members that every JavaScript object has, and `then`, which `await` looks for. */
const PROTOTYPE_NAMES: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  "prototype",
  "toJSON",
  "then",
]);

/** System columns of every PostgreSQL table, whose names cannot be used even in quotes. */
const SYSTEM_COLUMNS: ReadonlySet<string> = new Set([
  "xmin",
  "xmax",
  "cmin",
  "cmax",
  "ctid",
  "oid",
  "tableoid",
]);

/** QRY-4, QRY-5: query parameters that are not filters. */
const QUERY_PARAMETERS: ReadonlySet<string> = new Set(["sort", "pageSize", "pageNumber"]);

/** ENT-1: the properties that the service writes on every entity, besides the identifier. */
export const COMMON_FIELDS: readonly string[] = [
  "createdDate",
  "createdSubject",
  "lastModifiedDate",
  "lastModifiedSubject",
];

/** What others call the common fields, in lower case. */
const COMMON_FIELD_WORDS: Readonly<Record<string, RegExp>> = {
  createdDate: /^(?:created(?:at|on|time)?|creation(?:date|time)|datecreated|inserted(?:at|date))$/,
  createdSubject: /^createdby(?:id|user)?$/,
  lastModifiedDate:
    /^(?:last(?:updated?|modified|changed?)|(?:last)?(?:updated?|modified|changed)(?:at|on|date|time)|date(?:updated|modified|changed)|modification(?:date|time))$/,
  lastModifiedSubject: /^(?:last)?(?:updated|modified|changed)by(?:id|user)?$/,
};

/** The common field that other services call by this name: `createdDate` for `createdAt`; null for any other name. */
export function commonFieldMeant(name: string): string | null {
  const folded = name.toLowerCase();
  const found = Object.entries(COMMON_FIELD_WORDS).find(([, words]) => words.test(folded));
  return found?.[0] ?? null;
}

/** Names of JavaScript and of the runtime that emitted files use beside the types of an entity. */
const EMITTED_TYPES: ReadonlySet<string> = new Set(
  (
    "JSON Promise ReturnType String " +
    "ActingRepository ActionRules ActionsOf AnnouncedVersion As CollectionAction CollectionAlias " +
    "CommonFields ConvertedPair CountedPageOf EntityAction EntityHooks EntityRepository EntityService " +
    "EntityStore FilterCondition HttpCall HttpReply HttpRoute InputOf JsonObject Later LinkedRows Of Omit " +
    "PageOf PartOf Pick ReferenceTo ReplacementOf ResolvedReferences ScopeFunction SearchCondition ServiceContext ServiceEntities " +
    "ServiceStores SqlRow StoredPair VersionConversion"
  ).split(" "),
);

/** Names of devices on Windows, which cannot be file names there. */
const WINDOWS_DEVICES = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/;

/** Says whether every object of JavaScript has a member of that name. */
export function isObjectMember(name: string): boolean {
  return PROTOTYPE_NAMES.has(name);
}

/** Says whether every table of PostgreSQL has a column of that name. */
export function isSystemColumn(name: string): boolean {
  return SYSTEM_COLUMNS.has(name);
}

/** Says whether every collection has a query parameter of that name. */
export function isQueryParameter(name: string): boolean {
  return QUERY_PARAMETERS.has(name);
}

/** Says whether a file of that name cannot be made on Windows. */
export function isWindowsDevice(name: string): boolean {
  return WINDOWS_DEVICES.test(name);
}

/** Says whether generated code already uses a type or a value of that name. */
export function isReservedType(typeName: string): boolean {
  return EMITTED_TYPES.has(typeName);
}
