/** The imports of generated code, version 1. A change must keep services running that were generated earlier. */

export { type AccessRules, OPEN } from "../auth/access.js";
export type { Caller } from "../auth/authentication.js";
export { type ScopeFunction, scopeOf } from "../auth/access.js";
export type { CommonFields } from "../base/common-fields.js";
export { ActingRepository } from "../entity/actions.js";
export type { ActionsOf, WithActions } from "../entity/actions.js";
export { actionAnswer, readAnswer } from "../entity/actions.js";
export type {
  CountedPageOf,
  InputOf,
  PageOf,
  PartOf,
  ReferenceTo,
  ReplacementOf,
} from "../entity/entity-service.js";
export { guardChildren } from "../entity/children.js";
export { inPath, parent } from "../entity/children.js";
export type { Context } from "../entity/hooks.js";
export { type VersionConversion, storedOf } from "../entity/conversion.js";
export {
  type ConvertedPair,
  type StoredPair,
  decimalToUnits,
  decimalToUnitsOrNull,
  renamedValue,
  renamedValueOrNull,
  storedPair,
  unfilled,
  unitsToDecimal,
  unitsToDecimalOrNull,
} from "../entity/conversion.js";
export type { CollectionAction, EntityAction } from "../entity/actions.js";
export {
  type EntityUse,
  type OpenEntities,
  type ServicesOf,
  type StoresOf,
  entityOf,
  openEntities,
} from "../entity/entity-list.js";
export type { EntityService } from "../entity/entity-service.js";
export { externalReference } from "../entity/references.js";
export type { EntityHooks, Later } from "../entity/hooks.js";
export { insteadOf } from "../entity/conversion.js";
export { items } from "../entity/conversion.js";
export { localReference } from "../entity/references.js";
export { orNull } from "../entity/conversion.js";
export { type ResolvedReferences, reference, referenceItem } from "../entity/references.js";
export { referringAnswer, referringInput } from "../entity/actions.js";
export { referringObject } from "../entity/references.js";
export { renamedBy } from "../entity/references.js";
export { EntityRepository } from "../entity/repository.js";
export { guardedBy } from "../entity/references.js";
export { routesOf } from "../entity/resource-routes.js";
export { rowConverter } from "../store/migrations/row-conversion.js";
export type { FilterCondition, SearchCondition } from "../entity/entity-service.js";
export { shownInstead } from "../entity/conversion.js";
export { shownAs } from "../entity/conversion.js";
export { StateMachine } from "../entity/states.js";
export { tiedParent } from "../entity/children.js";
export { uniqueItems } from "../entity/conversion.js";
export type { CloudEvent } from "../events/event-sinks.js";
export { EventRelay } from "../events/event-relay.js";
export { type ActionRules, collectionAction, entityAction } from "../http/routes.js";
export { type HttpCall, type HttpReply, type HttpRoute, noContent, ok } from "../http/routes.js";
export { jsonCommonFields, jsonItems, quote, quoteOrNull } from "../http/response.js";
export type { ServiceRegistry, ServiceSettings } from "../http/settings.js";
export { object } from "../input/bodies.js";
export { boolean } from "../input/reader.js";
export { decimal } from "../input/numbers.js";
export { convertedBodies, entityBodies } from "../input/bodies.js";
export { oneOf } from "../input/reader.js";
export { integer } from "../input/numbers.js";
export type { JsonObject } from "../input/json.js";
export { list } from "../input/lists.js";
export { number } from "../input/numbers.js";
export { nullable, required, withDefault } from "../input/reader.js";
export {
  addedLater,
  dependent,
  gone,
  hidden,
  immutable,
  immutableObject,
  kept,
  named,
  nullableObject,
  property,
  bodyOf,
  serviceWritten,
  serviceWrittenObject,
  readerOfEntity,
  readerOfObject,
  requiredImmutableObject,
  requiredObject,
} from "../input/objects.js";
export { keepingWritten } from "../input/lists.js";
export { shape } from "../input/reader.js";
export { text } from "../input/text.js";
export { timestamp } from "../input/reader.js";
export { uuid } from "../input/reader.js";
export type { CollectionAlias } from "../query/conditions.js";
export { contains } from "../query/filters.js";
export { booleanFilter } from "../query/filters.js";
export { type Condition, filtersOf } from "../query/conditions.js";
export { decimalFilter } from "../query/filters.js";
export { enumFilter } from "../query/filters.js";
export { integerFilter } from "../query/filters.js";
export { numberFilter } from "../query/filters.js";
export { collectionQuery } from "../query/query.js";
export { range, search } from "../query/filters.js";
export { textFilter } from "../query/filters.js";
export { timestampFilter } from "../query/filters.js";
export { uuidFilter } from "../query/filters.js";
export type { PathFilters } from "../query/where.js";
export type { App, AppDefinition } from "../service/app.js";
export type { OwnRoute } from "../service/custom-routes.js";
export type { Variables } from "../service/variables.js";
export type { SqlRow } from "../store/database.js";
export { decimalOf, decimalOrNull, scaledInteger, scaledOrNull } from "../store/rows.js";
export type { AnnouncedVersion } from "../store/entity-events.js";
export type { EntityStore } from "../store/entity-store.js";
export { tableOf } from "../store/entity-table.js";
export type { LinkedRows } from "../store/rows.js";
export {
  bitOf,
  bitOrNull,
  booleanOf,
  booleanOrNull,
  creatorOf,
  jsonOf,
  jsonOrNull,
  jsonTextOrNull,
  lastModifierOf,
  numberOf,
  numberOrNull,
  textOf,
  textOrNull,
  unlessLacking,
} from "../store/rows.js";
export { withItself } from "../store/write-sql.js";
export { noInput } from "../input/bodies.js";
