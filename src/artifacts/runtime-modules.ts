import { DOOR } from "../naming/packages.js";
import type { Exports } from "./imports.js";

const TYPES =
  "AccessRules ActionRules ActionsOf AnnouncedVersion App AppDefinition Caller CloudEvent CollectionAction CollectionAlias CollectionQuery CommonFields Condition Context ConvertedPair CountedPageOf EntityAction EntityHooks EntityReader EntityService EntityStore EntityTable EntityUse HttpCall HttpReply HttpRoute InputOf JsonObject Later LinkedRows OlderShape OpenEntities OwnRoute PageOf PartOf PathFilters ReferenceTo ReplacementOf ResolvedReferences ScopeFunction ServiceRegistry ServicesOf ServiceSettings SqlRow StoresOf Variables VersionConversion Versioned Wanted WithActions";
const CLASSES = "ActingRepository BodyInput EntityRepository EventRelay StateMachine";
const VALUES = "OPEN bitOf quote";
const FUNCTIONS =
  "actionAnswer aliasQuery bitOrNull boolean booleanFilter booleanOf booleanOrNull children childrenFor childrenQuery collection collectionAction collectionFor contains convertedBodies convertedPage convertedPair created creatorOf decimal decimalFilter decimalOf decimalOrNull entity entityAction entityBodies entityFor entityNames entityOf enumFilter externalReference filtersOf guardChildren guardedBy inPath insteadOf integer integerFilter items jsonCommonFields jsonItems jsonOf jsonOrNull jsonPage jsonTextOrNull keepingWritten lastModifierOf list localReference lookUp noContent nullable number numberFilter numberOf numberOrNull object ok oneOf openEntities orNull parent parseListQuery quoteOrNull range readAnswer reference referenceItem referringAnswer referringInput referringObject renamedBy requirePair required resolveUnder rowConverter scaledInteger scaledOrNull scopeOf shape shownAs shownInstead storedOf text textFilter textOf textOrNull tiedParent timestamp timestampFilter uniqueItems unlessLacking uuid uuidFilter withDefault withItself";

function named(names: string, form: (name: string) => string): string[] {
  return names.split(" ").map(form);
}

/** What any emitted file may use of the runtime. */
export const RUNTIME_EXPORTS: readonly Exports[] = [
  {
    from: DOOR,
    names: [
      ...named(TYPES, (name) => `type ${name}`),
      ...named(CLASSES, (name) => `class ${name}`),
      ...named(VALUES, (name) => name),
      ...named(FUNCTIONS, (name) => `${name}()`),
    ],
  },
];
