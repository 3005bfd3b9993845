import fc from "fast-check";

/** What a person does in a project. */
export interface UserEdit {
  /** Picks the file, or the place of a new one. */
  readonly which: number;
  readonly how: (typeof WAYS)[number];
  /** Where in the file. */
  readonly at: number;
}

const WAYS = [
  "append",
  "append",
  "insert",
  "insert",
  "change a line",
  "replace",
  "rename",
  "delete",
  "new file",
  "new file in the way",
  "line ends",
  "byte order mark",
  "conflict markers",
  "directive",
] as const;

/** Edits of any file of a project. */
export const userEdits: fc.Arbitrary<UserEdit> = fc.record({
  which: fc.nat(),
  how: fc.constantFrom(...WAYS),
  at: fc.nat(),
});

/** Where a person may put a file of their own; some are wanted by the generator sooner or later. */
const NEW_PATHS = [
  "src/custom/helpers.ts",
  "src/generated/entities/orders/mine.ts",
  "test/custom/mine.test.ts",
  "test/generated/mine.test.ts",
  "docs/notes.md",
  "tools/own.ts",
  "openapi/mine.json",
  "contract/notes.md",
];

const PATHS_IN_THE_WAY = [
  "src/custom/shipments.ts",
  "src/generated/entities/shipments/shipments.entity.ts",
  "src/generated/v1/shipments/shipments.controller.ts",
  "src/generated/v1/shipments/shipments.validator.ts",
  "test/generated/v1-shipments.test.ts",
  "src/generated/entities/orders/orders.entity.ts.edited",
  "src/generated/services.ts.edited",
];

/** Files that are not written by hand: the schemas are changed beside, and the lock is the generator's own record. */
const NOT_EDITED = /^(?:service\.yaml|resources\/|generator\.lock|\.rulebound\/)/;

/** What becomes of the files of a project: null is deleted. */
export type Touched = ReadonlyMap<string, string | null>;

/** Carries out an edit on the texts of a project; `mark` stands in what is written, and nowhere else. */
export function editTexts(
  texts: Readonly<Record<string, string>>,
  { which, how, at }: UserEdit,
  mark: string,
): Touched {
  const paths = Object.keys(texts).filter((path) => !NOT_EDITED.test(path));
  const path = paths[which % paths.length] ?? "";
  const text = texts[path] ?? "";
  const lines = text.split("\n");
  const line = at % lines.length;
  const with_ = (changed: readonly string[]): Touched => new Map([[path, changed.join("\n")]]);
  switch (how) {
    case "append":
      return new Map([[path, `${text}// ${mark}\n`]]);
    case "insert":
      return with_(lines.toSpliced(line, 0, `  /* ${mark} */`, "", "\tconst own = `${1}`;"));
    case "change a line":
      return with_(lines.toSpliced(line, 1, `${lines[line] ?? ""} // ${mark}`));
    case "replace":
      return new Map([[path, mark]]);
    case "rename":
      return new Map([
        [path, null],
        [path.replace(/(\.\w+)?$/, "-own$1"), `${text}// ${mark}\n`],
      ]);
    case "delete":
      return new Map([[path, null]]);
    case "new file":
      return new Map([[picked(NEW_PATHS, which), `// ${mark}\n`]]);
    case "new file in the way":
      return new Map([[picked(PATHS_IN_THE_WAY, which), `// ${mark}\n`]]);
    case "line ends":
      return new Map([[path, `${text}// ${mark}\n`.replaceAll("\n", "\r\n")]]);
    case "byte order mark":
      return new Map([[path, `\ufeff${text}// ${mark}`]]);
    case "conflict markers":
      return with_(
        lines.toSpliced(line, 0, "<<<<<<< HEAD", mark, "=======", "theirs", ">>>>>>> other"),
      );
    case "directive":
      return with_(
        lines.toSpliced(line, 0, `// eslint-disable-next-line ${mark}`, "// @ts-ignore"),
      );
  }
}

function picked(paths: readonly string[], which: number): string {
  return paths[which % paths.length] ?? "";
}
