type Node = Readonly<Record<string, unknown>>;

/** What stands anywhere in a JSON Schema that is about the same value. */
const SAME_VALUE = ["then", "else", "allOf", "anyOf", "oneOf"];

/** Reads JSON Schemas as lists of words: their keywords, and the values that enums allow. */
export class SchemaWords {
  constructor(
    private readonly name: string,
    private readonly schema: Node,
  ) {}

  /** Every word, by its place: `resource#/properties/count`, `resource#/properties/count=none`. */
  all(): ReadonlySet<string> {
    const words = new Set<string>();
    const seen = new Set<string>();
    const visit = (node: unknown, place: string): void => {
      if (!isNode(node) || seen.has(place)) return;
      seen.add(place);
      for (const value of enumOf(node)) words.add(`${place}=${String(value)}`);
      for (const [inner, at] of [...this.same(node, place), ...inside(node, place)])
        visit(inner, at);
      for (const [keyword, inner] of Object.entries(mapping(node["properties"]))) {
        words.add(`${place}/properties/${keyword}`);
        visit(inner, `${place}/properties/${keyword}`);
      }
    };
    visit(this.schema, `${this.name}#`);
    return words;
  }

  /** Adds the words that a value uses. */
  use(value: unknown, used: Set<string>): void {
    this.visit(value, this.schema, `${this.name}#`, used);
  }

  private visit(value: unknown, node: unknown, place: string, used: Set<string>): void {
    if (!isNode(node)) return;
    if (enumOf(node).includes(value)) used.add(`${place}=${String(value)}`);
    for (const [inner, at] of this.same(node, place)) this.visit(value, inner, at, used);
    if (Array.isArray(value)) {
      for (const item of value) this.visit(item, node["items"], `${place}/items`, used);
    } else if (isNode(value)) {
      const known = mapping(node["properties"]);
      for (const [key, inner] of Object.entries(value)) {
        const at = Object.hasOwn(known, key) ? `${place}/properties/${key}` : `${place}/*`;
        if (Object.hasOwn(known, key)) used.add(at);
        this.visit(inner, known[key] ?? node["additionalProperties"], at, used);
      }
    }
  }

  /** The schemas that hold for the same value. */
  private same(node: Node, place: string): readonly (readonly [unknown, string])[] {
    const referred = typeof node["$ref"] === "string" ? this.referred(node["$ref"]) : [];
    const others = SAME_VALUE.flatMap((keyword) => {
      const inner = node[keyword];
      if (!Array.isArray(inner)) return [[inner, `${place}/${keyword}`] as const];
      return inner.map((one: unknown, index) => [one, `${place}/${keyword}/${index}`] as const);
    });
    return [...referred, ...others];
  }

  private referred(reference: string): readonly (readonly [unknown, string])[] {
    const steps = reference.slice("#/".length).split("/");
    const found = steps.reduce<unknown>((at, step) => mapping(at)[step], this.schema);
    return [[found, `${this.name}${reference}`]];
  }
}

/** The schemas of what stands in a value. */
function inside(node: Node, place: string): readonly (readonly [unknown, string])[] {
  return [
    [node["items"], `${place}/items`],
    [node["additionalProperties"], `${place}/*`],
  ];
}

function enumOf({ enum: values }: Node): readonly unknown[] {
  return Array.isArray(values) ? values : [];
}

function mapping(value: unknown): Node {
  return isNode(value) ? value : {};
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
