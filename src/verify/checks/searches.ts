import type { ResourceModel } from "../../model/resource-model.js";
import { at, isList, type Json, type JsonObject } from "../../samples/json.js";
import { filterPlaces } from "../bodies.js";
import { query, type Check } from "../check.js";
import { resultsOf, type Exchange } from "../exchange.js";
import type { Trial } from "../trial.js";
import { filtered, finds } from "./filtered-lists.js";

/** QRY-7, QRY-8: texts are searched. */
export const SEARCHES: readonly Check[] = [
  { rule: "QRY-7", run: searches },
  { rule: "QRY-8", run: spreadSearches },
];

/** An unknown name that is longer is cut in the answer. */
const LONGEST_NAME = 40;
const NO_WORD = "zqxjkzqxjk";

async function searches(trial: Trial): Promise<void> {
  const where = (resource: ResourceModel): boolean =>
    filterPlaces(resource).some(({ property }) => property.filterable === "search");
  const otherwise = "no property is searched";
  await trial.each({ needs: ["create", "list"], where, otherwise }, async (resource) => {
    for (const { path, property } of filterPlaces(resource)) {
      if (property.filterable === "search") await search(trial, resource, path);
      else if (`${path}.contains`.length <= LONGEST_NAME)
        await refused(trial, resource, `${path}.contains`, "abc");
    }
  });
}

async function search(trial: Trial, resource: ResourceModel, path: string): Promise<void> {
  await trial.make(resource);
  const entity = await trial.make(resource);
  const [contains, startsWith] = [`${path}.contains`, `${path}.startsWith`];
  const [text = ""] = textsOf(at(entity, path));
  for (const value of wordsOf(text)) {
    const words = plain(value).split(" ");
    const isMatch = (result: JsonObject): boolean =>
      words.every((word) => textsOf(at(result, path)).some((one) => plain(one).includes(word)));
    finds(trial, await filtered(trial, resource, [[contains, value]]), { entity, isMatch });
  }
  const start = /^[!-~]+/.exec(text)?.[0];
  if (start !== undefined) {
    const isMatch = (result: JsonObject): boolean =>
      textsOf(at(result, path)).some((one) => plain(one).startsWith(plain(start)));
    const listed = await filtered(trial, resource, [[startsWith, start.toUpperCase()]]);
    finds(trial, listed, { entity, isMatch });
  }
  for (const value of ["", "ab"]) await refused(trial, resource, contains, value);
  await refused(trial, resource, startsWith, "");
}

async function spreadSearches(trial: Trial): Promise<void> {
  const where = ({ search: paths }: ResourceModel): boolean => paths.length > 0;
  const otherwise = "no resource says `search`";
  await trial.each({ needs: ["create", "list"], where, otherwise }, async (resource) => {
    const entity = await trial.make(resource);
    const textsAt = (one: JsonObject): readonly string[] =>
      resource.search.flatMap((path) => textsOf(at(one, path)).map(plain));
    const words = textsAt(entity).flatMap((text) => wordsOf(text).slice(0, 1));
    if (words.length === 0) return;
    const asked = async (value: string): Promise<Exchange> =>
      filtered(trial, resource, [["search", value]]);
    const isMatch = (one: JsonObject): boolean =>
      words.every((word) => textsAt(one).some((text) => text.includes(plain(word))));
    finds(trial, await asked(words.toReversed().join(" ")), { entity, isMatch });
    const none = await asked(`${words[0] ?? ""} ${NO_WORD}`);
    if (trial.status(none, 200))
      trial.expect(none, resultsOf(none.answer).length === 0, "only what has each word");
    for (const value of ["", "ab"]) await refused(trial, resource, "search", value);
    await foremostFirst(trial, resource);
  });
}

/** Of two entities, the newer one has a word in the property that is named first. */
async function foremostFirst(trial: Trial, resource: ResourceModel): Promise<void> {
  const [first, second] = resource.search.filter((path) => isFree(resource, path));
  if (first === undefined || second === undefined || first !== resource.search[0]) return;
  const { run, index } = trial.session.nextSeed();
  const word = `word${run}${index}`.toLowerCase();
  await trial.make(resource, { [second]: word });
  await trial.make(resource, { [first]: word });
  const listed = await trial.get(resource.path + query(["search", word]));
  if (!trial.status(listed, 200)) return;
  const [best] = resultsOf(listed.answer);
  const isFirst = best !== undefined && textsOf(at(best, first)).includes(word);
  trial.expect(listed, isFirst, `first what has the word in ${first}`);
}

/** Whether a client can write any word there. */
function isFree({ properties }: ResourceModel, path: string): boolean {
  const property = properties.find(({ name }) => name === path);
  if (property?.type.kind !== "string" || property.readOnly) return false;
  const { format, pattern, maxLength } = property.type;
  return format === null && pattern === null && maxLength > 40;
}

async function refused(
  trial: Trial,
  resource: ResourceModel,
  name: string,
  value: string,
): Promise<void> {
  trial.fields(await trial.get(resource.path + query([name, value])), name);
}

/** A part of the longest word, in other letters, and two words the other way round. */
function wordsOf(text: string): readonly string[] {
  const words = text.split(/\s+/).filter((word) => /^[!-~]{3,}$/.test(word));
  const [longest] = words.toSorted((one, other) => other.length - one.length);
  if (longest === undefined) return [];
  const part = (longest.length > 3 ? longest.slice(1) : longest).toUpperCase();
  return words.length > 1 ? [part, words.slice(0, 2).toReversed().join(" ")] : [part];
}

function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/\s+/g, " ")
    .trim();
}

function textsOf(value: Json | undefined): readonly string[] {
  return (isList(value) ? value : [value]).filter((one) => typeof one === "string");
}
