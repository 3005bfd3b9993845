import type { Held } from "./hostile-cases.js";

const EDITED = "fixtures/edits";
const MIGRATIONS = "test/database/migrations.test.ts";

/** The cases that are tried elsewhere: they need several files, a database, or a project that was there before. */
export const HELD: Readonly<Record<string, Held>> = {
  // There is no keyword for texts of errors: whatever stands in a schema reaches code through the same encoders.
  "SCH-046": ["test/golden/text-places.ts", 'place: "title"'],
  "SCH-047": ["test/golden/text-places.ts", 'place: "title"'],
  "SCH-072": ["test/unit/validate/resources.test.ts", 'name: "sheep"'],
  // Files of a resource stand in folders of their own, in which nothing else is looked up.
  "SCH-075": ["test/unit/validate/resources.test.ts", 'name: "indices"'],
  "SCH-084": ["test/unit/validate/resources.test.ts", "(a + bc, ab + c)"],
  "SCH-086": ["docs/diagnostics/SCH-20.md", "error  SCH-20"],
  "SCH-088": ["test/unit/load/load.test.ts", "an alias bomb"],
  "SCH-089": ["test/unit/load/load.test.ts", "80,000 anchors"],
  "SCH-091": ["test/unit/load/load.test.ts", "5,000 brackets"],
  "SCH-093": ["test/unit/load/load.test.ts", "20,000 keys"],
  "SCH-114": ["test/unit/load/load.test.ts", "only regular files inside the project are read"],
  "SCH-115": ["test/unit/load/load.test.ts", "only regular files inside the project are read"],
  "SCH-123": ["docs/diagnostics/SCH-29.md", "error  SCH-29"],
  // The default is on record: a deletion is refused while something refers to what goes.
  "SCH-128": ["docs/schemas.md", "`onDelete` (`refuse`, or at the top level `setNull`)"],
  "SCH-131": ["docs/schemas.md", "arrayItems"],
  // Nulls have one place in both databases.
  "SCH-142": ["test/database/same-answers.test.ts", "sort"],
  "SCH-145": ["test/cli/changes.test.ts", "generator version v2 notes"],
  // Nothing is public unless `anyone` is written; what is embedded elsewhere is refused (SCH-40).
  "SCH-150": ["docs/diagnostics/SCH-40.md", "error  SCH-40"],
  "SCH-152": [`${EDITED}/gone-property.txtar`, "SCH-144"],
  "SCH-156": [`${EDITED}/other-type.txtar`, "SCH-146"],
  "SCH-157": [`${EDITED}/tighter-bounds.txtar`, "-- check:"],
  "SCH-158": [`${EDITED}/required-now.txtar`, "NOT VALID"],
  "SCH-159": [`${EDITED}/required-property.txtar`, "SCH-145"],
  "SCH-160": [`${EDITED}/unique-property.txtar`, "-- check:"],
  "SCH-161": [`${EDITED}/unique-property.txtar`, "CONCURRENTLY"],
  "SCH-164": [`${EDITED}/enum-value-added.txtar`, "change what"],
  "SCH-165": [`${EDITED}/required-now.txtar`, "-- check:"],
  "SCH-166": ["test/cli/migrations.test.ts", "that do not commute are named, with what to do"],
  "SCH-167": ["test/cli/migrations.test.ts", "a migration that was edited is a conflict"],
  "SCH-169": [MIGRATIONS, "processes that start at once migrate once"],
  "SCH-172": ["docs/migrations.md", "while it is migrated"],
  "SCH-174": [
    "test/database/migration-faults.test.ts",
    "nothing of a run of migrations stays unless all",
  ],
  "SCH-175": [
    "test/database/migration-faults.test.ts",
    "nothing of a run of migrations stays unless all",
  ],
};
