import { gunzipSync } from "node:zlib";
import { MOST_ANSWER_BYTES } from "../answer-bounds.js";
import type { ResourceModel } from "../../model/resource-model.js";
import { servedVersions } from "../../model/version-status.js";
import { fullBody } from "../bodies.js";
import { MISSING, pathOf, query, type Check } from "../check.js";
import { headerOf, type Exchange } from "../exchange.js";
import type { Trial } from "../trial.js";

/** REP-5, REP-6, REP-8: how bodies are written, compressed and announced. */
export const BODIES: readonly Check[] = [
  { rule: "REP-5", run: layout },
  { rule: "REP-6", run: compression },
  { rule: "REP-8", run: mediaTypes },
];

/** REP-5: two spaces, or none where the schema says so. */
async function layout(trial: Trial): Promise<void> {
  const { model } = trial.session;
  const check = (exchange: Exchange): void => {
    const { json, text } = exchange.answer;
    const wanted = json === undefined ? "" : JSON.stringify(json, null, model.pretty ? 2 : 0);
    const form = model.pretty ? "JSON with two spaces" : "JSON without white space";
    trial.expect(exchange, wanted === text.trimEnd() && text !== "", form, text.slice(0, 200));
  };
  check(await trial.get(`${model.basePath}/no-version`));
  check(await trial.session.raw("GET / HTTP/1.1\r\nConnection: close\r\n\r\n"));
  await trial.each({ needs: [] }, async (resource) => {
    if (trial.session.obstacle(resource, ["create"]) === null) {
      await trial.make(resource);
      check(trial.latest);
      check(await trial.post(resource, { body: { unknownName: 1 } }));
    }
    if (trial.session.obstacle(resource, ["list"]) === null) check(await trial.get(resource.path));
    check(await trial.get(`${resource.path}/${MISSING}`));
  });
}

/** REP-6: gzip where it is accepted and worth it, and told to caches. */
async function compression(trial: Trial): Promise<void> {
  const { model } = trial.session;
  for (const { name } of servedVersions(model)) {
    await compressed(trial, `${model.basePath}/${name}/openapi.json`);
  }
  await trial.each({ needs: ["create", "list"] }, async (resource) => {
    for (let turn = 0; turn < 5; turn += 1) await trial.make(resource);
    const { answer } = await trial.get(resource.path);
    if (answer.bytes.length > 1400) await compressed(trial, resource.path);
    const small = await trial.get(`${resource.path}${query(["pageNumber", 99_999])}`, GZIP);
    trial.value(small, headerOf(small.answer, "content-encoding"), "", "encoding of a small body");
  });
}

const GZIP = { "accept-encoding": "gzip" };

async function compressed(trial: Trial, path: string): Promise<void> {
  const plain = await trial.get(path);
  trial.value(plain, headerOf(plain.answer, "content-encoding"), "", "encoding nobody asked for");
  const isTold = /\baccept-encoding\b/i.test(headerOf(plain.answer, "vary"));
  trial.expect(plain, isTold, "Vary: Accept-Encoding", `Vary: ${headerOf(plain.answer, "vary")}`);
  for (const accepted of ["gzip", "deflate, gzip;q=0.5, identity;q=0.1", "GZIP"]) {
    const zipped = await trial.get(path, { "accept-encoding": accepted });
    trial.value(zipped, headerOf(zipped.answer, "content-encoding"), "gzip", "content-encoding");
    const isSame = unzipped(zipped).equals(plain.answer.bytes);
    trial.expect(zipped, isSame, "the plain body, compressed", "other bytes");
  }
  for (const refused of ["gzip;q=0", "identity", "identity, gzip;q=0.0", "br"]) {
    const exchange = await trial.get(path, { "accept-encoding": refused });
    trial.value(exchange, headerOf(exchange.answer, "content-encoding"), "", "content-encoding");
  }
}

function unzipped({ answer }: Exchange): Buffer {
  try {
    return gunzipSync(answer.bytes, { maxOutputLength: MOST_ANSWER_BYTES });
  } catch {
    return Buffer.alloc(0);
  }
}

/** REP-8: JSON in UTF-8, in and out, and nothing else. */
async function mediaTypes(trial: Trial): Promise<void> {
  await trial.each({ needs: [] }, async (resource) => {
    const { session } = trial;
    if (session.obstacle(resource, ["create"]) === null) {
      await trial.make(resource);
      isJson(trial, trial.latest);
      await requestTypes(trial, resource);
    }
    if (session.obstacle(resource, ["update", "create"]) === null) {
      await patchTypes(trial, resource);
    }
    if (session.obstacle(resource, ["list"]) === null) await answerTypes(trial, resource.path);
    isJson(trial, await trial.get(`${resource.path}/${MISSING}`));
  });
}

function isJson(trial: Trial, exchange: Exchange): void {
  const type = headerOf(exchange.answer, "content-type");
  trial.value(exchange, type, "application/json; charset=utf-8", "content-type");
}

async function requestTypes(trial: Trial, resource: ResourceModel): Promise<void> {
  const post = async (type: string | null): Promise<Exchange> => {
    const text = JSON.stringify(fullBody(resource, trial.session.nextSeed()));
    const headers: Readonly<Record<string, string>> = type === null ? {} : { "content-type": type };
    return trial.post(resource, { text, headers });
  };
  for (const type of ["application/json;charset=UTF-8", "Application/JSON"]) {
    trial.status(await post(type), 201, ` for ${type}`);
  }
  const others = ["text/plain", "application/xml", "application/x-www-form-urlencoded"];
  const nearly = ["application/json; charset=latin1", "application/merge-patch+json", "json"];
  for (const type of [null, ...others, ...nearly]) {
    trial.refusal(await post(type), 415, "UnsupportedMediaTypeMessage");
  }
}

async function patchTypes(trial: Trial, resource: ResourceModel): Promise<void> {
  const path = pathOf(resource, await trial.make(resource));
  const patch = async (type: string): Promise<Exchange> =>
    trial.send("PATCH", path, { text: "{}", headers: { "content-type": type } });
  trial.status(await patch("application/merge-patch+json"), 200, " for a merge patch");
  trial.refusal(await patch("application/json-patch+json"), 415, "UnsupportedMediaTypeMessage");
}

async function answerTypes(trial: Trial, path: string): Promise<void> {
  for (const accept of ["*/*", "application/*", "text/html, application/json;q=0.1"]) {
    const exchange = await trial.get(path, { accept });
    if (trial.status(exchange, 200, ` for Accept: ${accept}`)) isJson(trial, exchange);
  }
  for (const accept of ["text/html", "application/xml", "application/json;q=0", "image/*"]) {
    trial.refusal(await trial.get(path, { accept }), 406, "NotAcceptableMessage");
  }
}
