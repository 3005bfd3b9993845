import { generated, runtime, resource, type Mutant } from "./mutant.js";

/** VER: several versions over one store. */
export const VERSION_MUTANTS: readonly Mutant[] = [
  {
    rule: "VER-1",
    service: "versions",
    file: generated("app"),
    find: "...orderRoutesV2(entities),",
    replace: "",
    why: "a resource of one of the versions is not served",
  },
  ...versionMutants([
    [
      "orders",
      'shownInstead({\n  onHold: "placed",\n})',
      'shownInstead({\n  onHold: "packed",\n})',
      "another value is shown",
    ],
    ["orders", "zip: stored.postalCode", "zip: stored.street", "two properties are swapped"],
    [
      "orders",
      "postalCode: sent.zip",
      "postalCode: stored?.postalCode ?? null",
      "a property is not written",
    ],
    ["orders", "country: stored?.country ?? null", "country: null", "what is not shown is lost"],
    [
      "orders",
      "engraving: stored?.engraving ?? null",
      "engraving: null",
      "what is not shown of an item is lost",
    ],
    [
      "orders",
      "priority: stored === null ? 3 : stored.priority",
      "priority: 3",
      "what is not shown has its default again",
    ],
    ["orders", "remark: order.note", "remark: null", "a renamed property is not shown"],
    [
      "customers",
      'language: stored === null ? "en" : stored.language',
      'language: "en"',
      "what is not shown has its default again",
    ],
  ]),
  {
    rule: "VER-2",
    service: "versions",
    file: runtime("entity/conversion"),
    find: "return { ...object, ...picked(same, made.names) };",
    replace: "return { ...object, ...made.make(object, undefined) };",
    why: "what is converted is always made anew",
  },
  {
    rule: "VER-2",
    service: "versions",
    file: resource("customers.pairs"),
    find: 'version: "v1"',
    replace: 'version: "v0"',
    why: "what an older version writes is made of what the newer one shows",
  },
  {
    rule: "VER-2",
    service: "versions",
    file: runtime("entity/conversion"),
    find: "toStored: (sent, stored) => (stored !== null && toShown(stored) === sent ? stored : sent),",
    replace: "toStored: (sent) => sent,",
    why: "a value that is sent back as it was shown changes what is stored",
  },
  {
    rule: "VER-2",
    service: "versions",
    file: resource("orders.validator"),
    find: 'instead: { onHold: "placed" },',
    replace: "",
    why: "a filter means what is stored",
  },
  {
    rule: "VER-2",
    service: "versions",
    file: resource("orders.serializer"),
    find: '{ suspended: "blocked" }',
    replace: "{}",
    why: "what is embedded is shown as it is stored",
  },
];

/** Faults in what the first version converts. */
function versionMutants(
  faults: readonly (readonly [plural: string, find: string, replace: string, why: string])[],
): readonly Mutant[] {
  return faults.map(([plural, find, replace, why]) => ({
    rule: "VER-2",
    service: "versions",
    file: resource(`${plural}.conversions`),
    find,
    replace,
    why,
  }));
}
