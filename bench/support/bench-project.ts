import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What the resources of a project are made of. */
export interface BenchProject {
  /** How many resources there are, each with 12 properties of its own. */
  readonly resources: number;
  /** The last one has no exact count (COL-2): what a list costs without it. */
  readonly lastUncounted?: boolean;
  /** The last one has an alias and an index of several properties: what a list costs that reads through them. */
  readonly lastIndexed?: boolean;
  /** The title of the last one is searched, and so are its e-mail address and its title together (QRY-7, QRY-8). */
  readonly lastSearched?: boolean;
  /** The last one has events (EVT-1). */
  readonly lastAnnounced?: boolean;
  /** As users write them: with references, children, states, aliases and unique properties. */
  readonly isLinked?: boolean;
}

/** Letters that end no plural by themselves: any three of them name a resource. */
const LETTERS = "bcdfgklmnp";

/** Writes a project into an empty folder and returns the names of its resources. */
export function writeBenchProject(folder: string, project: BenchProject): readonly string[] {
  rmSync(folder, { recursive: true, force: true });
  const version = join(folder, "resources/v1");
  mkdirSync(version, { recursive: true });
  writeFileSync(join(folder, "service.yaml"), SERVICE);
  const numbers = Array.from({ length: project.resources }, (_, index) => index);
  return numbers.map((number) => {
    const { plural, text } = resource(number, project);
    writeFileSync(join(version, `${plural}.yaml`), text);
    return plural;
  });
}

/** The text of a resource file after an edit that changes one bound of one property. */
export function edited(text: string, bound: number): string {
  return text.replace(/maxLength: 4\d{3}/, `maxLength: ${bound}`);
}

const SERVICE = "service: bench\ntitle: Bench\nversions:\n  v1: draft\n";

/** Linked, each resource refers to the next one; one in four is a child, one in three has states, an alias and a unique property. */
function resource(
  number: number,
  { resources, isLinked = false, ...last }: BenchProject,
): { plural: string; text: string } {
  const { plural, entity } = names(number);
  const isChild = isLinked && number % 4 === 3;
  const isLast = number === resources - 1;
  const isGuarded = isLinked && number % 3 === 0;
  const lines = [
    `resource: ${plural}`,
    `entity: ${entity}`,
    ...(isChild ? [`parent: ${names(number - 1).plural}`] : []),
    ...(isLast && last.lastUncounted === true ? ["count: none"] : []),
    ...(isLast && last.lastAnnounced === true ? ["events: [created, updated, deleted]"] : []),
    (isLast && last.lastSearched === true ? SEARCHED : PROPERTIES).trimEnd(),
    ...(isLinked ? [reference(names((number + 1) % resources).plural)] : []),
    ...(isGuarded ? [GUARDED.trimEnd()] : []),
    ...(isLast && last.lastIndexed === true ? [INDEXED.trimEnd()] : []),
  ];
  return { plural, text: `${lines.join("\n")}\n` };
}

function reference(plural: string): string {
  return `  related: { reference: ${plural}, embed: [title, dueDate], filterable: true }`;
}

function names(number: number): { readonly plural: string; readonly entity: string } {
  const digits = [...String(number).padStart(3, "0")];
  const suffix = digits.map((digit) => LETTERS.charAt(Number(digit))).join("");
  const entity = `ticket${suffix.charAt(0).toUpperCase()}${suffix.slice(1)}`;
  return { plural: `ticket${suffix}s`, entity };
}

const PROPERTIES = `description: Something a customer asked for.
properties:
  title: { type: string, required: true, minLength: 3, maxLength: 200, sortable: true }
  body: { type: string, maxLength: 4000, description: The whole request. }
  email: { type: string, format: email, filterable: true, description: Where the answer goes. }
  status:
    enum: [open, pending, closed]
    required: true
    default: open
    filterable: true
    sortable: true
  priority: { type: integer, minimum: 1, maximum: 5, filterable: true, sortable: true }
  price: { type: decimal, scale: 2, minimum: 0 }
  dueDate: { type: timestamp, filterable: true, sortable: true }
  tags: { type: array, items: { type: string, maxLength: 50 }, maxItems: 20, filterable: true }
  deliveryAddress:
    type: object
    properties:
      street: { type: string, maxLength: 200 }
      city: { type: string, maxLength: 100 }
      state: { type: string, maxLength: 50, filterable: true }
  channel: { enum: [mail, phone, web], immutable: true }
  weight: { type: number, minimum: 0 }
  urgent: { type: boolean, required: true, default: false, filterable: true }
`;

const SEARCHED = PROPERTIES.replace(
  "maxLength: 200, sortable",
  "maxLength: 200, filterable: search, sortable",
).concat("search: [email, title]\n");

const INDEXED = `indexes: [[status, -title]]
aliases:
  openbytitle: { where: { status: open }, sort: [title] }
`;

const GUARDED = `  reference: { type: string, minLength: 4, maxLength: 40, unique: true }
states:
  property: status
  initial: open
  transitions: { open: [pending, closed], pending: [open, closed], closed: [] }
  updatableIn: [open, pending]
aliases:
  recentlydue:
    description: Due within the last day.
    where: { status: [open, pending], dueDate: { within: 24h } }
    sort: [-dueDate]
`;
