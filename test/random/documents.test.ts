import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { Client, type Answer, type JsonObject } from "../contract/support/client.js";
import { disagreements } from "../contract/support/disagreements.js";
import {
  requestOf,
  requestsOf,
  SeenIdentifiers,
  type DocumentRequest,
  type RequestPlan,
} from "../contract/support/document-requests.js";
import { OpenApiOracle } from "../contract/support/openapi-oracle.js";
import { cases } from "../support/thorough.js";
import { projectOf, serviceOf, told, Trials, type RunningService } from "./trial-of-service.js";

/** `DOCUMENTS=200 npm run vitest -- test/random/documents.test.ts` tries more services. */
const SERVICES = Number(process.env["DOCUMENTS"] ?? cases({ usual: 1, long: 3 }));
const FIRST_SEED = Number(process.env["SEED"] ?? 33);
/** Requests of each operation. */
const EACH = 25;
/** After so many of the others comes what is deleted. */
const DELETED_EVERY = 4;

test("services of random schemas answer what their documents allow as their documents say", async () => {
  const trials = new Trials(null);
  onTestFinished(() => trials.stop());
  let done = 0;
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SERVICES; seed += 1) {
    const service = serviceOf(seed);
    const project = await projectOf(service);
    if (Array.isArray(project)) throw new Error(project.join("\n"));
    const running = await trials.start(project, service, String(seed));
    const documents = project.outputs.filter(({ path }) => /^openapi\/v\d+\.json$/.test(path));
    for (const { text } of documents) {
      const { problems, succeeded } = await untrue(
        JSON.parse(text ?? "") as JsonObject,
        running,
        seed,
      );
      expect(problems, `seed ${seed}\n${told(service)}`).toEqual([]);
      done += succeeded;
    }
  }
  expect(done).toBeGreaterThan(SERVICES * EACH);
});

/** What a document does not say of the answers to requests that it allows, and how many were carried out. */
async function untrue(
  document: JsonObject,
  { url, tokens }: RunningService,
  seed: number,
): Promise<{ readonly problems: readonly string[]; readonly succeeded: number }> {
  const oracle = new OpenApiOracle(document);
  // Each answer is judged below, together with its request.
  const client = new Client(Number(new URL(url).port), { problems: () => [] });
  const seen = new SeenIdentifiers();
  const problems: string[] = [];
  let succeeded = 0;
  for (const plan of plans(oracle, seed)) {
    const request = requestOf(plan, seen);
    // Mostly the one who has every role.
    const token = tokens[plan.turn % 3 === 0 ? plan.turn % tokens.length : 0];
    const bearer = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const { method } = request.operation;
    const { body } = request;
    const answer = await client.send(method, request.path, {
      headers: { ...request.headers, ...bearer },
      ...(body !== undefined && { body }),
    });
    const wrong = problemsOf(oracle, request, answer);
    problems.push(
      ...wrong.map((one) => `${method} ${request.path} ${JSON.stringify(body)}: ${one}`),
    );
    if (answer.status >= 300 || answer.text === "") continue;
    succeeded += 1;
    seen.note(answer.json);
  }
  return { problems, succeeded };
}

/** The requests to a service, those that delete last of each round. */
function plans(oracle: OpenApiOracle, seed: number): readonly RequestPlan[] {
  const all = oracle.operations.map((operation) =>
    fc.sample(requestsOf(oracle, operation), { numRuns: EACH, seed }),
  );
  return Array.from({ length: EACH }, (_, round) =>
    all.flatMap(({ [round]: plan }) => {
      const isLeft = plan?.operation.method === "DELETE" && round % DELETED_EVERY > 0;
      return plan === undefined || isLeft ? [] : [plan];
    }),
  ).flat();
}

function problemsOf(
  oracle: OpenApiOracle,
  { operation, body }: DocumentRequest,
  answer: Answer,
): readonly string[] {
  const untold = oracle.answerProblems(operation, answer);
  if (untold.length > 0) return untold;
  // Others say nothing of the request itself.
  const isJudged = answer.status < 300 || answer.status === 400;
  return isJudged ? disagreements(oracle, operation, { body, answer }) : [];
}
