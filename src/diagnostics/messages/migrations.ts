import { quoted } from "../quoted.js";

/** Mistakes in what a schema says of earlier ones, and in the chain of migrations. */
export const MIGRATIONS = {
  "SCH-140": ({ former }: { former: string }) =>
    `${quoted(former)} cannot have been renamed or removed: it is still a property.`,
  "SCH-141": ({ name, parent }: { name: string; parent: string }) =>
    `The migration ${quoted(name)} builds on ${quoted(parent)}, which does not come before it.`,
  "SCH-142": ({ former, one, other }: { former: string; one: string; other: string }) =>
    `${quoted(former)} cannot have become both ${one} and ${other}.`,
  "SCH-143": ({ former, table }: { former: string; table: string }) =>
    `There is no ${quoted(former)} to rename: the migrations of ${table} do not contain it or the new name.`,
  "SCH-144": ({ path }: { path: string }) =>
    `The property ${quoted(path)} is gone, and the schema does not say what happens to its values.`,
  "SCH-444": ({ table }: { table: string }) =>
    `The rows of ${table} belong to no tenant, and each needs one now.`,
  "SCH-145": ({ path }: { path: string }) =>
    `${quoted(path)} is new and required, and nothing says which value existing rows get.`,
  "SCH-146": ({ path, from, to }: { path: string; from: string; to: string }) =>
    `The stored values of ${quoted(path)} cannot be converted from ${from} to ${to}.`,
  "SCH-147": ({ file }: { file: string }) =>
    `${file} is missing, or is not a valid part of a migration.`,
  "SCH-148": ({ file }: { file: string }) =>
    `${file} was changed after it had been made: databases may already have run the earlier form.`,
  "SCH-268": ({ path, former }: { path: string; former: string }) =>
    `${quoted(former)} cannot be called ${quoted(path)}: a property that was removed has that name, and its values are kept under it.`,
  "SCH-149": ({ one, other, place }: { one: string; other: string; place: string }) =>
    `The migrations ${quoted(one)} and ${quoted(other)} were made independently, and both change ${place}.`,
  "SCH-430": ({ name }: { name: string }) =>
    `The migration ${quoted(name)} is gone: generator.lock and committed revisions have it, so databases may have run it.`,
  "SCH-431": ({ name, other }: { name: string; other: string }) =>
    `This needs a table or an index named ${quoted(name)}, which is already the name of ${other}.`,
  "SCH-433": ({ path }: { path: string }) =>
    `Existing rows store ${quoted(path)} as the schemas declared it for an earlier migration; they would now be read differently.`,
  "SCH-360": ({ table, former }: { table: string; former: string }) =>
    `The table of ${quoted(table)} is new and empty, and ${quoted(former)}, which is gone, has the same properties: perhaps it was renamed.`,
} as const;
