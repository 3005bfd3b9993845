import { expect, test } from "vitest";
import type { JsonSchema } from "../../../src/kinds/json-schema.js";
import type { SchemaUse } from "../../../src/kinds/kind-code.js";
import { kindNamed, kindOf, type KindName } from "../../../src/kinds/kinds.js";
import type { Value } from "../../../src/kinds/property-model.js";
import { kindNameOf, longForm, type PropertyYaml } from "../../../src/kinds/property-yaml.js";
import { ts } from "../../../src/naming/code.js";
import { flat, type Doc } from "../../../src/naming/doc.js";
import { withoutMarks } from "../../../src/naming/imported.js";
import type { Seed } from "../../../src/samples/seed.js";
import { filterAs, mistakeOf, readAs, SCOPE, typeOf } from "./one-kind.js";

/** What is emitted for one property; `?` stands behind what is said of a property that may be null. */
export interface KindCode {
  readonly type: string;
  readonly reader: string;
  readonly filter: string | null;
  readonly column: string;
  readonly encode: string;
  readonly "encode?": string;
  readonly decode: string;
  readonly "decode?": string;
  readonly bind: string | null;
  readonly write: string;
}

/** One kind, from YAML to what is emitted for it. */
export interface KindTable {
  readonly name: KindName;
  readonly models: readonly { readonly yaml: PropertyYaml; readonly want: object }[];
  /** Values of a schema, each with what is kept of it where that is something else. */
  readonly good: readonly {
    readonly yaml: PropertyYaml;
    readonly value: Value;
    readonly kept?: Value;
  }[];
  readonly bad: readonly {
    readonly yaml: PropertyYaml;
    readonly value: unknown;
    readonly want: string;
  }[];
  /** Keywords that make no sense. */
  readonly mistakes?: readonly { readonly yaml: PropertyYaml; readonly want: readonly string[] }[];
  readonly schemas: readonly {
    readonly yaml: PropertyYaml;
    readonly use?: SchemaUse;
    readonly want: JsonSchema;
  }[];
  readonly described: readonly { readonly yaml: PropertyYaml; readonly want: string }[];
  readonly code: readonly { readonly yaml: PropertyYaml; readonly want: KindCode }[];
  readonly filters?: readonly {
    readonly yaml: PropertyYaml;
    readonly text: string;
    readonly want: unknown;
  }[];
  /** Its reader is emitted by a template, and is tried by the tests of services. */
  readonly isReadElsewhere?: true;
}

/** What is tested, with a name that says all of it. */
function named<T extends { readonly yaml: PropertyYaml; readonly value?: unknown }>(
  rows: readonly T[],
) {
  return rows.map((row) => ({
    ...row,
    shown: JSON.stringify(row.yaml),
    given: JSON.stringify(row.value),
  }));
}

/** The tests of one kind; they stand in a table so that all kinds are held to the same. */
export function testKind(table: KindTable): void {
  const { name, isReadElsewhere } = table;
  test("a property is of this kind", () => {
    for (const { yaml } of table.models) expect(kindNameOf(longForm(yaml))).toBe(name);
  });

  test.each(named(table.models))("$shown is decided", ({ yaml, want }) => {
    expect(typeOf(yaml)).toEqual({ kind: name, ...want });
  });

  test.each(named(table.good))("$given is one of $shown", ({ yaml, value, kept = value }) => {
    const type = typeOf(yaml);
    expect(mistakeOf(value, yaml)).toBeNull();
    expect(kindOf(type).normaliseValue(value, type)).toEqual(kept);
    if (isReadElsewhere !== true) expect(readAs(kept, type)).toEqual(kept);
  });

  test.each(named(table.bad))("$given is not one of $shown", ({ yaml, value, want }) => {
    expect(mistakeOf(value, yaml)).toBe(want);
  });

  test.each(named(table.mistakes ?? []))("$shown makes no sense", ({ yaml, want }) => {
    const found = kindNamed(name).keywordMistakes(longForm(yaml), SCOPE);
    const told = found.map(
      ({ keyword, mistake }) => `${keyword}: ${mistake.code} ${mistake.message}`,
    );
    expect(told).toEqual(want);
  });

  test.each(named(table.schemas))(
    "the schema of $shown ($use)",
    ({ yaml, use = "whole", want }) => {
      const type = typeOf(yaml);
      expect(kindOf(type).jsonSchema(type, use)).toEqual(want);
    },
  );

  test.each(named(table.described))("$shown in words", ({ yaml, want }) => {
    const type = typeOf(yaml);
    expect(kindOf(type).describe(type)).toBe(want);
  });

  test.each(named(table.code))("the code of $shown", ({ yaml, want }) => {
    expect(codeOf(yaml)).toEqual(want);
  });

  test.each(named(table.filters ?? []))("$text filters by $shown", ({ yaml, text, want }) => {
    expect(filterAs(text, typeOf(yaml))).toEqual(want);
  });

  test.each(named(table.models))(
    "samples of $shown are accepted, and others refused",
    ({ yaml }) => {
      const type = typeOf(yaml);
      const { valid, invalid } = kindOf(type).samples(type);
      expect(valid.map((value) => mistakeOf(value, yaml))).toEqual(valid.map(() => null));
      if (isReadElsewhere === true) return;
      expect(valid.map((value) => readAs(value, type))).toEqual(valid);
      expect(invalid.map((value) => readAs(value, type))).toEqual(
        invalid.map(() => ({ issues: expect.any(Array) as unknown })),
      );
    },
  );

  test.each(named(table.models))("values that a seed makes of $shown are accepted", ({ yaml }) => {
    const type = typeOf(yaml);
    for (let index = 0; index < 50; index += 1) {
      const value = kindOf(type).seeded(type, seed(index), "word");
      if (value === null) continue;
      expect(mistakeOf(value, yaml)).toBeNull();
      if (isReadElsewhere !== true) expect(readAs(value as Value, type)).toEqual(value);
    }
  });
}

function seed(index: number): Seed {
  return { run: "0190b5a4-7c3e-7abc-8def-0123456789ab", index, anchors: () => [] };
}

/** Everything that is emitted for a property. */
export function codeOf(yaml: PropertyYaml): KindCode {
  const type = typeOf(yaml);
  const kind = kindOf(type);
  const [value, cell] = [ts`ticket.value`, ts`row.value`];
  const leaf = kind.leafType(type);
  const column = kind.columnType(type);
  return {
    type: withoutMarks(kind.tsType(type)),
    reader: printedOf(kind.reader(type)),
    filter: flatOrNull(kind.filter(type)),
    column: `${kind.selected("value", "value")}: ${column}${leaf === column ? "" : `, a leaf ${leaf}`}`,
    encode: printedOf(kind.encode(value, type, false)),
    "encode?": printedOf(kind.encode(value, type, true)),
    decode: printedOf(kind.decode(cell, type, false, ts`json.value`)),
    "decode?": printedOf(kind.decode(cell, type, true, ts`json.value`)),
    bind: flatOrNull(kind.bind(type)),
    write: printedOf(kind.write(value, type, true)),
  };
}

function flatOrNull(doc: Doc | null): string | null {
  return doc === null ? null : printedOf(doc);
}

/** Code as it stands in a file, without what it asks to import. */
function printedOf(doc: Doc): string {
  return withoutMarks(flat(doc));
}
