import { expect, test } from "vitest";
import { CHANGE_KINDS, type ChangeKind } from "../../../src/contract/change-kinds.js";
import { publish } from "../../../src/commands/publish.js";
import { validate } from "../../../src/commands/validate.js";
import { CHANGE_FIXTURES, fixtureProject, fixtureText } from "../../support/change-fixtures.js";
import { codesOf, MemoryProject, told } from "../../support/memory-project.js";

const KINDS: Readonly<Record<string, ChangeKind>> = CHANGE_KINDS;

/** What a next version cannot say in place of this one: of all versions, or of the values that they share. */
const BETWEEN_VERSIONS = /^SCH-(?:(17|18|27)\d|443)$/;

test("whoever is broken by an edit is told what to do when moving", () => {
  const breaking = Object.values(KINDS).filter(
    ({ readers, writers }) => readers !== undefined || writers !== undefined,
  );
  expect(breaking.filter(({ moving }) => moving === undefined)).toEqual([]);
  const others = Object.values(KINDS).filter((kind) => !breaking.includes(kind));
  expect(others.filter(({ moving }) => moving !== undefined)).toEqual([]);
});

const EDITS_OF_A_RESOURCE = CHANGE_FIXTURES.filter((kind) => {
  const isBreaking = KINDS[kind]?.moving !== undefined;
  const sides = [fixtureText(kind, "before.yaml"), fixtureText(kind, "after.yaml")];
  return isBreaking && !sides.includes(null);
});

/** The edit of a fixture in a second version, beside a published first one that stays as it was. */
function inNextVersion(kind: string): MemoryProject {
  const before = fixtureProject(kind, "before");
  const texts: Record<string, string> = { ...before };
  for (const path of Object.keys(before).filter((one) => one.startsWith("resources/"))) {
    const plural = path.slice("resources/v1/".length, -".yaml".length);
    texts[path.replace("v1", "v2")] = `resource: ${plural}\nsameAs: v1\n`;
  }
  const edited = fixtureText(kind, "after.yaml") ?? "";
  const plural = /^resource: (\w+)$/m.exec(edited)?.[1] ?? "";
  texts[`resources/v2/${plural}.yaml`] = edited;
  const service = before["service.yaml"] ?? "";
  texts["service.yaml"] = service.replace("v1: draft", "v1: draft, v2: draft");
  return new MemoryProject(texts);
}

test.each(EDITS_OF_A_RESOURCE)(
  "the advice for %s says whether the next version can have it as it is",
  async (kind) => {
    const refused = codesOf(await validate(inNextVersion(kind).env)).filter((code) =>
      BETWEEN_VERSIONS.test(code),
    );
    const { isOfAll = false, advice = "" } = KINDS[kind] ?? {};
    // Of what refuses a deletion, the promise of the older version says more than its schemas.
    if (kind === "deletion-held") expect(await refusedByPromise(kind)).toContain("VER-3");
    else if (isOfAll) expect(refused).not.toEqual([]);
    // What is gone, or was renamed, the next version has to say.
    else if (refused.length > 0)
      expect(advice).toMatch(/another name|`converted`|`renamedFrom|`inOlder/);
    else expect(advice).toMatch(/next version|alias|representation|Otherwise/);
  },
);

/** The codes of `generate`, where the first version was published before the second one has the edit. */
async function refusedByPromise(kind: string): Promise<readonly string[]> {
  const project = new MemoryProject(fixtureProject(kind, "before"));
  await project.generate();
  await publish(project.env, "v1");
  for (const [path, text] of Object.entries(inNextVersion(kind).tree()))
    project.write(path.replace("/project/", ""), text.replace("v1: draft", "v1: published"));
  return codesOf(await project.generate());
}

test("what no version can have alone is refused without the way to a next one", async () => {
  const made = inNextVersion("unique-list-added");
  expect(told(await validate(made.env))).toContain("SCH-270");
});
