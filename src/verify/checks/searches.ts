import type { ResourceModel } from "../../model/resource-model.js";
import { at, isList, type Json, type JsonObject } from "../../samples/json.js";
import { filterPlaces } from "../bodies.js";
import { query, type Check } from "../check.js";
import type { Trial } from "../trial.js";
import { filtered, finds } from "./filtered-lists.js";

/** QRY-7: texts are searched. */
export const SEARCHES: readonly Check[] = [{ rule: "QRY-7", run: searches }];

/** An unknown name that is longer is cut in the answer. */
const LONGEST_NAME = 40;

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
