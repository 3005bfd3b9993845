import { MemoryFiles } from "../../../src/files/memory-files.js";
import { load } from "../../../src/load/load.js";
import type { EntityModel } from "../../../src/model/entity-model.js";
import { normalise } from "../../../src/model/normalise.js";
import type { ResourceModel } from "../../../src/model/resource-model.js";
import type { PropertyModel } from "../../../src/kinds/property-model.js";
import type { ServiceModel } from "../../../src/model/service-model.js";
import type { ValidatedTree } from "../../../src/validate/resource-document.js";
import { validate } from "../../../src/validate/validate.js";
import { expectSuccess } from "../../support/expect-success.js";

/** Everything is answered to whoever has a token. */
export const SECURED =
  "service: shop\nauthentication: { scheme: bearer, issuer: 'https://id.test', audience: shop, keys: ./keys.json }\n";

/** What `validate` makes of resources that are given by name: `orders` stands in resources/v1/orders.yaml. */
export async function treeOf(
  resources: Readonly<Record<string, string>>,
  service = "service: shop\n",
): Promise<ValidatedTree> {
  const files = Object.entries(resources).map(([name, text]) => [
    `/project/resources/v1/${name}.yaml`,
    text,
  ]);
  const all = { "/project/service.yaml": service, ...Object.fromEntries(files) };
  const loaded = expectSuccess(load(new MemoryFiles(all as Record<string, string>), "/project"));
  return expectSuccess(await validate(loaded));
}

/** The model of such a project. */
export async function modelOf(
  resources: Readonly<Record<string, string>>,
  service?: string,
): Promise<ServiceModel> {
  return normalise(await treeOf(resources, service));
}

/** The entity with a plural; throws where there is none. */
export function entityIn({ entities }: ServiceModel, plural: string): EntityModel {
  return there(entities.find(({ name }) => name.plural === plural));
}

/** The resource with a name, in one version. */
export function resourceIn(
  { versions }: ServiceModel,
  plural: string,
  version = "v1",
): ResourceModel {
  const { resources } = there(versions.find(({ name }) => name === version));
  return there(resources.find(({ name }) => name.plural === plural));
}

/** The property of `tickets` that is called `name`, with these lines under `properties`. */
export async function propertyOf(
  lines: string,
  name: string,
  service?: string,
): Promise<PropertyModel> {
  const model = await modelOf({ tickets: ticketsWith(lines), users: USERS }, service);
  return there(entityIn(model, "tickets").properties.find((one) => one.name === name));
}

/** A resource `tickets` with these lines under `properties`. */
export function ticketsWith(lines: string): string {
  return `resource: tickets\nentity: ticket\nproperties:\n${lines.replaceAll(/^/gm, "  ")}\n`;
}

const USERS = `resource: users
entity: user
properties:
  name: { type: string, required: true, filterable: true, default: x }
  level: { enum: [low, high], sortable: true }
`;

function there<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("it is not there");
  return value;
}
