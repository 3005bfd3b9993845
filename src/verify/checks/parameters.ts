import type { PropertyType } from "../../kinds/kinds.js";
import type { ResourceModel } from "../../model/resource-model.js";
import { filterPlaces } from "../bodies.js";
import { query, type Check } from "../check.js";
import { type Trial, errorsOf } from "../trial.js";

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
    for (const value of noValues(type.kind === "array" ? type.items : type)) {
      trial.fields(await trial.get(resource.path + query([path, value])), path);
    }
  }
}

/** Texts that are not a value of the type, whatever its bounds. */
function noValues(type: PropertyType): readonly string[] {
  switch (type.kind) {
    case "string":
      return ["\0"];
    case "enum":
      return ["noSuchValue", ...type.values.slice(0, 1).map((value) => value.toUpperCase())];
    case "integer":
      return ["1.5", "x", "0x10", "9007199254740993"];
    case "number":
      return ["x", "Infinity", "1,5"];
    case "decimal":
      return ["x", `1.${"0".repeat(type.scale)}1`];
    case "boolean":
      return ["yes", "1", "TRUE"];
    case "timestamp":
      return ["2024-02-29", "2023-02-29T00:00:00.000Z"];
    case "uuid":
      return ["42", "x"];
    case "object":
    case "reference":
    case "array":
      return [];
  }
}

/** The answer to a mistyped parameter suggests the right one. */
async function nearest(trial: Trial, resource: ResourceModel): Promise<void> {
  const exchange = await trial.get(`${resource.path}?pageSizze=1`);
  if (!trial.fields(exchange, "pageSizze")) return;
  const told = JSON.stringify(errorsOf(exchange.answer));
  trial.expect(exchange, told.includes('\\"pageSize\\"'), 'a message that suggests "pageSize"');
}
