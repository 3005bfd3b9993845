import { joined, ts, word } from "../naming/code.js";
import type { TsCode } from "../naming/encoders.js";
import type { ResourceModel } from "../model/service-model.js";
import { resourceHeader, type HeaderView } from "./header-view.js";
import { callCode, importCode } from "./layout.js";
import { offers, type OffersView } from "./offers.js";
import { isReferring } from "./references-view.js";
import { resourceNames, type ResourceNamesView } from "./resource-names.js";

/** What `resource/controller.ts.hbs` sees. */
export interface ControllerView extends HeaderView, ResourceNamesView, OffersView {
  readonly imports: TsCode;
  /** What is listed beside the collection itself, in words. */
  readonly listedToo: TsCode;
  readonly listParameters: TsCode;
  /** The query that is listed: the caller's, within the alias. */
  readonly listQuery: TsCode;
  /** The URL path of a new entity, as a template literal. */
  readonly location: TsCode;
  readonly construction: TsCode;
  /** The call that stores a new entity. */
  readonly createdEntity: TsCode;
  /** The calls that change a stored entity. */
  readonly replaced: TsCode;
  readonly updated: TsCode;
  /** How a page is laid out, when it is not pretty. */
  readonly pageLayout: TsCode;
}

/** The requests that a resource answers. */
export function controllerView(resource: ResourceModel): ControllerView {
  const { name, pretty } = resource;
  const names = resourceNames(resource);
  const offered = offers(resource);
  return {
    ...resourceHeader(resource),
    ...names,
    ...offered,
    imports: imports(resource, offered),
    ...listView(resource),
    location: ts`\`${names.path}/\${${word(name.variable)}.${names.idProperty}}\``,
    construction: constructionCode(resource, offered),
    createdEntity: createCode(resource),
    replaced: changeCode(resource, ts`Replace`),
    updated: changeCode(resource, ts`Update`),
    pageLayout: pretty ? ts`` : ts`, false`,
  };
}

/** The entities, and where their references lead, which is looked up before a body is read (REP-4). */
function constructionCode(resource: ResourceModel, { writes }: OffersView): TsCode {
  const { collection, typeName, singular } = resource.name;
  const type = word(typeName);
  const entities = ts`${word(collection)}: EntityRepository<${type}, ${type}Properties>`;
  const parameters = [ts`private readonly ${entities}`];
  if (isReferring(resource) && writes) {
    parameters.push(
      ts`private readonly references: ReturnType<typeof ${word(singular)}References>`,
    );
  }
  return ts`${callCode(ts`constructor`, parameters, { indent: 2, after: " {}" })} {}`;
}

/** `this.tickets.create(() => parseTicketCreate(call.body), call)` */
function createCode(resource: ResourceModel): TsCode {
  const { name } = resource;
  const around = { indent: 4, before: `const ${name.variable} = await `, after: ";" };
  const parse = parseCode(resource, ts`Create`, []);
  return callCode(ts`this.${word(name.collection)}.create`, [parse, ts`call`], around);
}

/** `(stored) => parseTicketUpdate(call.body, stored)`; what it refers to is looked up first. */
function parseCode(resource: ResourceModel, verb: TsCode, given: readonly TsCode[]): TsCode {
  const parse = ts`parse${word(resource.name.typeName)}${verb}`;
  const parameters = joined(given, ", ");
  const known = [ts`call.body`, ...given];
  if (!isReferring(resource)) return ts`(${parameters}) => ${parse}(${joined(known, ", ")})`;
  const found = ts`await findReferences(this.references, call)`;
  return ts`async (${parameters}) => ${parse}(${joined([...known, found], ", ")})`;
}

/** `this.tickets.change(call.id, (stored) => parseTicketUpdate(call.body, stored), call)` */
function changeCode(resource: ResourceModel, verb: TsCode): TsCode {
  const { name } = resource;
  const parse = parseCode(resource, verb, [ts`stored`]);
  const around = { indent: 4, before: `const ${name.variable} = await `, after: ";" };
  const change = ts`this.${word(name.collection)}.change`;
  return callCode(change, [ts`call.id`, parse, ts`call`], around);
}

/** A resource with aliases lists them as well (ALI-1). */
function listView({ aliases }: ResourceModel) {
  const isAliased = aliases.length > 0;
  return {
    listedToo: isAliased ? ts`, and its aliases` : ts``,
    listParameters: isAliased ? ts`call: HttpCall, alias?: CollectionAlias` : ts`call: HttpCall`,
    listQuery: isAliased ? ts`aliasQuery(query, alias, call.context.clock())` : ts`query`,
  };
}

function imports(resource: ResourceModel, offered: OffersView): TsCode {
  const { name, aliases } = resource;
  const refers = isReferring(resource) && offered.writes;
  const { typeName, plural, singular } = name;
  const { creates, lists, reads, replaces, updates, deletes, writes } = offered;
  const when = (condition: boolean, ...names: string[]): string[] => (condition ? names : []);
  const aliased = when(aliases.length > 0, "aliasQuery", "type CollectionAlias");
  return importCode([
    { from: "../../kernel/aliases.js", names: aliased },
    {
      from: "../../kernel/http.js",
      names: [
        ...when(creates, "created"),
        ...when(deletes, "noContent"),
        ...when(lists || reads || replaces || updates, "ok"),
        "type HttpCall",
        "type HttpReply",
      ],
    },
    { from: "../../kernel/query.js", names: when(lists, "parseListQuery") },
    { from: "../../kernel/references.js", names: when(refers, "findReferences") },
    { from: "../../kernel/repository.js", names: ["type EntityRepository"] },
    { from: "../../kernel/writer.js", names: when(lists, "jsonPage") },
    { from: `./${plural}.dto.js`, names: [`type ${typeName}`, `type ${typeName}Properties`] },
    {
      from: `./${plural}.references.js`,
      names: when(refers, `type ${singular}References`),
    },
    {
      from: `./${plural}.serializer.js`,
      names: when(writes || lists || reads, `write${typeName}`),
    },
    {
      from: `./${plural}.validator.js`,
      names: [
        ...when(creates, `parse${typeName}Create`),
        ...when(replaces, `parse${typeName}Replace`),
        ...when(updates, `parse${typeName}Update`),
        ...when(lists, `${singular}Collection`),
      ],
    },
  ]);
}
