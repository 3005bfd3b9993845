import type { Answer, Client } from "./client.js";
import type { ResourceFacts, StatesFacts } from "./resource-facts.js";
import { wayTo, type StateStep } from "./state-ways.js";

/** Leads an entity to the state that test/samples.ts names for what others refer to. Throws where a step is refused. */
export async function lead(client: Client, facts: ResourceFacts, made: Answer): Promise<void> {
  const { path, states, ledTo } = facts;
  if (states === undefined || ledTo === undefined) return;
  const way = wayTo(facts, ledTo);
  if (way === null) {
    throw new Error(
      `test/samples.ts: no update and no action leads ${path} from ${states.initial} to ${ledTo}.`,
    );
  }
  for (const step of way) {
    const { method, rest, body } = await requestOf(client, states, step);
    const answer = await client.send(method, client.pathOf(made) + rest, JSON.stringify(body));
    if (answer.status < 300) continue;
    throw new Error(
      `test/samples.ts: ${method} ${path}/...${rest} did not lead to ${step.state}. ${answer.status}: ${answer.text}`,
    );
  }
}

async function requestOf(client: Client, { property }: StatesFacts, { state, by }: StateStep) {
  if (by === undefined) return { method: "PATCH", rest: "", body: { [property]: state } };
  return { method: "POST", rest: `/${by.name}`, body: (await client.actionBody(by)) ?? {} };
}
