import type { StorageModel, StoredTable } from "#runtime/store/storage-model";
import { storedColumn } from "../kinds/stored-value.js";
import type { EntityModel } from "../model/entity-model.js";
import type { ServiceModel } from "../model/service-model.js";
import { ANSWERS_TABLE } from "./answers-table.js";
import { copyTables } from "./copy-tables.js";
import { eventTables } from "./event-tables.js";
import { indexesOf } from "./indexes.js";
import { COMMON_COLUMNS, identifierColumn, TENANT, textColumn } from "./own-columns.js";
import { foreignKeys, linkTables } from "./references.js";

/** How a service stores its entities: tables, columns with their encoding, keys and indexes, as data. */
export function storageModel({ entities, versions }: ServiceModel): StorageModel {
  const tables = entities.flatMap((entity) => [
    entityTable(entity),
    ...linkTables(entity),
    ...copyTables(entity),
  ]);
  const resources = versions.flatMap((version) => version.resources);
  // OPS-12: of each POST, actions among them.
  const keepsAnswers = resources.some(
    ({ operations, actions }) => operations.includes("create") || actions.length > 0,
  );
  const answers = keepsAnswers ? [ANSWERS_TABLE] : [];
  const announcing = entities.filter(({ announced }) => announced.length > 0);
  const hasTenants = announcing.some(({ tenant }) => tenant !== null);
  const events = announcing.length > 0 ? eventTables(hasTenants) : [];
  return { format: 1, tables: [...tables, ...answers, ...events] };
}

function entityTable(entity: EntityModel): StoredTable {
  const { table, idProperty } = entity.name;
  return {
    name: table,
    holds: "entities",
    columns: [
      identifierColumn(idProperty),
      ...entity.properties.map(storedColumn),
      ...COMMON_COLUMNS,
      ...(entity.tenant === null ? [] : [textColumn(TENANT)]),
    ],
    primaryKey: [idProperty],
    foreignKeys: foreignKeys(entity),
    indexes: indexesOf(entity),
  };
}
