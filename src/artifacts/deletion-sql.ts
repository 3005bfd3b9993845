import { templateText, ts } from "../naming/code.js";
import { objectDoc, type Doc } from "../naming/doc.js";
import { literal, sqlName, sqlText, type TsCode } from "../naming/encoders.js";
import type { ResourceName } from "../naming/resource-name.js";
import type {
  AnnouncedModel,
  ChildModel,
  EntityModel,
  ReferrerModel,
} from "../model/entity-model.js";
import type { EventKind } from "../model/resource-model.js";
import { topicOf } from "./events-code.js";
import { clausesText, listEntry, objectCode } from "./layout.js";
import { TENANT } from "../storage/own-columns.js";
import { linkName } from "../storage/references.js";

/** A blocker, before it is encoded: the clauses bind the identifier of the entity that is to go. */
interface Blocker {
  readonly reason: string;
  /** What follows `SELECT 1`. */
  readonly clauses: readonly string[];
}

/** The members of a table that say what a deletion has to look at and to do (CHD-4). */
export function deletionEntries(entity: EntityModel): TsCode[] {
  const { name, referrers, children } = entity;
  const setNull = [
    ...lettingGo(referrers).map((referrer) => setNullCode(referrer, ownCondition(referrer, name))),
    ...children.flatMap((child) =>
      lettingGo(child.referrers).map((referrer) =>
        setNullCode(referrer, childCondition(referrer, child, name)),
      ),
    ),
  ];
  const cascades = [...detachments(entity).map(statementCode), ...children.map(cascadeCode)];
  return [
    ...listEntry(ts`blockers`, blockersOf(entity).map(blockerDoc), true),
    // What announces the changes of others (EVT-1).
    ...listEntry(ts`announcements`, announced(entity).map(statementCode)),
    ...listEntry(ts`setNull`, setNull, true),
    ...listEntry(ts`cascades`, cascades),
  ];
}

/** Says whether something can hold an entity that is to be deleted. */
export function canBeHeld(entity: EntityModel): boolean {
  return blockersOf(entity).length > 0;
}

function blockersOf(entity: EntityModel): Blocker[] {
  const { name, referrers, children } = entity;
  return [
    ...blocking(referrers).map((referrer) => ({
      reason: `${toldName(referrer)} refer to it`,
      clauses: referrerClauses(referrer, name),
    })),
    ...children.flatMap((child) => childBlockers(child, entity)),
  ];
}

function blockerDoc({ reason, clauses }: Blocker): Doc {
  const around = { indent: 6, before: "find: `", after: "`," };
  const find = clausesText(["SELECT 1", ...clauses, "LIMIT 1"], around);
  return objectDoc([ts`reason: ${literal(reason)}`, ts`find: ${statementCode(find)}`], true);
}

/** Who may not read them is not told what they are (AUT-2). */
function toldName({ name, isTold }: ReferrerModel): string {
  return isTold ? name.plural : "others";
}

function blocking(referrers: readonly ReferrerModel[]): ReferrerModel[] {
  return referrers.filter(({ onDelete }) => onDelete === "refuse");
}

function lettingGo(referrers: readonly ReferrerModel[]): ReferrerModel[] {
  return referrers.filter(({ onDelete }) => onDelete === "setNull");
}

/**
 * Announces what is deleted with an entity, and what lets go of it: what does both is deleted. Binds a time and the
 * identifier.
 */
function announced({ name, referrers, children }: EntityModel): string[] {
  const letting = (all: readonly ReferrerModel[], condition: (one: ReferrerModel) => string) =>
    lettingGo(all).flatMap((one) => eventInsertions(one, "updated", condition(one)));
  return [
    ...children.flatMap((child) => eventInsertions(child, "deleted", belongs(child))),
    ...letting(referrers, (one) => ownCondition(one, name)),
    ...children.flatMap((child) =>
      letting(child.referrers, (one) => childCondition(one, child, name)),
    ),
  ];
}

/** `INSERT INTO entity_events … SELECT 'v1/shipments', "shipmentId", … FROM "shipments" WHERE "order" = ?` */
function eventInsertions(
  { name, announced: versions }: Pick<ChildModel, "name" | "announced">,
  kind: EventKind,
  condition: string,
): string[] {
  const id = sqlName(name.idProperty);
  return versions
    .filter(({ kinds }) => kinds.includes(kind))
    .map((version) =>
      clausesText(
        [
          `INSERT INTO entity_events (topic, entity_id, revision, kind, event_time, taken${tenantOf(version)})`,
          `SELECT ${sqlText(topicOf(version))}, ${id}, row_revision + 1, ${sqlText(kind)}, ?, 0${tenantOf(version)}`,
          `FROM ${sqlName(name.table)}`,
          `WHERE ${condition}`,
          "ON CONFLICT DO NOTHING",
        ],
        { indent: 4, before: "`", after: "`," },
      ),
    );
}

