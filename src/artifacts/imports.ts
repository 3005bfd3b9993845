import { WIDTH } from "../naming/doc.js";
import { literal } from "../naming/encoders.js";
import { MARK, MARKED } from "../naming/imported.js";
import { DOOR } from "../naming/packages.js";

/** Where the names come from whose marks do not say it. */
export interface Origins {
  /** The file that declares a type of the schema, where this one does not. */
  readonly declaring?: (name: string) => string;
  /** The file of any other name; left out: the service's own, or else the runtime. */
  readonly offering?: (name: string) => string;
}

/** What any file may use of the service's own. */
const SERVICE_FILES: Readonly<Record<string, string>> = {
  Provided: "src/app.ts",
  ServiceContext: "src/generated/services.ts",
  ServiceEntities: "src/generated/app.ts",
  ServiceEvent: "src/generated/events.ts",
  ServiceStores: "src/generated/services.ts",
  settings: "src/generated/settings.ts",
};

/** What stands before a class where it is more than a type. */
const CONSTRUCTING = "new ";
/** Finds the names that the file declares. Texts of a schema never begin a line, so they cannot match. */
const DECLARED = /^(?:export )?(?:const|function|interface|type) ([\w$]+)/gm;

/** The text of a file without its marks, and with the import statements that they ask for after its first comment. */
export function withImports(path: string, code: string, origins: Origins = {}): string {
  if (!code.includes(MARK)) return code;
  const { declaring = () => path, offering = offeredBy } = origins;
  let own: ReadonlySet<string> | null = null;
  const modules = new Map<string, Map<string, Used>>();
  const use = (from: string, name: string, used: Used): void => {
    if (from === path) return;
    const names = modules.get(from) ?? new Map<string, Used>();
    modules.set(
      from,
      names.set(name, { ...used, isType: used.isType && names.get(name)?.isType !== false }),
    );
  };
  let text = "";
  let rest = 0;
  for (const { 0: whole, 1: type, 2: file, 3: exported, 4: name = "", index } of code.matchAll(
    MARKED,
  )) {
    text += code.slice(rest, index) + name;
    rest = index + whole.length;
    if (exported === undefined) {
      const isNew = code.endsWith(CONSTRUCTING, index);
      use(offering(name), name, { exported: name, isType: /^[A-Z].*[a-z]/.test(name) && !isNew });
    } else {
      own ??= new Set(Array.from(code.matchAll(DECLARED), ([, declared = ""]) => declared));
      const from = file || (own.has(name) ? path : declaring(name));
      use(from, name, { exported, isType: type !== undefined });
    }
  }
  text += code.slice(rest);
  const end = text.indexOf("\n\n");
  const statements = importCode(path, modules);
  return statements === "" ? text : `${text.slice(0, end)}\n\n${statements}${text.slice(end)}`;
}

function offeredBy(name: string): string {
  return SERVICE_FILES[name] ?? DOOR;
}

/** A name that is imported. */
interface Used {
  /** What it is called in its own file. */
  readonly exported: string;
  readonly isType: boolean;
}

/** Statements sorted by module, packages first. */
function importCode(path: string, modules: ReadonlyMap<string, ReadonlyMap<string, Used>>): string {
  const place = (from: string): string => (from.startsWith(".") ? from : ` ${from}`);
  return [...modules]
    .map(([from, names]) => [specifier(path, from), [...names]] as const)
    .sort(([a], [b]) => (place(a) < place(b) ? -1 : 1))
    .map(([from, names]) => importStatement(from, names))
    .join("\n");
}

/** `./orders.dto.js` */
function specifier(path: string, from: string): string {
  if (from.startsWith("@")) return from;
  const [own, other] = [path.split("/"), from.replace(/\.ts$/, ".js").split("/")];
  const shared = own.findIndex((part, index) => part !== other[index]);
  const above = own.length - shared - 1;
  return (above === 0 ? "./" : "../".repeat(above)) + other.slice(shared).join("/");
}

/** A module of types alone is imported as such. */
function importStatement(from: string, names: readonly (readonly [string, Used])[]): string {
  const typesOnly = names.every(([, { isType }]) => isType);
  const head = typesOnly ? "import type" : "import";
  const printed = names
    .toSorted(([, a], [, b]) => (a.exported < b.exported ? -1 : 1))
    .map(([name, { exported, isType }]) => {
      const code = name === exported ? name : `${exported} as ${name}`;
      return isType && !typesOnly ? `type ${code}` : code;
    });
  const tail = ` from ${literal(from)};`;
  const flat = `${head} { ${printed.join(", ")} }${tail}`;
  // prettier leaves a single name on the line of its module, however long that is.
  if (printed.length === 1 || flat.length <= WIDTH) return flat;
  return `${head} {\n  ${printed.join(",\n  ")},\n}${tail}`;
}
