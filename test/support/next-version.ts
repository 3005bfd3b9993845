export type Yaml = Readonly<Record<string, unknown>>;

/** The resources of a version, by plural. */
export type Resources = Readonly<Record<string, Yaml>>;

/** The names that properties of a resource have in the next version; null: it does not show them. */
type Names = ReadonlyMap<string, string | null>;

/** What the next version does to a property. */
export type Deed = "keep" | "rename" | "remove" | "convert" | "more";

/** What one version does to the one before: a deed for each property in turn, again and again. */
export interface Step {
  readonly deeds: readonly Deed[];
  readonly adds: number;
}

const ADDED_INSIDE: readonly Yaml[] = [
  { type: "string" },
  { type: "integer", required: true, default: 7 },
  { enum: ["one", "two"], required: true, default: "one" },
];

/** What is made of other properties by the service's own code. */
const MADE_INSIDE: readonly Yaml[] = [{ type: "string" }, { enum: ["one", "two"] }];
const MADE: readonly Yaml[] = [
  ...MADE_INSIDE,
  { type: "object", properties: { size: { type: "integer" }, part: { enum: ["one", "two"] } } },
];

const ADDED: readonly Yaml[] = [
  ...ADDED_INSIDE,
  { type: "array", items: { enum: ["one", "two"] } },
  { type: "object", properties: { inner: { reference: "people", embed: [] } } },
  { type: "array", items: { reference: "people" } },
  { type: "boolean", required: true, readOnly: true, default: false },
];

/** Edits every resource; what names properties of another one follows them. */
export function nextVersion(before: Resources, step: Step, version: number): Resources {
  const turns = new Turns(step, version);
  const names = new Map<string, Names>();
  const edited = ["people", "orders", "shipments"].map((plural) => {
    const yaml = before[plural] ?? {};
    const edit = editProperties(yaml["properties"] as Yaml, turns, {
      isTop: true,
      embedded: (target) => names.get(target) ?? new Map<string, string>(),
      named: namedIn(yaml),
    });
    names.set(plural, edit.names);
    return [plural, { ...withStates(yaml, edit), properties: edit.properties, ...removedIn(edit) }];
  });
  return { ...Object.fromEntries(edited), openorders: represented(before, names) } as Resources;
}

/** The deeds and what is added, one after the other. */
class Turns {
  private turn = 0;

  constructor(
    private readonly step: Step,
    private readonly version: number,
  ) {}

  deed(): Deed {
    this.turn += 1;
    return this.step.deeds[this.turn % this.step.deeds.length] ?? "keep";
  }

  renamed(name: string): string {
    const own = name.replace(/^(?:second|third)/, "");
    return `${this.word}${own.charAt(0).toUpperCase()}${own.slice(1)}`;
  }

  added(among: readonly Yaml[]): [string, Yaml] {
    this.turn += 1;
    const yaml = among[(this.step.adds + this.turn) % among.length] ?? {};
    const name = this.version === 2 ? "gift" : "extra";
    return [yaml["type"] === "array" ? `${name}s` : name, yaml];
  }

  get value(): string {
    return `${this.word}One`;
  }

  private get word(): string {
    return this.version === 2 ? "second" : "third";
  }
}

interface Edited {
  readonly properties: Yaml;
  readonly names: Map<string, string | null>;
  readonly removed: readonly string[];
}

interface Around {
  readonly isTop: boolean;
  readonly embedded: (plural: string) => Names;
  /** What states and conditions name, or a parent, stays. */
  readonly named: readonly string[];
}

function namedIn(yaml: Yaml): readonly string[] {
  const { property } = (yaml["states"] ?? {}) as { property?: string };
  return property === undefined ? ["order"] : [property];
}

