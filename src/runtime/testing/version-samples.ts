import { valuesFor } from "./given-samples.js";
import { withSamples } from "./samples.js";
import type { Samples } from "./test-app.js";
import type { VersionSide } from "./version-facts.js";

/** The side of one version with its samples: what they give is sent in every body, beside other values. */
export function withSamplesOfSide(side: VersionSide, samples: Samples): VersionSide {
  const given = Object.entries(valuesFor(side.facts, samples)).filter(([name]) =>
    Object.hasOwn(side.samples, name),
  );
  const always = given.map(([name, value]) => [name, [value]] as const);
  return {
    ...side,
    facts: withSamples(side.facts, samples),
    samples: { ...side.samples, ...Object.fromEntries(always) },
  };
}
