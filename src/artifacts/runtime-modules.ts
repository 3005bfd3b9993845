import { allKinds } from "../kinds/kinds.js";
import { RUNTIME } from "../naming/packages.js";
import type { Exports } from "./imports.js";

/** What the modules of the runtime export for emitted code, apart from what the kinds of values name. */
const EXPORTS: Readonly<Record<string, string>> = {
  "auth/access": "OPEN type:AccessRules",
  "auth/caller": "type:Caller",
  "auth/scope": "scopeOf() type:ScopeFunction",
  "base/common-fields": "type:CommonFields",
  "entity/acting-repository": "class:ActingRepository",
  "entity/acting-service": "actingEntity() class:ActingService type:ActionsOf type:WithActions",
  "entity/action-answer": "actionAnswer() readAnswer()",
  "entity/body-types":
    "type:CountedPageOf type:InputOf type:PageOf type:PartOf type:ReferenceTo type:ReplacementOf",
  "entity/child-rights": "guardChildren()",
  "entity/children": "childrenQuery() resolveUnder()",
  "entity/context": "makeContext()",
  "entity/conversion": "storedOf() type:VersionConversion",
  "entity/converted-page": "convertedPage()",
  "entity/converted-pair": "convertedPair() requirePair() type:ConvertedPair",
  "entity/entity-actions": "type:CollectionAction type:EntityAction",
  "entity/entity-parts": "type:EntityReader",
  "entity/entity-service": "class:EntityService",
  "entity/external-reference": "externalReference()",
  "entity/hooks": "type:EntityHooks type:Later",
  "entity/instead-of": "insteadOf()",
  "entity/item-conversion": "items()",
  "entity/local-reference": "localReference()",
  "entity/older-shape": "type:OlderShape",
  "entity/open-entity": "openEntity()",
  "entity/or-null": "orNull()",
  "entity/references": "lookUp() type:ResolvedReferences",
  "entity/referring-action": "referringAnswer() referringInput()",
  "entity/renamed-references": "renamedBy()",
  "entity/repository": "class:EntityRepository",
  "entity/restricted-references": "guardedBy()",
  "entity/row-conversion": "rowConverter()",
  "entity/served-entity": "servedEntity()",
  "entity/service-query": "type:Wanted",
  "entity/shown-instead": "shownInstead()",
  "entity/shown-states": "shownAs()",
  "entity/tied-parent": "tiedParent()",
  "entity/unique-items": "uniqueItems()",
  "events/cloud-event": "type:CloudEvent",
  "events/event-relay": "class:EventRelay",
  "http/action": "collectionAction() entityAction() type:ActionRules",
  "http/entity-tag": "type:Versioned",
  "http/http":
    "children() childrenFor() collection() collectionFor() created() entity() entityFor() noContent() ok() type:HttpCall type:HttpReply type:HttpRoute",
  "http/json-writer": "jsonCommonFields() jsonItems() jsonPage() jsonText() quote quoteOrNull()",
  "http/request-context": "type:RequestContext",
  "http/settings": "type:Kernel type:ServiceRegistry",
  "input/body-input": "class:BodyInput entityNames() object()",
  "input/entity-bodies": "convertedBodies() entityBodies()",
  "input/json": "type:JsonObject",
  "input/reader": "nullable() required() withDefault()",
  "input/same-items": "keepingWritten()",
  "input/shape-reader": "shape()",
  "query/aliases": "aliasQuery() type:CollectionAlias",
  "query/conditions": "filtersOf() type:Condition",
  "query/query": "parseListQuery() type:CollectionQuery",
  "query/range-filter": "range()",
  "query/where": "type:PathFilters",
  "store/database": "type:SqlRow",
  "store/decimal-rows": "decimalOf() decimalOrNull() scaledInteger() scaledOrNull()",
  "store/entity-events": "type:AnnouncedVersion",
  "store/entity-store": "class:EntityStore type:StoreKernel",
  "store/entity-table": "type:EntityTable",
  "store/linked-rows": "type:LinkedRows",
  "store/rows":
    "bitOf bitOrNull() booleanOf() booleanOrNull() creatorOf() jsonOf() jsonOrNull() jsonTextOrNull() lastModifierOf() numberOf() numberOrNull() textOf() textOrNull() unlessLacking()",
  "store/with-itself": "withItself()",
};

/** What any emitted file may use of the runtime. */
export const RUNTIME_EXPORTS: readonly Exports[] = [
  ...Object.entries(EXPORTS).map(([module, names]) => ({
    from: runtime(module),
    names: names.split(" ").map((name) => name.replace(":", " ")),
  })),
  ...allKinds().flatMap(([, { modules }]) =>
    Object.entries(modules).map(([name, module]) => ({
      from: runtime(module),
      names: [`${name}()`],
    })),
  ),
];

/** What emitted code imports a module of the runtime by: `@rulebound/runtime/internal/base/errors.js`. */
export function runtime(module: string): string {
  return `${RUNTIME}/internal/${module}.js`;
}
