import type { ResourceModel } from "../../model/resource-model.js";
import { filterPlaces } from "../bodies.js";
import { query, type Check } from "../check.js";
import { readingOf } from "../readings.js";
import { errorsOf } from "../exchange.js";
import type { Trial } from "../trial.js";

/** QRY-6: a parameter that is not understood is refused by name. */
export const PARAMETERS: readonly Check[] = [{ rule: "QRY-6", run: refused }];

async function refused(trial: Trial): Promise<void> {
  await trial.each({ needs: ["list"] }, async (resource) => {
    const ask = async (parameters: string, ...names: readonly string[]): Promise<void> => {
      trial.fields(await trial.get(`${resource.path}?${parameters}`), ...names);
    };
    await ask("noSuchName=1", "noSuchName");
    await ask("constructor=1", "constructor");
    for (const value of ["0", "-1", "1.5", "x", "1e1", "", "%20", "99999999999999999999"]) {
      await ask(`pageSize=${value}`, "pageSize");
      await ask(`pageNumber=${value}`, "pageNumber");
    }
    await ask("pageSize=1&pageSize=1", "pageSize");
    await ask("pageNumber=1&pageNumber=1", "pageNumber");
    await ask("sort=createdDate&sort=createdDate", "sort");
    await ask("sort=", "sort");
    await ask("noSuchName=1&pageSize=0&sort=", "noSuchName", "pageSize", "sort");
    await ask("createdDate=%zz", "createdDate");
    await wrongTypes(trial, resource);
    await nearest(trial, resource);
  });
}

async function wrongTypes(trial: Trial, resource: ResourceModel): Promise<void> {
  for (const { path, property } of filterPlaces(resource)) {
    const { type } = property;
    const inner = type.kind === "array" ? type.items : type;
    for (const value of readingOf(inner).wrongTexts(inner)) {
      trial.fields(await trial.get(resource.path + query([path, value])), path);
    }
  }
}

/** The answer to a mistyped parameter suggests the right one. */
async function nearest(trial: Trial, resource: ResourceModel): Promise<void> {
  const exchange = await trial.get(`${resource.path}?pageSizze=1`);
  if (!trial.fields(exchange, "pageSizze")) return;
  const told = JSON.stringify(errorsOf(exchange.answer));
  trial.expect(exchange, told.includes('\\"pageSize\\"'), 'a message that suggests "pageSize"');
}
