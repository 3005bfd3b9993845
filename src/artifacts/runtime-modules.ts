import { DOOR } from "../naming/packages.js";
import type { Exports } from "./imports.js";

const TYPES =
  "AccessRules ActionRules ActionsOf AnnouncedVersion App AppDefinition Caller CloudEvent CollectionAction CollectionAlias CollectionQuery CommonFields Condition Context ConvertedPair CountedPageOf EntityAction EntityHooks EntityReader EntityTable HttpCall HttpReply HttpRoute InputOf JsonObject Kernel Later LinkedRows OlderShape OwnRoute PageOf PartOf PathFilters ReferenceTo ReplacementOf RequestContext ResolvedReferences ScopeFunction ServiceRegistry ServiceSettings SqlRow StoreKernel Variables VersionConversion Versioned Wanted WithActions";
const CLASSES =
  "ActingRepository ActingService BodyInput EntityRepository EntityService EntityStore EventRelay StateMachine";
const VALUES = "OPEN bitOf quote";
const FUNCTIONS =
  "actingEntity actionAnswer aliasQuery bitOrNull boolean booleanFilter booleanOf booleanOrNull children childrenFor childrenQuery collection collectionAction collectionFor contains convertedBodies convertedPage convertedPair created creatorOf decimal decimalFilter decimalOf decimalOrNull entity entityAction entityBodies entityFor entityNames enumFilter externalReference filtersOf guardChildren guardedBy inPath insteadOf integer integerFilter items jsonCommonFields jsonItems jsonOf jsonOrNull jsonPage jsonTextOrNull keepingWritten lastModifierOf list localReference lookUp makeContext noContent nullable number numberFilter numberOf numberOrNull object ok oneOf openEntity orNull parent parseListQuery quoteOrNull range readAnswer reference referenceItem referringAnswer referringInput referringObject renamedBy requirePair required resolveUnder rowConverter scaledInteger scaledOrNull scopeOf servedEntity shape shownAs shownInstead storedOf text textFilter textOf textOrNull tiedParent timestamp timestampFilter uniqueItems unlessLacking uuid uuidFilter withDefault withItself";

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
