import { quoted } from "../quoted.js";

/** Mistakes in what a schema says of earlier ones, and in the chain of migrations. */
export const MIGRATIONS = {
  "SCH-140": ({ former }: { former: string }) =>
    `${quoted(former)} cannot have become something else: it is still a property.`,
  "SCH-141": ({ name, parent }: { name: string; parent: string }) =>
    `The migration ${quoted(name)} was made on top of ${quoted(parent)}, which does not come before it.`,
  "SCH-142": ({ former, one, other }: { former: string; one: string; other: string }) =>
    `${quoted(former)} cannot have become both ${one} and ${other}.`,
  "SCH-143": ({ former, table }: { former: string; table: string }) =>
    `There is no ${quoted(former)} to rename: the migrations of ${table} know neither it nor the new name.`,
  "SCH-144": ({ path }: { path: string }) =>
    `The property ${quoted(path)} is gone, and nothing says what becomes of its values.`,
  "SCH-145": ({ path }: { path: string }) =>
    `${quoted(path)} is new and required, and nothing says what the rows that exist get for it.`,
  "SCH-146": ({ path, from, to }: { path: string; from: string; to: string }) =>
    `The stored values of ${quoted(path)} cannot be converted from ${from} to ${to}.`,
  "SCH-147": ({ file }: { file: string }) =>
    `${file} is missing, or is not what a migration has there.`,
  "SCH-148": ({ file }: { file: string }) =>
    `${file} was changed after it had been made: databases may have run what it was.`,
  "SCH-268": ({ path, former }: { path: string; former: string }) =>
    `${quoted(former)} cannot be called ${quoted(path)}: a property that was removed has that name, and its values are kept under it.`,
  "SCH-149": ({ one, other, place }: { one: string; other: string; place: string }) =>
    `The migrations ${quoted(one)} and ${quoted(other)} were made independently, and both change ${place}.`,
  "SCH-430": ({ name }: { name: string }) =>
    `The migration ${quoted(name)} is gone: generator.lock and committed revisions have it, so databases may have run it.`,
  "SCH-431": ({ name, other }: { name: string; other: string }) =>
    `What this is stored in has names of its own, of which ${quoted(name)} is that of ${other} already.`,
  "SCH-433": ({ path }: { path: string }) =>
    `The rows that exist have values of ${quoted(path)} by what the schemas said when an earlier migration was made: they would be read as something else.`,
  "SCH-360": ({ table, former }: { table: string; former: string }) =>
    `The table of ${quoted(table)} is new and empty, and ${quoted(former)}, which is gone, has the same properties: perhaps it has another name now.`,
} as const;