function editProperties(properties: Yaml, turns: Turns, around: Around): Edited {
  const names = new Map<string, string | null>();
  const removed: string[] = [];
  const made: [string, Yaml][] = [];
  let converts = false;
  for (const [name, value] of Object.entries(properties)) {
    const { converted: _c, renamedFrom: _r, ...plain } = value as Yaml;
    const { yaml, gone } = inside(plain, turns, around);
    removed.push(...gone.map((path) => `${name}.${path}`));
    const deed = around.named.includes(name) ? "more" : turns.deed();
    const isPlain = isConvertible(value as Yaml);
    if (deed === "remove" && names.size > 0 && yaml["required"] !== true) {
      names.set(name, null);
      removed.push(name);
    } else if (deed === "convert" && isPlain) {
      names.set(name, null);
      converts = true;
    } else if (deed === "rename") {
      const to = turns.renamed(name);
      names.set(name, to);
      made.push([to, { ...yaml, renamedFrom: name }]);
    } else {
      names.set(name, name);
      made.push([name, deed === "more" ? withMore(yaml, turns.value) : yaml]);
    }
  }
  const [name, yaml] = turns.added(among(converts, around.isTop));
  made.push(converts ? [`${name}Made`, { ...yaml, converted: true }] : [name, yaml]);
  return { properties: Object.fromEntries(made), names, removed };
}

/** What a new property is; objects stand two levels deep at most. */
function among(isMade: boolean, isTop: boolean): readonly Yaml[] {
  if (isMade) return isTop ? MADE : MADE_INSIDE;
  return isTop ? ADDED : ADDED_INSIDE;
}

/** What an object holds, or the objects of a list, and what a reference embeds. */
function inside(yaml: Yaml, turns: Turns, around: Around): { yaml: Yaml; gone: readonly string[] } {
  if (typeof yaml["reference"] === "string" && Array.isArray(yaml["embed"])) {
    const names = around.embedded(yaml["reference"]);
    const embed = (yaml["embed"] as string[]).flatMap((name) => {
      const now = names.has(name) ? names.get(name) : name;
      return typeof now === "string" ? [now] : [];
    });
    const { embed: _, ...rest } = yaml;
    return { yaml: embed.length === 0 ? rest : { ...rest, embed }, gone: [] };
  }
  if (typeof yaml["items"] === "object") {
    const { yaml: items, gone } = inside(yaml["items"] as Yaml, turns, around);
    return { yaml: { ...yaml, items }, gone };
  }
  if (yaml["properties"] === undefined) return { yaml, gone: [] };
  const within = { ...around, isTop: false };
  const edit = editProperties(yaml["properties"] as Yaml, turns, within);
  return { yaml: { ...yaml, properties: edit.properties }, gone: edit.removed };
}

/** What nothing searches for, embeds or needs, and no other version has made. */
function isConvertible(yaml: Yaml): boolean {
  const isEmbedded =
    yaml["maxLength"] !== undefined ||
    (yaml["items"] !== undefined && "enum" in (yaml["items"] as Yaml));
  return (
    yaml["converted"] !== true &&
    yaml["required"] !== true &&
    yaml["readOnly"] !== true &&
    yaml["filterable"] !== true &&
    !isEmbedded &&
    !JSON.stringify(yaml).includes("reference")
  );
}

function withMore(yaml: Yaml, value: string): Yaml {
  if (typeof yaml["items"] === "object") {
    return { ...yaml, items: withMore(yaml["items"] as Yaml, value) };
  }
  const values = yaml["enum"] as string[] | undefined;
  if (values === undefined) return yaml;
  const { inOlderVersions: _, ...rest } = yaml;
  return { ...rest, enum: [...values, value], inOlderVersions: { [value]: values.at(-1) } };
}

function removedIn({ removed }: Edited): Yaml {
  return removed.length === 0
    ? { removed: undefined }
    : { removed: Object.fromEntries(removed.map((path) => [path, "nobody uses it"])) };
}

/** The machine has every state. */
function withStates(yaml: Yaml, { properties }: Edited): Yaml {
  const states = yaml["states"] as
    { property: string; initial: string; transitions: Yaml } | undefined;
  if (states === undefined) return yaml;
  const values = (properties[states.property] as { enum: string[] }).enum;
  const { initial, transitions } = states;
  const ways = values.map((value) => [
    value,
    value === initial ? values.filter((one) => one !== initial) : (transitions[value] ?? []),
  ]);
  return { ...yaml, states: { ...states, transitions: Object.fromEntries(ways) as Yaml } };
}

function represented(before: Resources, names: ReadonlyMap<string, Names>): Yaml {
  const { openorders = {} } = before;
  const now = names.get("orders");
  const shown = Object.entries(openorders["properties"] as Readonly<Record<string, string>>);
  const kept = shown.flatMap(([name, original]) => {
    const to = now?.get(original);
    return typeof to === "string" ? [[name, to]] : [];
  });
  return { ...openorders, properties: Object.fromEntries(kept) as Yaml };
}
