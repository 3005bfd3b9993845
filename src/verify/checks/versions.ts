import { MISSING, query, type Check } from "../check.js";
import type { VersionModel } from "../../model/service-model.js";
import { servedVersions } from "../../model/version-status.js";
import { isObject, type Json } from "../../samples/json.js";
import { errorsOf } from "../exchange.js";
import type { Trial } from "../trial.js";

/** VER-1, VER-4, VER-5: versions in paths, what becomes of old ones, and their documents. */
export const VERSIONS: readonly Check[] = [
  { rule: "VER-1", run: inThePath },
  { rule: "VER-4", run: statuses },
  { rule: "VER-5", run: documents },
];

/** VER-1: the answer to a path without a served version names the served versions. */
async function inThePath(trial: Trial): Promise<void> {
  const { basePath } = trial.session.model;
  const versions = servedVersions(trial.session.model);
  const refuse = async (path: string): Promise<void> => {
    const exchange = await trial.get(path);
    if (!trial.refusal(exchange, 404, "VersionNotFoundMessage")) return;
    const told = JSON.stringify(errorsOf(exchange.answer));
    const missing = versions.filter(({ name }) => !told.includes(name)).map(({ name }) => name);
    trial.value(exchange, missing, [], "versions that are not named");
  };
  const isAtRoot = basePath === "";
  await refuse(isAtRoot ? "/" : basePath);
  await refuse(`${basePath}/v999`);
  await trial.each({ needs: [] }, async (resource) => {
    const { name, version, path } = resource;
    await refuse(`${basePath}/${name.plural}`);
    await refuse(`${basePath}/v999/${name.plural}`);
    await refuse(`${basePath}/${version.toUpperCase()}/${name.plural}${query(["pageSize", 1])}`);
    const isListed = trial.session.obstacle(resource, ["list"]) === null;
    if (isListed) trial.status(await trial.get(`${path}${query(["pageSize", 1])}`), 200);
    if (isAtRoot) return;
    const bare = await trial.get(path.slice(basePath.length + version.length + 1));
    trial.refusal(bare, 404, "PathNotFoundMessage");
  });
}

/** VER-4: a retired version is gone, a deprecated one says so on every answer, and the others say nothing. */
async function statuses(trial: Trial): Promise<void> {
  const { basePath, versions } = trial.session.model;
  for (const version of versions) {
    const root = `${basePath}/${version.name}`;
    if (version.status === "retired") await isGone(trial, root, version);
    else await isTold(trial, root, version);
  }
}

async function isGone(trial: Trial, root: string, { name }: VersionModel): Promise<void> {
  for (const path of [root, `${root}/openapi.json`, `${root}/nothing?pageSize=1`]) {
    for (const method of ["GET", "POST", "DELETE"]) {
      const exchange = await trial.send(method, path);
      if (!trial.refusal(exchange, 410, "VersionRetiredMessage")) continue;
      const told = JSON.stringify(errorsOf(exchange.answer));
      trial.expect(exchange, told.includes(name), `an error that names ${name}`, told);
    }
  }
}

async function isTold(trial: Trial, root: string, version: VersionModel): Promise<void> {
  const { deprecated, sunset } = version;
  const isDeprecated = version.status === "deprecated";
  const wanted = {
    deprecation: isDeprecated && deprecated !== null ? `@${seconds(deprecated)}` : null,
    sunset: isDeprecated && sunset !== null ? new Date(seconds(sunset) * 1000).toUTCString() : null,
  };
  const paths = [
    `${root}/openapi.json`,
    `${root}/nothing`,
    ...version.resources.flatMap(({ path }) => [`${path}?pageSize=1`, `${path}/${MISSING}`]),
    ...version.resources.map(({ path }) => `${path}?noSuchParameter=1`),
  ];
  for (const path of paths) {
    const exchange = await trial.get(path);
    const { deprecation = null, sunset: gone = null } = exchange.answer.headers;
    trial.value(exchange, deprecation, wanted.deprecation, "Deprecation");
    trial.value(exchange, gone, wanted.sunset, "Sunset");
  }
}

/** Midnight UTC of a date. */
function seconds(date: string): number {
  return Date.parse(`${date}T00:00:00.000Z`) / 1000;
}

const METHODS = {
  create: "post",
  list: "get",
  read: "get",
  replace: "put",
  update: "patch",
  delete: "delete",
} as const;

/** VER-5: the OpenAPI document of a version describes its resources. */
async function documents(trial: Trial): Promise<void> {
  const { basePath } = trial.session.model;
  for (const { name, resources } of servedVersions(trial.session.model)) {
    const exchange = await trial.get(`${basePath}/${name}/openapi.json`);
    const document = trial.object(exchange, 200);
    if (document === undefined) continue;
    const form = String(document["openapi"]);
    trial.expect(exchange, /^3\.1\.\d+$/.test(form), "openapi: 3.1", form);
    for (const { operations, name: resource, aliases } of resources) {
      const paths = document["paths"];
      const end = `/${resource.plural}`;
      const lacking = operations.filter((operation) => {
        const isCollection = operation === "create" || operation === "list";
        const items = pathItems(paths, isCollection ? end : `${end}/{${resource.idProperty}}`);
        return !items.some((item) => isObject(item) && item[METHODS[operation]] !== undefined);
      });
      trial.value(exchange, lacking, [], `operations of ${resource.plural} that are missing`);
      const lost = aliases.filter((alias) => pathItems(paths, `${end}/${alias.name}`).length === 0);
      trial.value(
        exchange,
        lost.map((alias) => alias.name),
        [],
        "aliases that are missing",
      );
    }
  }
}

/** Paths stand below the servers of the document, or are whole; those of children stand under their parents, too. */
function pathItems(paths: Json | undefined, end: string): readonly (Json | undefined)[] {
  return Object.entries(isObject(paths) ? paths : {})
    .filter(([path]) => path.endsWith(end))
    .map(([, item]) => item);
}
