import type { ResourceModel } from "../model/resource-model.js";
import type { VersionModel } from "../model/service-model.js";
import { dtoName } from "./dtos.js";
import { eventType, topicOf } from "./events-code.js";
import { jsonText } from "./json-text.js";
import type { Pieced } from "./pieces.js";
import type { ServiceSettings } from "./settings-code.js";

/** A part of an AsyncAPI document. */
type AsyncApi = { readonly [name: string]: unknown };

/** Whether a version announces changes (EVT-1). */
export function isAnnouncing({ resources }: VersionModel): boolean {
  return resources.some(({ announces }) => announces.length > 0);
}

/** The AsyncAPI 3.0 document of the events of one version (EVT-1), as JSON. What they show is described in its OpenAPI document. */
export function asyncApiDocument(service: ServiceSettings, version: VersionModel): Pieced {
  const { title, license, contact } = service;
  const announcing = version.resources.filter(({ announces }) => announces.length > 0);
  const messages = announcing.flatMap((resource) =>
    resource.announces.map((kind) => [
      messageName(resource, kind),
      message(service, resource, kind),
    ]),
  );
  const document = {
    asyncapi: "3.0.0",
    info: {
      title: `Events of ${title}`,
      version: version.name,
      description:
        "CloudEvents 1.0, each delivered at least once. The events of one entity arrive in the order of its changes.",
      ...(contact !== null && { contact: { ...contact } }),
      ...(license !== null && { license: { name: license } }),
    },
    defaultContentType: "application/cloudevents+json",
    channels: Object.fromEntries(announcing.map((one) => [one.name.plural, channel(one)])),
    operations: Object.fromEntries(
      announcing.map((one) => [`announce${one.name.typeName}`, operation(one)]),
    ),
    components: { messages: Object.fromEntries(messages) as AsyncApi },
  };
  return [jsonText(document)];
}

/** `OrderCreated` */
function messageName({ name }: ResourceModel, kind: string): string {
  return name.typeName + kind.charAt(0).toUpperCase() + kind.slice(1);
}

/** Where they are sent, the service's own code or its webhooks say. */
function channel(resource: ResourceModel): AsyncApi {
  const messages = resource.announces.map((kind) => {
    const name = messageName(resource, kind);
    return [name, { $ref: `#/components/messages/${name}` }];
  });
  return {
    address: null,
    description: `Events of ${resource.name.plural}.`,
    messages: Object.fromEntries(messages) as AsyncApi,
  };
}

function operation({ name }: ResourceModel): AsyncApi {
  return {
    action: "send",
    channel: { $ref: `#/channels/${name.plural}` },
    summary: `Announces changes of ${name.plural}.`,
  };
}

function message(service: ServiceSettings, resource: ResourceModel, kind: string): AsyncApi {
  const { name, version } = resource;
  const id = { type: "string", format: "uuid" };
  const dto = { $ref: `../openapi/${version}.json#/components/schemas/${dtoName(name.typeName)}` };
  const gone = {
    type: "object",
    required: [name.idProperty],
    properties: { [name.idProperty]: id },
  };
  const properties = {
    specversion: { const: "1.0" },
    id: { ...id, description: "The same for each delivery of the event." },
    source: { const: service.eventSource },
    type: { const: eventType(service.name, topicOf(resource), kind) },
    subject: { ...id, description: `The identifier of the ${name.words}.` },
    time: { type: "string", format: "date-time" },
    sequence: { type: "string", description: `Orders the events of one ${name.words}, as text.` },
    datacontenttype: { const: "application/json" },
    data: kind === "deleted" ? gone : dto,
  };
  return {
    title: `${name.typeName} ${kind}`,
    payload: { type: "object", required: Object.keys(properties), properties },
  };
}
