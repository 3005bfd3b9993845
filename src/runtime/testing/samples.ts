import { stateFor, valuesFor } from "./given-samples.js";
import type { ActionFacts, ResourceFacts } from "./resource-facts.js";
import type { Samples } from "./test-app.js";

/** Facts with the samples of test/samples.ts, also of what entities need. */
export function withSamples(facts: ResourceFacts, samples: Samples): ResourceFacts {
  const { parent, needs, valid, actions, listedUnder, original } = facts;
  return {
    ...facts,
    valid: { ...valid, ...valuesFor(facts, samples) },
    needs: needs.map((need) => ({ ...need, facts: referredTo(need.facts, samples) })),
    parent: parent && { ...parent, facts: referredTo(parent.facts, samples) },
    ...(listedUnder !== undefined && { listedUnder: listedUnder.map((one) => late(one, samples)) }),
    ...(actions !== undefined && { actions: actions.map((one) => actionWith(one, samples)) }),
    ...(original !== undefined && { original: withSamples(original, samples) }),
  };
}

/** Those of what others refer to, or belong to: in the state that is given for it. */
function referredTo(generated: ResourceFacts, samples: Samples): ResourceFacts {
  const facts = withSamples(generated, samples);
  const state = stateFor(facts, samples);
  if (state === null || facts.states === undefined) return facts;
  return { ...facts, ledTo: state, deletable: facts.states.deletableIn.includes(state) };
}

/** Asked late: both may refer to each other. */
function late<Other extends { readonly facts: () => ResourceFacts }>(
  other: Other,
  samples: Samples,
): Other {
  return { ...other, facts: () => referredTo(other.facts(), samples) };
}

function actionWith({ needs = [], ...action }: ActionFacts, samples: Samples): ActionFacts {
  return { ...action, needs: needs.map((need) => late(need, samples)) };
}
