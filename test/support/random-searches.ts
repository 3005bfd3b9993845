type Yaml = Readonly<Record<string, unknown>>;

/** Values that have an order, and those that every body has another one of. */
const ORDERED = ["integer", "number", "decimal", "timestamp"];
const MANIFOLD = ["timestamp", "uuid"];

/** Ranges, searches, indexes, common fields, aliases, and what is unique together, as far as the properties allow them. */
export function withSearches(yaml: Yaml): Yaml {
  const own = Object.entries(yaml["properties"] as Readonly<Record<string, Yaml>>);
  const ranged = own.map(([property, keywords], index) => {
    const isRange = keywords["filterable"] === true && ORDERED.includes(String(keywords["type"]));
    const isText = keywords["filterable"] === true && keywords["type"] === "string";
    if (index % 2 !== 0 || !(isRange || isText)) return [property, keywords];
    return [property, { ...keywords, filterable: isRange ? "range" : "search" }];
  });
  const named = (types: readonly string[]): string[] =>
    own.filter(([, { type }]) => types.includes(String(type))).map(([property]) => property);
  const [first, second] = named([...ORDERED, ...MANIFOLD, "boolean"]);
  const [manifold] = named(MANIFOLD);
  const texts = named(["string"]);
  const offered = yaml["operations"];
  const lists = !Array.isArray(offered) || offered.includes("list");
  return {
    ...yaml,
    properties: Object.fromEntries(ranged) as Yaml,
    ...(own.length % 2 === 0 && { commonFilters: ["createdDate", "createdSubject"] }),
    ...(second !== undefined && { indexes: [[first, `-${second}`, "-createdDate"]] }),
    ...(manifold !== undefined && manifold !== first && { unique: [[first, manifold]] }),
    ...(lists && { aliases: searches(first) }),
    ...(lists && texts.length > 0 && { search: texts.slice(0, 10) }),
  };
}

function searches(property: string | undefined): Yaml {
  const latestones = { sort: ["-createdDate"] };
  if (property === undefined) return { latestones };
  const where = {
    any: [{ [property]: null, createdDate: { within: "1h" } }, { [property]: null }],
  };
  return { latestones, blankones: { where } };
}
