import type { Texts } from "../render-files.js";
import { ABOVE, ITSELF } from "./actions.js";
import { codeOf } from "./own-code.js";
import { twoVersions, type Documents } from "./versions.js";
import type { RightResource } from "./resource.js";
import { print, type Yaml } from "./yaml.js";

/** What a project is made of. */
export interface Parts {
  readonly service: Yaml;
  readonly resources: readonly RightResource[];
  /** The turns that a second version takes, if there is one. */
  readonly second: readonly number[] | null;
  readonly isSecured: boolean;
}

/** What becomes of the older version, by turn. */
const STATUSES: readonly unknown[] = [
  "draft",
  "retired",
  { status: "draft" },
  { status: "retired" },
];

const ENTITIES = ["ticket", "order", "parcel"];

/** The files of a project. */
export function projectTexts(parts: Parts): { readonly schemas: Texts; readonly code: Texts } {
  const { service, resources, second } = parts;
  const documents = Object.assign(
    {},
    ...resources.map((_, index) => documentsOf(parts, index)),
  ) as Documents;
  const later = second === null ? null : twoVersions(documents, second);
  const versions = { v1: STATUSES[second?.[0] ?? 0] ?? "draft", v2: { status: "draft" } };
  const code = resources.map((one, index) => codeOf(one, ENTITIES[index] ?? ""));
  return {
    schemas: {
      "service.yaml": print({ service: "desk", ...service, ...(later !== null && { versions }) }),
      ...filesOf("v1", later?.older ?? documents),
      ...(later !== null && filesOf("v2", later.newer)),
    },
    code: { ...Object.assign({}, ...code), ...later?.code } as Texts,
  };
}

function filesOf(version: string, documents: Documents): Texts {
  const files = Object.entries(documents).map(([name, yaml]) => [
    `resources/${version}/${name}.yaml`,
    print(yaml),
  ]);
  return Object.fromEntries(files) as Texts;
}

/** A resource, and its representation. */
function documentsOf({ resources, isSecured }: Parts, index: number): Documents {
  const one = resources[index];
  const entity = ENTITIES[index] ?? "";
  if (one === undefined) return {};
  const before = resources[index - 1];
  const isChild = one.relation === "child" && before !== undefined;
  const above = before === undefined ? null : { entity: ENTITIES[index - 1] ?? "", of: before };
  const properties = {
    ...one.properties,
    ...(!isChild && related(one, entity, above, isSecured)),
    ...(one.external !== null && { carrier: { ...CARRIER, ...one.external } }),
  };
  const actions = actionsOf(one, { entity, above, isSecured });
  const access = one.granted?.access ?? {};
  const document = {
    resource: `${entity}s`,
    entity,
    ...one.settings,
    ...(isChild && { parent: `${ENTITIES[index - 1]}s` }),
    properties,
    ...(one.states !== null && { states: one.states }),
    ...one.found,
    ...(one.acts.length > 0 && { actions }),
    ...(Object.keys(access).length > 0 && { access: isChild ? access : withoutParent(access) }),
  };
  return {
    [`${entity}s`]: document,
    ...(one.shown !== null && { [`open${entity}`]: representation(one.shown, entity, properties) }),
  };
}

const CARRIER: Yaml = {
  reference: "carriers",
  external: true,
  entity: "carrier",
  embed: ["label"],
};

/** A resource that was to be a child, and has no parent after all. */
function withoutParent(access: Readonly<Record<string, readonly string[] | undefined>>): Yaml {
  const entries = Object.entries(access).map(([operation, grants = []]) => {
    const others = grants.filter((grant) => grant !== "parent");
    return [operation, others.length === 0 ? ["authenticated"] : others];
  });
  return Object.fromEntries(entries) as Yaml;
}

interface Above {
  readonly entity: string;
  readonly of: RightResource;
}

