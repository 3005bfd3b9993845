import type { ResourceModel } from "../../model/resource-model.js";
import { isEqual, type JsonObject } from "../../samples/json.js";
import { fullBody, leastBody } from "../bodies.js";
import { NOBODY, subjectOf, type Caller } from "../caller.js";
import { pathOf, type Check } from "../check.js";
import { headerOf, type Exchange } from "../exchange.js";
import type { Trial } from "../trial.js";

/** OPS-12: a POST with an `Idempotency-Key` is carried out once, also when it is sent twice at the same time. */
export const IDEMPOTENCY: readonly Check[] = [{ rule: "OPS-12", run: idempotency }];

const PENDING = "IdempotencyKeyPendingMessage";
const REUSED = "IdempotencyKeyReusedMessage";

/** A request that can be sent again. */
interface Keyed {
  readonly resource: ResourceModel;
  readonly key: string;
  readonly body: JsonObject;
}

async function idempotency(trial: Trial): Promise<void> {
  // One key for the first request to each path: no path knows the keys of another one.
  const key = newKey(trial);
  await trial.each({ needs: ["create"] }, async (resource) => {
    const keyed = { resource, key, body: fullBody(resource, trial.session.nextSeed()) };
    const first = await send(trial, keyed);
    const entity = trial.object(first, 201);
    if (entity === undefined) return;
    same(trial, await send(trial, keyed), first);
    const body = fullBody(resource, trial.session.nextSeed());
    // There may be but one body that a client can send.
    if (!isEqual(body, keyed.body)) {
      trial.refusal(await send(trial, { ...keyed, body }), 409, REUSED);
    }
    await strangers(trial, keyed, entity);
    // The entity goes, or its state keeps it; the answer stays either way.
    await trial.send("DELETE", pathOf(resource, entity));
    same(trial, await send(trial, keyed), first);
    await refusals(trial, resource);
    await atOnce(trial, resource);
  });
}

/** So many requests with one key are sent side by side. */
const AT_ONCE = 4;

/** While the first request is at work, the others wait for its answer, or are told to come again; never that the key is used up. */
async function atOnce(trial: Trial, resource: ResourceModel): Promise<void> {
  const body = fullBody(resource, trial.session.nextSeed());
  const keyed = { resource, key: newKey(trial), body };
  const sent = Array.from({ length: AT_ONCE }, async () => send(trial, keyed));
  const exchanges = await Promise.all(sent);
  const first = exchanges.find(({ answer }) => answer.status === 201);
  for (const exchange of exchanges) {
    if (first !== undefined && exchange.answer.status === 201) same(trial, exchange, first);
    else if (trial.refusal(exchange, 409, PENDING)) {
      const seconds = headerOf(exchange.answer, "retry-after");
      trial.expect(exchange, /^\d+$/.test(seconds), "Retry-After", seconds);
    }
  }
}

function newKey(trial: Trial): string {
  const { run, index } = trial.session.nextSeed();
  return `${run}.${index}`;
}

async function send(trial: Trial, { resource, key, body }: Keyed, as?: Caller): Promise<Exchange> {
  return trial.post(resource, { body, headers: { "idempotency-key": key } }, as);
}

/** The first answer again, to the letter. */
function same(trial: Trial, again: Exchange, first: Exchange): void {
  const told = ({ answer }: Exchange): string =>
    [answer.status, headerOf(answer, "location"), answer.text].join(" ");
  trial.expect(again, told(again) === told(first), `the first answer again: ${told(first)}`);
}

/** What was made for one caller is not the answer to another one. */
async function strangers(trial: Trial, keyed: Keyed, entity: JsonObject): Promise<void> {
  const { model, options } = trial.session;
  if (model.authentication.scheme === "none") return;
  const { issuer } = model.authentication;
  const idOf = (caller: Caller): string => subjectOf(caller, issuer).subjectId;
  const own = trial.session.callerFor(keyed.resource);
  const { idProperty } = keyed.resource.name;
  for (const caller of [NOBODY, ...options.callers]) {
    if (idOf(caller) === idOf(own) || !trial.session.mayMake(keyed.resource, caller)) continue;
    const theirs = await send(trial, keyed, caller);
    const isOther = !theirs.answer.text.includes(String(entity[idProperty]));
    trial.expect(theirs, isOther, "not what was made for another caller");
  }
}

/** A request that is refused leaves its key free; what is not a key is refused. */
async function refusals(trial: Trial, resource: ResourceModel): Promise<void> {
  const key = newKey(trial);
  const body = leastBody(resource, trial.session.nextSeed());
  const wrong = { ...body, noSuchProperty: 1 };
  trial.fields(await send(trial, { resource, key, body: wrong }), "noSuchProperty");
  trial.object(await send(trial, { resource, key, body }), 201);
  for (const bad of ["", "a b", "k".repeat(256)]) {
    const refused = await send(trial, { resource, key: bad, body });
    trial.refusal(refused, 400, "MalformedRequestMessage");
  }
}
