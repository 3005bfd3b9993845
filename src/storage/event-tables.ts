import type { StoredIndex, StoredTable, StoredValue } from "#runtime/store/storage-model";
import { integerColumn, TENANT, textColumn, timeColumn } from "./own-columns.js";

const [EVENTS, STREAMS, FAILURES] = ["entity_events", "event_streams", "event_failures"];

/** What names an event: the version and resource, the entity, and its revision after the change. */
const CHANGE: readonly StoredValue[] = [
  textColumn("topic"),
  textColumn("entity_id"),
  integerColumn("revision"),
];

/** Null for an event of an entity that all tenants share. */
const OF_TENANT: StoredValue = { ...textColumn(TENANT), nullable: true };

/**
 * EVT-1: events that are not delivered, who gets them, and those that were given up. Only services that announce changes have
 * them. `hasTenants`: events of entities of tenants are among them (AUT-4).
 */
export const eventTables = (hasTenants: boolean): readonly StoredTable[] => [
  table(EVENTS, {
    columns: [
      ...CHANGE,
      textColumn("kind"),
      timeColumn("event_time"),
      { ...textColumn("event_id"), nullable: true },
      { ...textColumn("data"), nullable: true },
      integerColumn("taken"),
      ...(hasTenants ? [OF_TENANT] : []),
    ],
    primaryKey: ["topic", "entity_id", "revision"],
    indexes: [index(EVENTS, "taken", ["taken", "topic", "entity_id", "revision"])],
  }),
  table(STREAMS, {
    columns: [
      ...CHANGE,
      textColumn("sink"),
      integerColumn("added"),
      integerColumn("attempts"),
      integerColumn("due"),
      { ...textColumn("lease"), nullable: true },
    ],
    primaryKey: ["topic", "entity_id", "sink"],
    indexes: [index(STREAMS, "due", ["sink", "due"]), index(STREAMS, "lease", ["lease"])],
  }),
  table(FAILURES, {
    columns: [
      textColumn("event_id"),
      textColumn("sink"),
      ...CHANGE,
      textColumn("kind"),
      timeColumn("event_time"),
      { ...textColumn("data"), nullable: true },
      textColumn("reason"),
      integerColumn("failed"),
      ...(hasTenants ? [OF_TENANT] : []),
    ],
    primaryKey: ["event_id", "sink"],
    indexes: [],
  }),
];

function table(
  name: string,
  parts: Pick<StoredTable, "columns" | "primaryKey" | "indexes">,
): StoredTable {
  return { name, holds: "events", ...parts, foreignKeys: [] };
}

function index(of: string, name: string, terms: readonly string[]): StoredIndex {
  const databases = ["sqlite", "postgres"] as const;
  return { name: `${of}_${name}`, unique: false, searches: "order", terms, databases };
}
