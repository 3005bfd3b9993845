import { checkAccess, type AccessScope } from "./check-access.js";
import { checkEqualities } from "./check-equalities.js";
import { checkActionProperty, checkActions } from "./check-actions.js";
import { checkAliases } from "./check-aliases.js";
import { checkAmbiguous } from "./check-ambiguous.js";
import { checkAnswers } from "./check-answers.js";
import { checkAuthentication } from "./check-authentication.js";
import { checkContradictions } from "./check-contradictions.js";
import { checkFirst } from "./check-converted.js";
import { checkCycles } from "./check-cycles.js";
import { checkDisclosure } from "./check-disclosure.js";
import { checkEnum } from "./check-enum.js";
import { checkFlatForm, type Around } from "./check-flat-forms.js";
import { checkHistory } from "./check-history.js";
import { checkIndexes } from "./check-indexes.js";
import { checkKeywords } from "./check-keywords.js";
import { checkStep, checkWhole, type Pair, type Versions } from "./check-lineage.js";
import { checkParents } from "./check-parent.js";
import { checkPattern, type PatternGrowths } from "./check-pattern.js";
import { checkPropertyName, type NameScope } from "./check-property-name.js";
import { checkReference } from "./check-references.js";
import { checkRemovedResources } from "./check-removed.js";
import * as representation from "./check-representation.js";
import { checkResourceName } from "./check-resource-name.js";
import { checkCount, checkDescription, checkSiblings } from "./check-resource.js";
import { checkSameActions } from "./check-same-actions.js";
import { checkSameColumn } from "./check-same-column.js";
import * as service from "./check-service.js";
import { checkStates } from "./check-states.js";
import { checkStatuses } from "./check-status.js";
import { checkClaims, checkSameTenant, checkTenants } from "./check-tenants.js";
import { checkTree } from "./check-tree.js";
import { checkOnDelete, checkShownStates, checkUniqueness } from "./check-served-step.js";
import { checkBounds, checkValues } from "./check-values.js";
import { checkFolders, checkFormerNames, type Project } from "./check-versions.js";
import { checkSearch } from "./check-where.js";
import type { Findings } from "./findings.js";
import type { ObjectStep } from "./object-step.js";
import type { Mapping } from "./plain.js";
import type { PropertyPlace } from "./property-place.js";
import type { CheckedResource } from "./read-resource.js";
import type { Beside, Scope, Together } from "./scope.js";

/** What the checks of each scope are given. */
interface Scopes {
  service: [value: Mapping, findings: Findings];
  resource: [value: Mapping, findings: Findings, scope: Scope & AccessScope];
  stored: [resource: CheckedResource, scope: Scope];
  aliases: [resource: CheckedResource, scope: Scope];
  representation: [resource: CheckedResource, beside: Beside];
  shown: [shown: representation.ShownResource];
  property: [property: PropertyPlace, findings: Findings, scope: PropertyScope];
  ofEntity: [property: PropertyPlace, findings: Findings, scope: NameScope];
  ofAction: [property: PropertyPlace, findings: Findings, scope: Scope];
  beside: [property: PropertyPlace, findings: Findings, around: Around];
  together: [together: Together];
  step: [pair: Pair, step: ObjectStep];
  servedStep: [pair: Pair, step: ObjectStep];
  versions: [versions: Versions];
  project: [project: Project];
}

/** What a property is checked with. */
interface PropertyScope extends NameScope {
  readonly growths: PatternGrowths;
}

/** One check of the schemas. */
export interface Check<S extends keyof Scopes = keyof Scopes> {
  /** What it is about. */
  readonly name: string;
  /** Every code that it reports, with a blank between two. */
  readonly codes: string;
  readonly run: (...given: Scopes[S]) => void;
}

