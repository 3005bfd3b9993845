import { joined, pathText, ts, word } from "../naming/code.js";
import { arrayDoc, callDoc, objectDoc } from "../naming/doc.js";
import { literal, type TsCode } from "../naming/encoders.js";
import { pairsIn } from "../model/conversion-model.js";
import { storedPathOf } from "../model/projection.js";
import { pathsOf } from "../model/references.js";
import type { ResourceModel } from "../model/resource-model.js";
import { callCode, signatureCode } from "./layout.js";
import { parentPath } from "./resource-names.js";
import { writerOf } from "./modules.js";

/** A resource with aliases lists them as well (ALI-1). */
export function listView(resource: ResourceModel) {
  const { name, aliases } = resource;
  const isAliased = aliases.length > 0;
  const paths = pathsOf(resource);
  const under = joined(
    paths.map((path) => ts`, and those of ${pathText(parentPath(path))}`),
    "",
  );
  const within = [ts`query`, ts`alias`, ts`call.context`];
  const asked = isAliased ? callDoc(ts`@aliasQuery`, within) : ts`query`;
  const query =
    paths.length === 0 ? asked : callDoc(ts`await @childrenQuery`, [asked, UNDER, ts`call`]);
  const parameters = [
    ts`call: @HttpCall`,
    ...underCode(resource, true),
    ...(isAliased ? [ts`alias?: @CollectionAlias`] : []),
  ];
  return {
    listedToo: isAliased ? ts`${under}, and its aliases` : under,
    listSignature: signatureCode(ts`async list`, parameters, ts`Promise<@HttpReply>`, {
      indent: 2,
    }),
    page: callCode(ts`this.${word(name.collection)}.list`, [query, ts`call`], {
      indent: 4,
      before: "const page = await ",
      after: ";",
    }),
  };
}

/** One that custom code cannot convert costs itself only (VER-2). */
export function pageReply(resource: ResourceModel): TsCode {
  const { pretty, conversion, entity } = resource;
  const write = writerOf(resource);
  const layout = pretty ? ts`` : ts`, false`;
  if (pairsIn(conversion).length === 0) return ts`@ok(await @jsonPage(page, ${write}${layout}))`;
  const shownFor = objectDoc([
    ts`context: call.context`,
    ts`idProperty: ${literal(entity.name.idProperty)}`,
    ...(pretty ? [] : [ts`pretty: false`]),
  ]);
  const text = callDoc(ts`await @convertedPage`, [ts`page`, write, shownFor]);
  return callCode(ts`@ok`, [text], { indent: 4, before: "return ", after: ";" });
}

/** What a path under another resource is created or listed by. */
export const UNDER = arrayDoc([ts`under`, ts`this.references`]);

/** `under: "order" | "merchant" | null = null`; a child is created under some path, and listed at the root as well. */
export function underCode(resource: ResourceModel, isAtRoot: boolean): TsCode[] {
  const paths = pathsOf(resource);
  if (paths.length === 0) return [];
  const names = joined(
    paths.map(({ property }) => literal(storedPathOf(property, resource.projection))),
    " | ",
  );
  return [isAtRoot ? ts`under: ${names} | null = null` : ts`under: ${names}`];
}
