import { pluralsOf, type Plurals } from "../naming/plurals.js";
import type { Neighbours } from "./neighbours.js";
import { isMapping, mapping, own, type Mapping } from "./plain.js";
import type { CheckedResource } from "./read-resource.js";
import type { TenantYaml } from "./resource-document.js";

/** What the rules of a resource file need to know about the other files. */
export interface Scope extends ServiceScope {
  /** Those of its version, itself included. */
  readonly neighbours: Neighbours;
  /** Those whose files cannot be read, so that nobody is told that they are not there. */
  readonly unread: ReadonlySet<string>;
  /** Those that represent others (REP-7), each with the plural of the other. */
  readonly representations: ReadonlyMap<string, string>;
  /** Whether a pattern is known to match so many characters in no time. */
  isQuick(pattern: string, length: number): boolean;
}

/** The resources of one version that keep objects of their own, beside each other. */
export interface Beside {
  /** With the reference to their parent, which need not be declared. */
  readonly stored: readonly CheckedResource[];
  readonly scope: Scope;
}

/** All resources of one version. */
export interface Together extends Beside {
  /** Those that are stored, as their files say. */
  readonly own: readonly CheckedResource[];
  /** Representations (REP-7). */
  readonly shown: readonly CheckedResource[];
}

/** What the rules need to know about service.yaml. */
export interface ServiceScope {
  readonly plurals: Plurals;
  /** LIM-1: characters of a string and items of an array that do not say otherwise. */
  readonly stringCharacters: number;
  readonly arrayItems: number;
  /** AUT-1: whether callers are identified. */
  readonly authentication: "bearer" | "none";
  /** AUT-4: of every resource that does not say otherwise. */
  readonly tenant: TenantYaml | undefined;
  /** QRY-9: pages say what follows, unless a resource says otherwise. */
  readonly pagesSayNext: boolean;
  /** The severity of a naming rule; null if it was turned off. */
  severity(rule: "NAM-1" | "NAM-3"): "error" | "warning" | null;
}

/** Takes them from service.yaml after its faulty parts were removed. */
export function serviceScope(service: Mapping): ServiceScope {
  const inflections = Object.entries(mapping(service["inflections"]));
  const limits = service["limits"];
  return {
    plurals: pluralsOf(
      Object.fromEntries(inflections.map(([one, many]) => [one, String(many)] as const)),
    ),
    stringCharacters: Number(own(limits, "stringCharacters") ?? 10_000),
    arrayItems: Number(own(limits, "arrayItems") ?? 1000),
    authentication: own(service["authentication"], "scheme") === "bearer" ? "bearer" : "none",
    tenant: isMapping(service["tenant"]) ? (service["tenant"] as unknown as TenantYaml) : undefined,
    pagesSayNext: own(service["paging"], "next") === true,
    severity: (rule) => {
      const level = own(own(service["rules"], rule), "level");
      if (level === "off") return null;
      return level === "warning" ? "warning" : "error";
    },
  };
}
