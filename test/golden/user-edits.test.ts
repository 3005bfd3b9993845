import fc from "fast-check";
import { expect, test } from "vitest";
import type { Outcome } from "../../src/commands/outcome.js";
import type { Result } from "../../src/diagnostics/result.js";
import { MemoryProject } from "../support/memory-project.js";
import { editTexts, userEdits, type UserEdit } from "../support/random-edits.js";
import { SMALL } from "../support/small-schemas.js";
import { edits as schemaEdits, textsOf, type Schemas } from "../support/schema-walk.js";

/** How many pairs of an edit by hand and a change of the schemas are tried: `npm run laws` tries 10,000. */
const PAIRS = Number(process.env["USER_EDITS"] ?? 80);
/** In one project, one after the other. */
const STEPS = 20;
const SEED = Number(process.env["LAWS_SEED"] ?? 20_261_122);
const ROOT = "/project/";

const step = fc.record({
  user: userEdits,
  schema: schemaEdits,
  isForced: fc.integer({ min: 0, max: 4 }).map((number) => number === 0),
  isMended: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** What became of the pairs. */
const seen = { pairs: 0, accepted: 0, refused: 0, saved: 0 };

test(
  `no byte that a person wrote is lost by ${PAIRS} pairs of an edit and a change of the schemas`,
  { timeout: 3_600_000 },
  async () => {
    const walks = fc.array(step, { minLength: STEPS, maxLength: STEPS });
    const law = fc.asyncProperty(walks, async (steps) => {
      const walk = await Walk.begin();
      for (const one of steps) await walk.go(one);
    });
    await fc.assert(law, { numRuns: Math.ceil(PAIRS / STEPS), seed: SEED, endOnFailure: true });
    expect(seen.pairs).toBeGreaterThanOrEqual(PAIRS);
    // It would prove little if most of them were refused, or none.
    expect(seen.accepted).toBeGreaterThan(PAIRS / 10);
    expect(seen.refused).toBeGreaterThan(PAIRS / 10);
    if (PAIRS > 1000) process.stdout.write(`${JSON.stringify(seen)}\n`);
  },
);

/** The paths of files that differ, or that only one of two trees has. */
function differing(one: Record<string, string>, other: Record<string, string>): string[] {
  const paths = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...paths].filter((path) => one[path] !== other[path]);
}

/** How a project was before an edit. */
interface Before {
  readonly texts: Record<string, string>;
  readonly written: Map<string, string>;
}

/** One project in which people and the generator take turns. */
class Walk {
  /** The texts that a person wrote last, by path. */
  private written = new Map<string, string>();
  private accepted: Schemas = SMALL;
  private marks = 0;

  private constructor(private readonly project: MemoryProject) {}

  static async begin(): Promise<Walk> {
    const project = new MemoryProject({
      ...textsOf(SMALL),
      "src/main.ts": "// made by init\n",
      "package.json": "{}\n",
    });
    const made = await project.generate();
    expect(made.ok).toBe(true);
    return new Walk(project);
  }

  /** An edit, a change of the schemas, a run; then everything that was written by hand is looked for. */
  async go({ user, schema, isForced, isMended }: Step): Promise<void> {
    seen.pairs += 1;
    const before = { texts: this.texts(), written: new Map(this.written) };
    this.edit(before.texts, user);
    const schemas = schema.edit(this.accepted, schema.turn);
    this.writeSchemas(schemas);
    const placed = this.texts();
    const result = await this.project.generate({ force: isForced });
    if (result.ok) this.afterSuccess(result, placed, schemas);
    else this.afterRefusal(placed, isMended ? before : null);
  }

  private edit(texts: Record<string, string>, edit: UserEdit): void {
    this.marks += 1;
    for (const [path, text] of editTexts(texts, edit, `mine ${this.marks}`)) {
      if (text === null) {
        this.project.remove(path);
        this.written.delete(path);
      } else {
        this.project.write(path, text);
        this.written.set(path, text);
      }
    }
  }

  private writeSchemas(schemas: Schemas): void {
    const wanted = textsOf(schemas);
    for (const path of Object.keys(this.texts())) {
      if (path.startsWith("resources/") && !(path in wanted)) this.project.remove(path);
    }
    for (const [path, text] of Object.entries(wanted)) this.project.write(path, text);
  }

  /** Each text stands where it was written, or beside it where a run was told to replace it. */
  private afterSuccess(
    result: Extract<Result<Outcome>, { ok: true }>,
    before: Record<string, string>,
    schemas: Schemas,
  ): void {
    seen.accepted += 1;
    this.accepted = schemas;
    const after = this.texts();
    const saved = new Map(
      result.value.changes.flatMap((change) =>
        change.kind === "updated" && change.savedAs !== null
          ? [[change.path, change.savedAs] as const]
          : [],
      ),
    );
    seen.saved += saved.size;
    for (const [path, text] of [...this.written]) {
      const place = saved.get(path) ?? path;
      expect(after[place], `${path}, which a person has written`).toBe(text);
      this.written.delete(path);
      this.written.set(place, text);
    }
    for (const { kind, path } of result.value.changes) {
      if (kind === "unchanged" || kind === "kept") expect(after[path], path).toBe(before[path]);
    }
  }

  /** Nothing has happened; sometimes the person takes the edit back. */
  private afterRefusal(placed: Record<string, string>, before: Before | null): void {
    seen.refused += 1;
    expect(differing(this.texts(), placed)).toEqual([]);
    this.writeSchemas(this.accepted);
    if (before === null) return;
    for (const path of Object.keys(placed)) if (!(path in before.texts)) this.project.remove(path);
    for (const [path, text] of Object.entries(before.texts)) this.project.write(path, text);
    this.written = before.written;
  }

  private texts(): Record<string, string> {
    return Object.fromEntries(
      Object.entries(this.project.tree()).map(([path, text]) => [path.slice(ROOT.length), text]),
    );
  }
}
