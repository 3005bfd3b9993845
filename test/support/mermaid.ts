import { parseHTML } from "linkedom";
import type { Mermaid } from "mermaid";

/** What mermaid understood of a diagram. */
export type Understood =
  | {
      readonly kind: "er";
      /** The attributes of each entity: `string[] tags`, `uuid ticketId PK`. */
      readonly entities: Readonly<Record<string, readonly string[]>>;
    }
  | {
      readonly kind: "stateDiagram";
      /** `open -> closed`; `start` and `end` are the two dots. */
      readonly transitions: readonly string[];
    };

/** The diagrams of a Markdown text, as they stand there. */
export function diagramsIn(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^```mermaid\n(.*?)\n```$/gms)].map(([, text = ""]) => text);
}

/** The kind of a diagram. Throws where mermaid cannot read it. */
export async function parseDiagram(diagram: string): Promise<string> {
  const { diagramType } = await (await loadMermaid()).parse(diagram);
  return diagramType;
}

/** Reads a diagram with mermaid itself. Throws where that can not, or where it is of another kind. */
export async function understand(diagram: string): Promise<Understood> {
  const mermaid = await loadMermaid();
  await mermaid.parse(diagram);
  const { type, db } = await mermaid.mermaidAPI.getDiagramFromText(diagram);
  // Each kind has a database of its own, of which mermaid declares no types.
  if (type === "er") return { kind: type, entities: entitiesOf(db as unknown as Entities) };
  if (type !== "stateDiagram") throw new Error(`nobody expects a diagram of the kind ${type}`);
  return { kind: type, transitions: transitionsOf(db as unknown as States) };
}

/** mermaid cleans labels with DOMPurify, which asks for a document when it is loaded. */
async function loadMermaid(): Promise<Mermaid> {
  const { window } = parseHTML("<html></html>");
  Object.assign(globalThis, { window, document: window.document });
  return (await import("mermaid")).default;
}

interface Entities {
  getEntities(): ReadonlyMap<
    string,
    { attributes: readonly { type: string; name: string; keys?: readonly string[] }[] }
  >;
}

interface States {
  getStates(): ReadonlyMap<string, { descriptions: readonly string[] }>;
  getRelations(): readonly { id1: string; id2: string; relationTitle?: string }[];
}

function entitiesOf(db: Entities): Readonly<Record<string, readonly string[]>> {
  const named = [...db.getEntities()].map(([name, { attributes }]) => [
    name,
    attributes.map(({ type, name, keys = [] }) => [type, name, ...keys].join(" ")),
  ]);
  return Object.fromEntries(named) as Readonly<Record<string, readonly string[]>>;
}

function transitionsOf(db: States): readonly string[] {
  const states = db.getStates();
  const name = (id: string): string => states.get(id)?.descriptions[0] ?? id.replace("root_", "");
  return db.getRelations().map(({ id1, id2, relationTitle = "" }) => {
    const title = relationTitle === "" ? "" : `: ${relationTitle}`;
    return `${name(id1)} -> ${name(id2)}${title}`;
  });
}
