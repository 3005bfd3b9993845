import type { Operation, ResourceModel } from "../../model/resource-model.js";
import { replacement } from "../bodies.js";
import { NOBODY, reachOf, subjectOf, type Caller } from "../caller.js";
import { MISSING, pathOf, type Check } from "../check.js";
import { headerOf, type Exchange } from "../exchange.js";
import type { JsonObject } from "../../samples/json.js";
import { makeAs } from "../make-as.js";
import { firstVariable } from "../samples.js";
import type { Trial } from "../trial.js";

/** AUT-1, AUT-3: who calls. */
export const AUTHENTICATION: readonly Check[] = [
  { rule: "AUT-1", run: credentials },
  { rule: "AUT-3", run: subjects },
];

/** How each operation is asked for. */
const METHODS: Readonly<Record<Operation, string>> = {
  create: "POST",
  list: "GET",
  read: "GET",
  replace: "PUT",
  update: "PATCH",
  delete: "DELETE",
};

/** AUT-1: without a token that is good, 401 comes before everything else. */
async function credentials(trial: Trial): Promise<void> {
  const { authentication } = trial.session.model;
  if (authentication.scheme === "none") {
    trial.absences.add("the service has no authentication");
    return;
  }
  await trial.each({ needs: [] }, async (resource) => {
    const caller = trial.session.callerFor(resource);
    for (const operation of resource.operations) {
      if (reachOf(resource, operation, NOBODY) !== "none") continue;
      const ask = asker(trial, resource, operation);
      isUnauthorized(trial, await ask(null));
      for (const token of badTokens(caller)) isUnauthorized(trial, await ask(`Bearer ${token}`));
      isUnauthorized(trial, await ask("Basic dmVyaWZ5OnZlcmlmeQ=="));
      isUnauthorized(trial, await ask("Bearer"));
    }
    if (trial.session.obstacle(resource, ["list"]) === null) {
      trial.status(await trial.get(resource.path), 200, " with a good token");
    }
  });
}

/** A request that would be refused for its headers and its body, too, were its sender known. */
function asker(
  trial: Trial,
  resource: ResourceModel,
  operation: Operation,
): (authorization: string | null) => Promise<Exchange> {
  const isCollection = operation === "create" || operation === "list";
  const hasBody = operation === "create" || operation === "replace" || operation === "update";
  const collection = operation === "create" ? trial.session.placeOf(resource) : resource.path;
  const place = isCollection ? collection : `${resource.path}/${MISSING}`;
  return async (authorization) => {
    const headers = {
      accept: "text/html",
      ...(hasBody && { "content-type": "text/plain" }),
      ...(authorization !== null && { authorization }),
    };
    const sent = { headers, ...(hasBody && { text: "{ malformed" }) };
    return trial.send(METHODS[operation], place, sent, NOBODY);
  };
}

function isUnauthorized(trial: Trial, exchange: Exchange): void {
  trial.refusal(exchange, 401, "UnauthorizedMessage");
  const challenge = headerOf(exchange.answer, "www-authenticate");
  trial.expect(exchange, /^Bearer\b/.test(challenge), "WWW-Authenticate: Bearer", challenge);
}

/** A good token with something wrong in it, for each thing that can be wrong without its key. */
function badTokens({ token, claims }: Caller): readonly string[] {
  const [header = "", payload = "", signature = ""] = (token ?? "").split(".");
  const encode = (value: object): string =>
    Buffer.from(JSON.stringify(value)).toString("base64url");
  const forged = encode({ ...claims, sub: "forged" });
  const middle = Math.floor(signature.length / 2);
  const flipped = signature.charAt(middle) === "A" ? "B" : "A";
  return [
    "no-token",
    "a.b.c",
    `${encode({ alg: "none" })}.${payload}.`,
    ...(token === null
      ? []
      : [
          `${header}.${forged}.${signature}`,
          `${header}.${payload}.${signature.slice(0, middle)}${flipped}${signature.slice(middle + 1)}`,
          `${header}.${payload}`,
        ]),
  ];
}

/** AUT-3: who calls is who creates and changes. */
async function subjects(trial: Trial): Promise<void> {
  const { authentication } = trial.session.model;
  const issuer = authentication.scheme === "bearer" ? authentication.issuer : "";
  await trial.each({ needs: ["create"] }, async (resource) => {
    const callers = trial.session.options.callers.filter(
      (caller) => caller.token !== null || authentication.scheme === "none",
    );
    for (const caller of callers) {
      if (!trial.session.mayMake(resource, caller)) continue;
      const made = await makeAs(trial, resource, caller);
      if (made === null) continue;
      const entity = trial.object(made, 201);
      if (entity === undefined) return;
      const subject = subjectOf(caller, issuer);
      for (const name of ["createdSubject", "lastModifiedSubject"]) {
        trial.value(made, entity[name], subject, name);
      }
      await others(trial, resource, { entity, callers, issuer });
    }
  });
}

/** A change by somebody else is theirs. */
async function others(
  trial: Trial,
  resource: ResourceModel,
  { entity, callers, issuer }: { entity: JsonObject; callers: readonly Caller[]; issuer: string },
): Promise<void> {
  const texts = resource.properties.filter(
    ({ immutable, readOnly, type }) => !immutable && !readOnly && type.kind === "string",
  );
  const property = firstVariable(trial, resource, texts);
  if (property === undefined || trial.session.obstacle(resource, ["update"]) !== null) return;
  const { name } = property;
  let stored = entity;
  for (const caller of callers) {
    const reaches = (["update", "read"] as const).map((one) => reachOf(resource, one, caller));
    if (reaches.some((reach) => reach !== "all")) continue;
    const { [name]: value = null } = replacement(resource, stored, trial.session.nextSeed());
    // ENT-4: the same value again changes nothing.
    if (value === stored[name]) continue;
    const body = { [name]: value };
    const patched = await trial.send("PATCH", pathOf(resource, stored), { body }, caller);
    const after = trial.object(patched, 200);
    stored = after ?? stored;
    const subject = subjectOf(caller, issuer);
    if (after !== undefined) {
      trial.value(patched, after["lastModifiedSubject"], subject, "lastModifiedSubject");
    }
  }
}