/** AUT-4 */
function tenantOf({ hasTenant }: AnnouncedModel): string {
  return hasTenant ? `, ${TENANT}` : "";
}

function setNullCode({ name, property }: ReferrerModel, condition: string): TsCode {
  return statementCode(`UPDATE ${sqlName(name.table)} SET ${sqlName(property)} = NULL,
        last_modified_date = ?,
        last_modified_subject_id = ?,
        last_modified_user_principal_name = ?,
        row_revision = row_revision + 1
      WHERE ${condition}`);
}

/** `FROM "tickets" WHERE "requester" = ?`; an entity that refers to itself alone can go. */
function referrerClauses(referrer: ReferrerModel, one: ResourceName): string[] {
  const { name, property, isLinked } = referrer;
  if (!isLinked) return [`FROM ${sqlName(name.table)}`, `WHERE ${ownCondition(referrer, one)}`];
  const self = name.table === one.table ? " AND owner_id <> other_id" : "";
  return [`FROM ${sqlName(linkName(name.table, property))}`, `WHERE other_id = ?${self}`];
}

function ownCondition({ name, property }: ReferrerModel, one: ResourceName): string {
  const column = sqlName(property);
  const self = name.table === one.table ? ` AND ${sqlName(name.idProperty)} <> ${column}` : "";
  return `${column} = ?${self}`;
}

/** Whoever refers to a child; the parent itself goes with it, and its revision is looked at then. */
function childCondition(
  { name, property }: ReferrerModel,
  child: ChildModel,
  parent: ResourceName,
): string {
  const self =
    name.table === parent.table
      ? ` AND ${topOf(child, sqlName(child.name.table))} <> ${sqlName(name.table)}.${sqlName(name.idProperty)}`
      : "";
  return `${sqlName(property)} IN (${idsOf(child)}${self})`;
}

/** The condition of what belongs to the entity whose identifier is bound, whatever lies between. */
function belongs({ property, through }: BelongingSql, qualifier = ""): string {
  const column = qualifier + sqlName(property);
  const [above, ...rest] = through;
  if (above === undefined) return `${column} = ?`;
  const { name } = above;
  const among = belongs({ property: above.property, through: rest });
  return `${column} IN (SELECT ${sqlName(name.idProperty)} FROM ${sqlName(name.table)} WHERE ${among})`;
}

/** The identifier of what an entity in a table goes with. */
function topOf({ property, through }: BelongingSql, table: string): string {
  let found = `${table}.${sqlName(property)}`;
  for (const above of through) {
    const { table: between, idProperty } = above.name;
    found = `(SELECT ${sqlName(above.property)} FROM ${sqlName(between)} WHERE ${sqlName(idProperty)} = ${found})`;
  }
  return found;
}

type BelongingSql = Pick<ChildModel, "property" | "through">;

/** STA-3: a child that its state keeps; and what refers to a child, unless that goes with the same parent. */
function childBlockers(child: ChildModel, { name: parent, children }: EntityModel): Blocker[] {
  const { name, states, isTold } = child;
  const isBound = states !== null && states.deletableIn.length < states.transitions.length;
  const kept = isTold
    ? `some of its ${name.plural} are in a state that forbids deletion`
    : "one of its children is in a state that forbids deletion";
  const its = isTold ? `its ${name.plural}` : "its children";
  return [
    ...(isBound
      ? [{ reason: kept, clauses: [...underParent(child), `AND NOT (${deletable(child)})`] }]
      : []),
    ...blocking(child.referrers).map((referrer) => ({
      reason: `${toldName(referrer)} refer to ${its}`,
      clauses: childReferrer(referrer, child, holderOf(referrer, parent, children)),
    })),
  ];
}

/** What a referrer goes with, if that is what is deleted; null: it stays. */
function holderOf(
  { name }: ReferrerModel,
  deleted: ResourceName,
  children: readonly ChildModel[],
): string | null {
  if (name.table === deleted.table) return `referrer.${sqlName(name.idProperty)}`;
  const own = children.find((child) => child.name.table === name.table);
  return own === undefined ? null : topOf(own, "referrer");
}

