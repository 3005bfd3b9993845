import { resolve } from "node:path";
import { expect, test } from "vitest";
import { NO_PIECES, piecedText } from "../../src/artifacts/pieces.js";
import { resourcesDocument } from "../../src/artifacts/resources-document.js";
import { success, type Result } from "../../src/diagnostics/result.js";
import type { FileSystem } from "../../src/files/file-system.js";
import { MemoryFiles } from "../../src/files/memory-files.js";
import { nodeFiles } from "../../src/files/node-files.js";
import type { PropertyModel } from "../../src/kinds/property-model.js";
import { load } from "../../src/load/load.js";
import { actionWays } from "../../src/model/action-ways.js";
import { normalise } from "../../src/model/normalise.js";
import { seenBy } from "../../src/model/seen-by.js";
import type { ServiceModel, VersionModel } from "../../src/model/service-model.js";
import { validate } from "../../src/validate/validate.js";
import { expectSuccess } from "../support/expect-success.js";
import { diagramsIn, understand, type Understood } from "../support/mermaid.js";
import { PROJECTS } from "../support/projects.js";

/** Words of mermaid's own language, as names. */
const WORDS = [
  ...[
    "accDescr",
    "accTitle",
    "as",
    "choice",
    "class",
    "classDef",
    "click",
    "concurrent",
    "default",
  ],
  ...[
    "direction",
    "end",
    "erDiagram",
    "fk",
    "fork",
    "graph",
    "hide",
    "href",
    "join",
    "left",
    "many",
  ],
  ...["note", "of", "one", "only", "optionally", "over", "pk", "right", "scale", "state", "style"],
  ...["subgraph", "tb", "title", "to", "u", "uk", "width", "zero"],
];

/** A project's model; the rest of what is emitted for it is not needed here. */
async function modelOf(files: FileSystem, root: string): Promise<Result<ServiceModel>> {
  const tree = load(files, root);
  if (!tree.ok) return tree;
  const validated = await validate(tree.value);
  return validated.ok ? success(normalise(validated.value)) : validated;
}

async function understood(model: ServiceModel): Promise<readonly Understood[]> {
  const { text } = piecedText(resourcesDocument(model), NO_PIECES);
  return Promise.all(diagramsIn(text).map(understand));
}

test.each(PROJECTS)("mermaid reads in the diagrams of %s what the model says", async (project) => {
  const model = expectSuccess(await modelOf(nodeFiles, resolve(project)));
  // A version has diagrams of its own, in its own words.
  const diagrams = model.versions.map(seenBy).flatMap(diagramsOf);
  expect(await understood(model)).toEqual(diagrams);
});

function diagramsOf(version: VersionModel): unknown[] {
  // What represents the objects of another is no entity of its own (REP-7).
  const resources = version.resources.filter(({ isRepresentation }) => !isRepresentation);
  const entities = resources.map(({ name, properties }) => [
    name.singular,
    [`uuid ${name.idProperty} PK`, ...properties.map(attributeOf)],
  ]);
  const states = resources.flatMap(({ entity, actions }) =>
    entity.states === null ? [] : { ...entity.states, ways: actionWays(entity.states, actions) },
  );
  return [
    { kind: "er", entities: Object.fromEntries(entities) },
    ...states.map(({ initials, transitions, ways }) => ({
      kind: "stateDiagram",
      transitions: [
        ...initials.map((initial) => `start -> ${initial}`),
        ...transitions.flatMap(({ from, to }) => to.map((next) => `${from} -> ${next}`)),
        ...ways.flatMap(({ from, to, action }) =>
          from.map((one) => `${one} -> ${to}: ${action.name}`),
        ),
        ...transitions
          .filter(({ from, to }) => to.length === 0 && !ways.some((way) => way.from.includes(from)))
          .map(({ from }) => `${from} -> end`),
      ],
    })),
  ];
}

function attributeOf({ name, type, unique }: PropertyModel): string {
  const kind = type.kind === "array" ? `${type.items.kind}[]` : type.kind;
  return `${kind} ${name}${unique ? " UK" : ""}`;
}

test("whatever an entity, a property, a state or an action is called, mermaid reads that name", async () => {
  const read = WORDS.map(async (name) => {
    const model = await modelOf(new MemoryFiles(projectOf(name)), "/");
    if (!model.ok) return false;
    const [er, states] = await understood(model.value);
    const attributes = [`uuid ${name}Id PK`, `string ${name}`, `enum phase`];
    expect(er).toEqual({ kind: "er", entities: { [name]: attributes } });
    const back = `other -> ${name}: ${name.toLowerCase()}`;
    const transitions = [`start -> ${name}`, `${name} -> other`, back];
    expect(states).toEqual({ kind: "stateDiagram", transitions });
    return true;
  });
  const accepted = (await Promise.all(read)).filter((isAccepted) => isAccepted);
  expect(accepted.length).toBeGreaterThan(30);
});

/** A project in which all is called the same. */
function projectOf(name: string): Readonly<Record<string, string>> {
  const plural = `${name.toLowerCase()}s`;
  return {
    "/service.yaml": `service: desk\ninflections: { "${name}": "${plural}" }\n`,
    [`/resources/v1/${plural}.yaml`]: `
resource: ${plural}
entity: "${name}"
properties: { "${name}": string, phase: { enum: ["${name}", other] } }
states: { property: phase, initial: "${name}", transitions: { "${name}": [other], other: [] } }
actions: { "${name.toLowerCase()}": { states: [other], leadsTo: "${name}" } }
`,
  };
}

test("a name that need not follow its rule is told with the reason", async () => {
  const files = {
    "/p/service.yaml": "service: shop",
    "/p/resources/v1/staffing.yaml":
      "resource: staffing\nentity: staffing\nexempt: { NAM-1: the trade says | so }\nproperties:\n" +
      "  shifts: { type: array, items: { type: object, properties: { history: { type: array, items: string, exempt: { NAM-3: no plural } } } } }\n",
  };
  const model = expectSuccess(await modelOf(new MemoryFiles(files), "/p"));
  const { text } = piecedText(resourcesDocument(model), NO_PIECES);
  expect(text).toContain("`staffing` is exempt from NAM-1: the trade says &#124; so\n");
  expect(text).toContain("`shifts.history` is exempt from NAM-3: no plural\n");
});
