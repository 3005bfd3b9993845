import type { ResourceModel } from "../model/resource-model.js";
import { isObject, parseJson, type Json } from "../samples/json.js";
import { errorsOf, isInvalid, type Exchange } from "./exchange.js";

/** A value that the schema allows, and the service does not: custom code may have a rule, and a sample that keeps to it. */
export interface RefusedValue {
  /** The plural of its resource: `loans`. */
  readonly resource: string;
  /** The property, or the one that it stands in: `days`. */
  readonly property: string;
  /** What was sent of it; null where nothing was. */
  readonly sent: Json;
  /** What the service said of it: `exceeds what the tool allows`. */
  readonly message: string;
  /** What it refers to, as a plural; null where it is not a reference. */
  readonly target: string | null;
}

/** The values that were refused, each once, by resource and property. */
export class RefusedValues {
  private readonly known = new Map<string, RefusedValue>();

  /** Remembers what a refusal names; the schema allows all that was sent. */
  note({ request, answer }: Exchange, resource: ResourceModel): void {
    if (request.method === "GET" || !isInvalid(answer)) return;
    const sent = parseJson(request.body);
    const told = errorsOf(answer).flatMap(({ fields }) => (Array.isArray(fields) ? fields : []));
    for (const { field, message } of told.filter(isObject)) {
      const [name = ""] = String(field).split(/[.[]/);
      const property = resource.properties.find((one) => one.name === name);
      const key = `${resource.name.plural}.${name}`;
      const value = isObject(sent) ? sent[name] : undefined;
      const known = this.known.get(key);
      // A value that was sent shows the form of a sample.
      if (property === undefined || (known !== undefined && known.sent !== null)) continue;
      this.known.set(key, {
        resource: resource.name.plural,
        property: name,
        sent: value ?? null,
        message: String(message),
        target:
          property.type.kind === "reference" ? (property.type.target?.name.plural ?? null) : null,
      });
    }
  }

  /** What was noted since the last time. */
  take(): readonly RefusedValue[] {
    const values = [...this.known.values()];
    this.known.clear();
    return values;
  }
}

/** What test/samples.ts has to say of refused values, as TypeScript to be filled in; "" where there are none. */
export function sampleSkeleton(refused: readonly RefusedValue[]): string {
  const plurals = [...new Set(refused.map(({ resource }) => resource))];
  if (plurals.length === 0) return "";
  const entries = plurals.flatMap((plural) => {
    const values = refused.filter(({ resource }) => resource === plural);
    const names = [...new Set(values.map(({ property }) => property))];
    const firsts = names.flatMap((name) => {
      const own = values.filter(({ property }) => property === name);
      return own.find(({ sent }) => sent !== null) ?? own[0] ?? [];
    });
    const isMade = firsts.some(({ target }) => target !== null);
    return [
      isMade ? `  ${plural}: async (make) => ({` : `  ${plural}: {`,
      ...firsts.map(lineOf),
      isMade ? "  })," : "  },",
    ];
  });
  return ["export const samples: Samples = {", ...entries, "};"].join("\n");
}

function lineOf({ property, sent, message, target }: RefusedValue): string {
  const value = target === null ? JSON.stringify(sent) : `await make("${target}", {})`;
  // A message may hold anything, and ends no comment that ends with its line.
  const instead = target === null ? "write an accepted value; this was refused" : "refused";
  return `    ${property}: ${value}, // ${instead}: ${message.replaceAll(/\s+/g, " ")}`;
}