/** `FROM "parcels" AS referrer JOIN "shipments" AS child ON … WHERE child."order" = ?` */
function childReferrer(
  { name, property, isLinked }: ReferrerModel,
  child: ChildModel,
  holder: string | null,
): string[] {
  const id = sqlName(child.name.idProperty);
  const referring = sqlName(name.table);
  const links = sqlName(linkName(name.table, property));
  const owner = `referrer.${sqlName(name.idProperty)} = link.owner_id`;
  const from = isLinked
    ? [`FROM ${links} AS link`, `JOIN ${referring} AS referrer ON ${owner}`]
    : [`FROM ${referring} AS referrer`];
  const on = isLinked ? "link.other_id" : `referrer.${sqlName(property)}`;
  const together = holder === null ? "" : ` AND ${holder} <> ${topOf(child, "child")}`;
  const join = `JOIN ${sqlName(child.name.table)} AS child ON child.${id} = ${on}`;
  return [...from, join, `WHERE ${belongs(child, "child.")}${together}`];
}

/**
 * What those that go together let go of first: one that goes later refers to one that goes before it. A list does so
 * at once, since a database may look at the others in it before its own end has taken it away.
 */
function detachments({ name, referrers, children }: EntityModel): string[] {
  const own = referrers.filter(({ name: { table }, isLinked }) => isLinked && table === name.table);
  const itself = `${sqlName(name.idProperty)} = ?`;
  return [
    ...own.map((referrer) => detachment(referrer, itself)),
    ...children.flatMap((child, place) =>
      child.referrers.flatMap((referrer) => {
        if (referrer.name.table === name.table) return [detachment(referrer, itself)];
        const later = children.findIndex((each) => each.name.table === referrer.name.table);
        const other = children[later];
        const isLater = later > place || (later === place && referrer.isLinked);
        return isLater && other !== undefined ? [detachment(referrer, belongs(other))] : [];
      }),
    ),
  ];
}

/** `UPDATE "wagons" SET "seal" = NULL WHERE "convoy" = ?`; the condition binds the identifier. */
function detachment({ name, property, isLinked }: ReferrerModel, condition: string): string {
  const table = sqlName(name.table);
  if (!isLinked) return `UPDATE ${table} SET ${sqlName(property)} = NULL WHERE ${condition}`;
  const id = sqlName(name.idProperty);
  const owners =
    condition === `${id} = ?` ? "= ?" : `IN (SELECT ${id} FROM ${table} WHERE ${condition})`;
  return `DELETE FROM ${sqlName(linkName(name.table, property))} WHERE owner_id ${owners}`;
}

/** Those that may not go stay, so that the database refuses to leave them without a parent. */
function cascade(child: ChildModel): string {
  const { states } = child;
  const isBound = states !== null && states.deletableIn.length < states.transitions.length;
  return ["DELETE", ...underParent(child), ...(isBound ? [`AND ${deletable(child)}`] : [])].join(
    " ",
  );
}

function statementCode(statement: string): TsCode {
  return ts`\`${templateText(statement)}\``;
}

/** One statement; or several, of which the caller's right to the children chooses (AUT-2). */
function cascadeCode(child: ChildModel): TsCode {
  if (!child.isGuarded) return statementCode(cascade(child));
  const entries = [
    ts`children: ${literal(child.name.plural)}`,
    ...(child.through.length === 0 ? [] : [ts`above: ${literal(aboveOf(child))}`]),
    ts`find: ${lookupCode("find", underParent(child))}`,
    ts`findOthers: ${lookupCode("findOthers", [...underParent(child), "AND created_subject_id <> ?"])}`,
    ts`delete: ${statementCode(cascade(child))}`,
    ts`deleteOwn: ${statementCode(`${cascade(child)} AND created_subject_id = ?`)}`,
  ];
  return objectCode(entries, { indent: 4, expanded: true });
}

/** How the grants of a child call what is deleted: `parent:parent:`. */
function aboveOf({ through }: ChildModel): string {
  return "parent:".repeat(through.length + 1);
}

function lookupCode(name: string, clauses: readonly string[]): TsCode {
  const around = { indent: 6, before: `${name}: \``, after: "`," };
  return statementCode(clausesText(["SELECT 1", ...clauses, "LIMIT 1"], around));
}

function underParent(child: ChildModel): string[] {
  return [`FROM ${sqlName(child.name.table)}`, `WHERE ${belongs(child)}`];
}

function idsOf(child: ChildModel): string {
  return `SELECT ${sqlName(child.name.idProperty)} ${underParent(child).join(" ")}`;
}

function deletable({ states }: ChildModel): string {
  const allowed = (states?.deletableIn ?? []).map((state) => sqlText(state)).join(", ");
  const column = sqlName(states?.property ?? "");
  return allowed === "" ? "1 = 0" : `${column} IN (${allowed})`;
}