/** The rules of schemas that a JSON Schema cannot express, by what each is given. */
export const CHECKS: { readonly [S in keyof Scopes]: readonly Check<S>[] } = {
  service: [
    { name: "the base path", codes: "SCH-121 SCH-192", run: service.checkBasePath },
    { name: "origins", codes: "SCH-222", run: service.checkOrigins },
    { name: "the time zone", codes: "SCH-438", run: service.checkTimeZone },
    { name: "the sizes of pages", codes: "SCH-106", run: service.checkPaging },
    {
      name: "authentication",
      codes: "AUT-1 SCH-72 SCH-73 SCH-74 SCH-75 SCH-76 SCH-77 SCH-78",
      run: checkAuthentication,
    },
    {
      name: "the status of versions",
      codes: "SCH-150 SCH-151 SCH-152 SCH-153 SCH-156",
      run: checkStatuses,
    },
    { name: "texts", codes: "SCH-35", run: service.checkTexts },
    { name: "the names of versions", codes: "VER-1", run: service.checkVersionNames },
  ],
  resource: [
    {
      name: "the names of the resource",
      codes: "IDN-2 NAM-1 NAM-5 SCH-6 SCH-12 SCH-120 SCH-122 SCH-190",
      run: checkResourceName,
    },
    { name: "the sizes of pages", codes: "SCH-106", run: service.checkPaging },
    { name: "the description", codes: "SCH-32 SCH-35", run: checkDescription },
    { name: "access", codes: "AUT-2 SCH-79 SCH-80 SCH-81 SCH-82 SCH-230", run: checkAccess },
  ],
  stored: [
    { name: "names that differ only in case", codes: "SCH-129", run: checkSiblings },
    { name: "the number of properties", codes: "SCH-6", run: checkCount },
    { name: "former names", codes: "SCH-140 SCH-142", run: checkHistory },
    { name: "states", codes: "STA-1 SCH-66 SCH-67 SCH-68 SCH-69 SCH-70 SCH-71", run: checkStates },
    {
      name: "indexes and unique lists",
      codes: "SCH-30 SCH-211 SCH-212 SCH-218 SCH-219 SCH-220 SCH-221",
      run: checkIndexes,
    },
    {
      name: "actions",
      codes:
        "AUT-2 NAM-5 STA-1 SCH-79 SCH-80 SCH-82 SCH-231 SCH-232 SCH-233 SCH-234 SCH-235 SCH-236",
      run: checkActions,
    },
    { name: "`where`", codes: "SCH-61", run: representation.checkNoWhere },
  ],
  representation: [
    { name: "keys of representations", codes: "SCH-56", run: representation.checkKeys },
    { name: "what is represented", codes: "SCH-37 SCH-55", run: representation.checkOriginal },
  ],
  shown: [
    { name: "the type of a representation", codes: "SCH-122", run: representation.checkTypeName },
    { name: "what a representation shows", codes: "SCH-57 SCH-58", run: representation.checkShown },
    {
      name: "`where` of a representation",
      codes:
        "SCH-83 SCH-86 SCH-87 SCH-88 SCH-89 SCH-90 SCH-91 SCH-92 SCH-214 SCH-215 SCH-216 SCH-217 SCH-436 SCH-437",
      run: representation.checkShownWhere,
    },
    {
      name: "creation by a representation",
      codes: "SCH-59 SCH-60",
      run: representation.checkCreate,
    },
  ],
  property: [
    { name: "keywords", codes: "SCH-9 SCH-14 SCH-31 SCH-110", run: checkKeywords },
    { name: "values of an enum", codes: "NAM-4 SCH-6 SCH-30", run: checkEnum },
    { name: "bounds", codes: "SCH-8 SCH-13 SCH-100 SCH-104 SCH-105 SCH-361", run: checkBounds },
    {
      name: "defaults and examples",
      codes:
        "SCH-9 SCH-15 SCH-32 SCH-93 SCH-94 SCH-95 SCH-96 SCH-97 SCH-98 SCH-99 SCH-101 SCH-102 SCH-103 SCH-130 SCH-131",
      run: checkValues,
    },
    {
      name: "keywords that contradict each other",
      codes: "SCH-33 SCH-107 SCH-108 SCH-109 SCH-210 SCH-435",
      run: checkContradictions,
    },
    { name: "words that need quotes", codes: "SCH-35", run: checkAmbiguous },
    {
      name: "references",
      codes:
        "IDN-2 NAM-2 SCH-36 SCH-42 SCH-43 SCH-44 SCH-45 SCH-46 SCH-47 SCH-48 SCH-49 SCH-51 SCH-52 SCH-53 SCH-247 SCH-248 SCH-249 SCH-250",
      run: checkReference,
    },
    { name: "patterns", codes: "SCH-16 SCH-17 SCH-18 SCH-111 SCH-112", run: checkPattern },
  ],
  aliases: [
    {
      name: "aliases",
      codes:
        "ALI-1 SCH-83 SCH-84 SCH-85 SCH-86 SCH-87 SCH-88 SCH-89 SCH-90 SCH-91 SCH-92 SCH-213 SCH-214 SCH-215 SCH-216 SCH-217 SCH-436 SCH-437",
      run: checkAliases,
    },
    { name: "`search`", codes: "SCH-83 SCH-119 SCH-435", run: checkSearch },
  ],
  ofEntity: [
    {
      name: "the names of properties",
      codes: "ENT-3 NAM-2 NAM-3 SCH-6 SCH-12 SCH-117 SCH-118 SCH-119 SCH-129 SCH-190 SCH-193",
      run: checkPropertyName,
    },
  ],
  ofAction: [
    {
      name: "properties of actions",
      codes: "NAM-2 NAM-3 SCH-12 SCH-190 SCH-237 SCH-320",
      run: checkActionProperty,
    },
  ],
  beside: [
    {
      name: "references in a flat form",
      codes: "REP-4 SCH-190 SCH-246 SCH-404 SCH-405",
      run: checkFlatForm,
    },
  ],
  together: [
    {
      name: "parents",
      codes: "CHD-3 SCH-38 SCH-62 SCH-63 SCH-64 SCH-65 SCH-231 SCH-251",
      run: checkParents,
    },
    { name: "names within a version", codes: "SCH-19 SCH-20 SCH-21 SCH-122", run: checkTree },
    { name: "cycles of references", codes: "SCH-54", run: checkCycles },
    { name: "tenants", codes: "SCH-441 SCH-442 SCH-445", run: checkTenants },
    { name: "owners and claims", codes: "SCH-446", run: checkEqualities },
    { name: "what is embedded", codes: "SCH-39 SCH-40", run: checkDisclosure },
    { name: "what actions answer", codes: "SCH-321", run: checkAnswers },
  ],
  step: [
    {
      name: "what became of each property",
      codes:
        "SCH-170 SCH-171 SCH-172 SCH-173 SCH-174 SCH-175 SCH-176 SCH-177 SCH-181 SCH-182 SCH-183 SCH-310 SCH-432 SCH-439",
      run: checkStep,
    },
  ],
  servedStep: [
    { name: "what is unique in two versions", codes: "SCH-270 SCH-271", run: checkUniqueness },
    { name: "the tenant in two versions", codes: "SCH-443", run: checkSameTenant },
    { name: "`onDelete` in two versions", codes: "SCH-274", run: checkOnDelete },
    { name: "states that an older version shows", codes: "SCH-340", run: checkShownStates },
  ],
  versions: [
    { name: "conversions in a first version", codes: "SCH-183", run: checkFirst },
    { name: "actions of several versions", codes: "SCH-322", run: checkSameActions },
    { name: "several versions together", codes: "SCH-178 SCH-186", run: checkWhole },
    { name: "columns of several versions", codes: "SCH-290", run: checkSameColumn },
  ],
  project: [
    { name: "the claim of the tenant", codes: "SCH-440", run: checkClaims },
    { name: "the folders of versions", codes: "SCH-191", run: checkFolders },
    { name: "former names of resources", codes: "SCH-272 SCH-273", run: checkFormerNames },
    { name: "resources that are gone", codes: "SCH-275 SCH-276", run: checkRemovedResources },
  ],
};

/** Runs all checks of a scope; what they find is in the findings of each file. */
export function runChecks<S extends keyof Scopes>(scope: S, ...given: Scopes[S]): void {
  for (const { run } of CHECKS[scope]) run(...given);
}

/** The checks that report a code: none where a JSON Schema does, or another step than the validation. */
export function checksOf(code: string): readonly { name: string; codes: readonly string[] }[] {
  return Object.values(CHECKS)
    .flat()
    .map(({ name, codes }) => ({ name, codes: codes.split(" ") }))
    .filter(({ codes }) => codes.includes(code));
}