/** Its actions, with references to what there is. */
function actionsOf(
  one: RightResource,
  { entity, above, isSecured }: { entity: string; above: Above | null; isSecured: boolean },
): Yaml {
  const itself = { entity, of: one };
  const targets: Readonly<Record<string, Above>> = { [ITSELF]: itself, [ABOVE]: above ?? itself };
  const filled = (yaml: unknown, isShown: boolean): unknown => {
    if (Array.isArray(yaml)) return yaml;
    if (typeof yaml !== "object" || yaml === null) return yaml;
    const entries = Object.entries(yaml).map(([key, value]) => [key, filled(value, isShown)]);
    const own = Object.fromEntries(entries) as Yaml;
    const target = targets[String(own["reference"])];
    if (target === undefined) return own;
    const { disclose, ...embed } = embedOf(target, isSecured);
    const shown = isShown && disclose !== undefined ? { disclose } : {};
    return { ...own, reference: `${target.entity}s`, ...embed, ...shown };
  };
  return Object.fromEntries(
    one.acts.map(({ name, yaml: { input, answers, ...yaml } }) => [
      name,
      {
        ...yaml,
        ...(input !== undefined && { input: filled(input, false) }),
        ...(answers !== undefined && { answers: filled(answers, true) }),
      },
    ]),
  ) as Yaml;
}

/** Some of what another resource holds, shown to everybody. */
function embedOf({ of }: Above, isSecured: boolean): Yaml {
  const shown = Object.entries(of.properties as Readonly<Record<string, Yaml>>)
    .filter(([, { type }]) => BY_VALUE.includes(String(type)))
    .map(([name]) => name)
    .slice(0, 2);
  const isSensitive = shown.some((name) => (of.properties[name] as Yaml)["sensitive"] === true);
  if (shown.length === 0) return {};
  return { embed: shown, ...((isSecured || isSensitive) && { disclose: true }) };
}

const BY_VALUE = ["string", "integer", "decimal", "boolean", "timestamp"];

function related(
  one: RightResource,
  entity: string,
  above: Above | null,
  isSecured: boolean,
): Yaml {
  if (one.relation === "tree") return { above: { reference: `${entity}s`, onDelete: "setNull" } };
  if (above === null) return {};
  const reference = `${above.entity}s`;
  const embed = embedOf(above, isSecured);
  const other = { reference, required: true, ...embed };
  const relations: Readonly<Record<string, Yaml>> = {
    refuse: { other: { reference, filterable: true, onDelete: "refuse", ...embed } },
    setNull: { other: { reference, onDelete: "setNull", sortable: true } },
    required: { other: { reference, required: true, immutable: true, ...embed } },
    many: { others: { type: "array", items: { reference, ...embed }, maxItems: 5 } },
    inside: {
      details: { type: "object", properties: { other: { reference, filterable: true, ...embed } } },
    },
    items: { rows: { type: "array", maxItems: 3, items: referring(other) } },
    filled: {
      rows: { type: "array", minItems: 1, maxItems: 3, items: referring(other) },
      details: referring(other),
    },
    path: { other: { reference, listedUnder: true, required: true } },
    written: {
      other: { reference, readOnly: true, onDelete: "setNull", ...embed },
      next: { reference: `${entity}s`, readOnly: true, onDelete: "setNull" },
      rows: { type: "array", readOnly: true, maxItems: 3, items: referring(other) },
    },
  };
  return relations[one.relation] ?? {};
}

/** An object that refers to one and to several others, with more beside. */
function referring(other: Yaml): Yaml {
  const { required: _required, ...reference } = other;
  const others = { type: "array", minItems: 1, maxItems: 4, items: reference };
  return { type: "object", properties: { other, others, count: "integer" } };
}

/** Another view of a resource: all it has, its first property under another name. */
function representation(shown: Yaml, entity: string, properties: Yaml): Yaml {
  const [first = "", ...others] = Object.keys(properties);
  const names = Object.fromEntries([["shownAs", first], ...others.map((name) => [name, name])]);
  return {
    resource: `open${entity}`,
    represents: `${entity}s`,
    operations: ["list", "read"],
    ...shown,
    properties: names,
    exempt: { "NAM-1": "It shows what is open." },
  };
}
