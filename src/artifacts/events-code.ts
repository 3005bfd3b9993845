import { joined, ts, word } from "../naming/code.js";
import { objectDoc, arrayDoc, prefixed, printed, type Doc } from "../naming/doc.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import { upperFirst } from "../naming/resource-name.js";
import type { AnnouncedModel, EntityModel } from "../model/entity-model.js";
import type { EventKind } from "../model/resource-model.js";
import type { ServiceModel } from "../model/service-model.js";
import { dtoName } from "./dtos.js";
import { entityHeader, fileCode, serviceHeader } from "./header-view.js";
import { entityType, ofResource } from "./modules.js";

/** The file of what is announced of one entity (EVT-1). */
export function entityEventsCode(entity: EntityModel): TsCode {
  const { name, announced } = entity;
  const versions = announced.map((one) =>
    objectDoc([
      ts`topic: ${literal(topicOf(one))}`,
      prefixed(ts`kinds: `, arrayDoc(one.kinds.map(literal))),
      ...byAction(one),
      ts`show: ${writerIn(one)}`,
    ]),
  );
  const type = ts`readonly @AnnouncedVersion<${entityType(name)}>[]`;
  const head = ts`export const ${word(name.singular)}Events: ${type} = `;
  return fileCode(entityHeader(entity), [
    ts`/** The versions that announce ${word(name.plural)}, each in its own shape (EVT-1). */
${head}${printed(arrayDoc(versions), { before: head, after: ";" })};`,
  ]);
}

/** `actions: { ship: "shipped" }`, where one emits an event. */
function byAction({ actions }: AnnouncedModel): Doc[] {
  const entries = actions.map(({ name, emits }) => ts`${key(name)}: ${literal(emits)}`);
  return entries.length === 0 ? [] : [prefixed(ts`actions: `, objectDoc(entries))];
}

/** The names of the events that custom code can emit of an entity: those that any version declares. */
export function emittedEvents({ announced }: EntityModel): readonly string[] {
  const own = announced.flatMap(({ kinds }) => kinds).filter((kind) => !CHANGES.includes(kind));
  return [...new Set(own)].sort();
}

const CHANGES: readonly string[] = ["created", "updated", "deleted"] satisfies EventKind[];

/** The file of the types of all events of a service (EVT-1). */
export function serviceEventsCode(service: ServiceModel): TsCode {
  const events = service.entities.flatMap(({ announced }) =>
    announced.flatMap((one) =>
      one.kinds.map((kind) => {
        const type = literal(eventType(service.name, topicOf(one), kind));
        const gone = ts`{ readonly ${word(one.name.idProperty)}: string }`;
        return ts`| @CloudEvent<${type}, ${kind === "deleted" ? gone : dtoIn(one)}>`;
      }),
    ),
  );
  return fileCode(serviceHeader(), [
    ts`/** Every event of the service, by its type (EVT-1). */
export type ServiceEvent =
  ${joined(events, "\n  ")};`,
  ]);
}

/** `shop.v1.orders.created` */
export function eventType(service: string, topic: string, kind: string): string {
  return `${service}.${topic.replace("/", ".")}.${kind}`;
}

/** `v1/orders` */
export function topicOf({ version, name }: Pick<AnnouncedModel, "version" | "name">): string {
  return `${version}/${name.plural}`;
}

/** `writeV1Order`: what writes it as the version shows it. */
function writerIn(one: AnnouncedModel): TsCode {
  const { typeName } = one.name;
  const called = `write${upperFirst(one.version)}${typeName}`;
  return ofResource(one, "serializer", `write${typeName}`, called);
}

/** `V1OrderDto` */
function dtoIn(one: AnnouncedModel): TsCode {
  const dto = dtoName(one.name.typeName);
  return ofResource(one, "dto", `type ${dto}`, upperFirst(one.version) + dto);
}
