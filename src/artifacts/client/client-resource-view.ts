import { hasInput, type ActionModel } from "../../model/action-model.js";
import { pathsOf } from "../../model/references.js";
import type { PathModel, ResourceModel } from "../../model/resource-model.js";
import { joined, pathText, ts, word } from "../../naming/code.js";
import { doc, type DocComment } from "../../naming/doc-comment.js";
import { key, literal, type TsCode } from "../../naming/encoders.js";
import type { JsonSchema } from "../../kinds/json-schema.js";
import { answeredDto, bodyDto, dtoName, pageDto, sentDto } from "../dtos.js";
import {
  filterSchemas,
  listParameters,
  resourceParameters,
  SEARCH_SCHEMA,
} from "../openapi/parameters.js";
import { resourceSchemas } from "../openapi/schemas.js";
import { operationsOf } from "../operations.js";
import { membersOf, typeCode, typeMember, type Schemas, type TypeMember } from "./schema-types.js";

/** What `client/resource.ts.hbs` sees. */
export interface ClientResourceView extends Members {
  readonly source: TsCode;
  readonly plural: TsCode;
  /** The function that makes its part of the client: `ordersClient`. */
  readonly factory: TsCode;
  readonly types: readonly {
    readonly name: TsCode;
    /** ` extends EntityFields`, or nothing. */
    readonly extended: TsCode;
    readonly doc: DocComment;
    readonly members: readonly TypeMember[];
  }[];
  readonly pages: readonly {
    readonly name: TsCode;
    readonly doc: DocComment;
    readonly code: TsCode;
  }[];
  /** What an entity and a page are recognised by. */
  readonly checks: readonly { readonly name: TsCode; readonly code: TsCode }[];
  readonly groups: readonly MemberGroup[];
}

/** An object in it, or a function that makes one. */
interface MemberGroup extends Members {
  readonly open: TsCode;
  readonly close: TsCode;
}

/** What an object of the client holds. */
interface Members {
  readonly lines: readonly { readonly code: TsCode }[];
  readonly methods: readonly {
    readonly doc: DocComment;
    readonly signature: TsCode;
    readonly call: TsCode;
  }[];
}

type Method = Members["methods"][number];

/** The check of an entity, which the file declares, and that of no body. */
const IS_ENTITY = ts`isEntity`;
const IS_NOTHING = ts`@isNothing`;

/** The types and the methods of a resource. */
export function clientResourceView(resource: ResourceModel): ClientResourceView {
  const { name, parent } = resource;
  return {
    source: pathText(resource.source),
    plural: word(name.plural),
    factory: clientFactory(resource),
    types: typesOf(resource),
    pages: pagesOf(resource),
    checks: checksOf(resource),
    lines: listLines(resource, resource.path),
    methods: [
      ...(parent === null ? creation(resource, resource.path) : []),
      ...entityMethods(resource),
    ],
    groups: [
      ...actionGroup(resource),
      ...pathsOf(resource).map((above) => groupUnder(resource, above)),
    ],
  };
}

/** CHD-1: `ofOrder` */
function groupUnder(resource: ResourceModel, { name, path }: PathModel): MemberGroup {
  const id = word(name.idProperty);
  const at = `${path}/{${name.idProperty}}/${resource.name.plural}`;
  return {
    open: ts`of${word(name.typeName)}: (${id}: string) => ({`,
    close: ts`})`,
    lines: listLines(resource, at),
    methods: creation(resource, at, 6),
  };
}

/** `ordersClient` */
export function clientFactory({ name }: ResourceModel): TsCode {
  return word(`${name.plural}Client`);
}

function typesOf(resource: ResourceModel): ClientResourceView["types"] {
  const { typeName, plural } = resource.name;
  // Each is a schema of an object.
  const schemas = resourceSchemas(resource) as Schemas;
  const lists = operationsOf(resource).lists;
  const page = lists ? pageDto(resource).name : "";
  const types = Object.entries(schemas)
    .filter(([name]) => name !== page)
    .map(([name, schema]) => ({
      name: word(name),
      extended: name === dtoName(typeName) ? ts` extends @EntityFields` : ts``,
      doc: doc(typeof schema["description"] === "string" ? schema["description"] : name),
      members: membersOf(schema, schemas),
    }));
  if (!lists) return types;
  const query = {
    name: queryName(resource),
    extended: ts` extends @Paging`,
    doc: doc(`The filters and the order of a list of ${plural}.`),
    members: queryMembers(resource),
  };
  return [...types, query];
}

/** COL-1 */
function pagesOf(resource: ResourceModel): ClientResourceView["pages"] {
  if (!operationsOf(resource).lists) return [];
  const { name, purpose } = pageDto(resource);
  const kind = resource.counted ? ts`@CountedPage` : ts`@Page`;
  return [{ name: word(name), doc: doc(purpose), code: ts`${kind}<${entityType(resource)}>` }];
}

/** Those that its operations need. */
function checksOf(resource: ResourceModel): ClientResourceView["checks"] {
  const { lists, reads, writes } = operationsOf(resource);
  const isAnswered = resource.actions.some(({ answers }) => answers === "entity");
  const identifier = literal(resource.name.idProperty);
  const isEntity = ts`@entityWith<${entityType(resource)}>(${identifier})`;
  const isPage = ts`${resource.counted ? ts`@countedPageOf` : ts`@pageOf`}(${IS_ENTITY})`;
  return [
    ...(lists || reads || writes || isAnswered ? [{ name: IS_ENTITY, code: isEntity }] : []),
    ...(lists ? [{ name: ts`isPage`, code: isPage }] : []),
  ];
}

function entityType({ name }: ResourceModel): TsCode {
  return word(dtoName(name.typeName));
}

function queryName({ name }: ResourceModel): TsCode {
  return word(`${name.typeName}Query`);
}

/** A parameter of an OpenAPI document. */
interface Parameter {
  readonly name: string;
  readonly description: string;
  readonly allowEmptyValue?: boolean;
  readonly schema: JsonSchema;
}

/** QRY: what the parameters of its list say. */
function queryMembers(resource: ResourceModel): readonly TypeMember[] {
  const components = resourceParameters(resource);
  const shared = filterSchemas([resource]) as Schemas;
  return listParameters(resource).flatMap((listed) => {
    const parameter = { ...listed, ...(components[lastPart(listed["$ref"])] as object) };
    // Those of pages stand in `Paging`.
    if (!("schema" in parameter)) return [];
    const { name, description, allowEmptyValue, schema } = parameter as unknown as Parameter;
    const { $ref } = schema;
    const known = $ref === undefined ? schema : (shared[lastPart($ref)] ?? schema);
    const type = typeCode(allowEmptyValue === true ? (known["items"] as JsonSchema) : known);
    const isSearch = lastPart($ref) === SEARCH_SCHEMA;
    const own = isSearch ? ts`string | readonly string[]` : type;
    const code = allowEmptyValue === true ? ts`@Filter<${type}>` : own;
    return [typeMember(ts`${key(name)}?: ${code}`, description)];
  });
}

function lastPart(reference: unknown): string {
  return typeof reference === "string" ? reference.slice(reference.lastIndexOf("/") + 1) : "";
}

/** The list at a path, and its aliases. */
function listLines(resource: ResourceModel, path: string): Members["lines"] {
  if (!operationsOf(resource).lists) return [];
  const types = ts`${queryName(resource)}, ${word(pageDto(resource).name)}`;
  const listed = (at: string): TsCode => ts`@lists<${types}>(send, ${pathCode(at)}, isPage)`;
  const aliases = resource.aliases.map(
    ({ name }) => ts`${key(name)}: ${listed(`${path}/${name}`)}`,
  );
  return [
    { code: ts`...${listed(path)}` },
    ...(aliases.length > 0 ? [{ code: ts`aliases: { ${joined(aliases, ", ")} }` }] : []),
  ];
}

/** OPS-1 */
function creation(resource: ResourceModel, path: string, indent = 4): readonly Method[] {
  if (!operationsOf(resource).creates) return [];
  const { words, article } = resource.name;
  return [
    {
      doc: doc(`Creates ${article} ${words}: POST ${path}`, indent),
      signature: signature(
        ts`create`,
        [ts`body: ${word(bodyDto(resource, "create").name)}`, ts`options?: @CreateOptions`],
        entityType(resource),
      ),
      call: sendCode("POST", path, IS_ENTITY, ts`, body`),
    },
  ];
}

/** OPS-3 to OPS-6 */
function entityMethods(resource: ResourceModel): readonly Method[] {
  const { name, isMatchRequired } = resource;
  const { reads, replaces, updates, deletes } = operationsOf(resource);
  const path = `${resource.path}/{${name.idProperty}}`;
  const id = ts`${word(name.idProperty)}: string`;
  const entity = entityType(resource);
  const options = isMatchRequired ? ts`options: @MatchedOptions` : ts`options?: @EntityOptions`;
  const what = `${name.article} ${name.words}`;
  const replacement = ts`body: ${replaces ? word(bodyDto(resource, "replace").name) : ts`never`}`;
  return [
    ...(reads
      ? [
          {
            doc: doc(`Reads ${what}: GET ${path}`, 4),
            signature: signature(ts`read`, [id, ts`options?: @EntityOptions`], entity),
            call: sendCode("GET", path, IS_ENTITY),
          },
        ]
      : []),
    ...(updates ? [updateMethod(resource, path)] : []),
    ...(replaces
      ? [
          {
            doc: doc(`Replaces ${what}: PUT ${path}`, 4),
            signature: signature(ts`replace`, [id, replacement, options], entity),
            call: sendCode("PUT", path, IS_ENTITY, ts`, body`),
          },
        ]
      : []),
    ...(deletes
      ? [
          {
            doc: doc(`Deletes ${what}: DELETE ${path}`, 4),
            signature: signature(ts`delete`, [id, options], ts`void`),
            call: sendCode("DELETE", path, IS_NOTHING),
          },
        ]
      : []),
  ];
}

/** OPS-5: where the entity can be read, the change can be made of it. */
function updateMethod(resource: ResourceModel, path: string): Method {
  const { name, isMatchRequired } = resource;
  const { reads } = operationsOf(resource);
  const id = ts`${word(name.idProperty)}: string`;
  const entity = entityType(resource);
  const body = word(bodyDto(resource, "update").name);
  const comment = doc(`Changes ${name.article} ${name.words}: PATCH ${path}`, 4);
  if (!reads) {
    const options = isMatchRequired ? ts`options: @MatchedOptions` : ts`options?: @EntityOptions`;
    return {
      doc: comment,
      signature: signature(ts`update`, [id, ts`body: ${body}`, options], entity),
      call: sendCode("PATCH", path, IS_ENTITY, ts`, body`),
    };
  }
  const options = isMatchRequired
    ? ts`options: @MatchedUpdateOptions`
    : ts`options?: @UpdateOptions`;
  return {
    doc: comment,
    signature: signature(
      ts`update`,
      [id, ts`change: @Change<${entity}, ${body}>`, options],
      entity,
    ),
    call: ts`@update(send, ${pathCode(path)}, ${IS_ENTITY}, change, options)`,
  };
}

/** OPS-11 */
function actionGroup(resource: ResourceModel): readonly MemberGroup[] {
  if (resource.actions.length === 0) return [];
  const methods = resource.actions.map((action) => actionMethod(resource, action));
  return [{ open: ts`actions: {`, close: ts`}`, lines: [], methods }];
}

function actionMethod(resource: ResourceModel, action: ActionModel): Method {
  const { idProperty, plural } = resource.name;
  const isOnEntity = action.on === "entity";
  const place = isOnEntity ? `${resource.path}/{${idProperty}}` : resource.path;
  const path = `${place}/${action.name}`;
  const does =
    action.description === "" ? `Carries out ${action.name} on ${plural}.` : action.description;
  const parameters = [
    ...(isOnEntity ? [ts`${word(idProperty)}: string`] : []),
    ...(hasInput(action) ? [ts`body: ${word(sentDto(action).name)}`] : []),
    isOnEntity ? ts`options?: @ActionOptions` : ts`options?: @CreateOptions`,
  ];
  const [answer, check] = answerOf(resource, action);
  return {
    doc: doc(`${does}\n\nPOST ${path}`, 6),
    signature: signature(word(action.name), parameters, answer),
    call: sendCode("POST", path, check, hasInput(action) ? ts`, body` : ts``),
  };
}

/** The type of what an action answers, and the check of it. */
function answerOf(resource: ResourceModel, action: ActionModel): readonly [TsCode, TsCode] {
  if (action.answers === "nothing") return [ts`void`, IS_NOTHING];
  if (action.answers === "entity") return [entityType(resource), IS_ENTITY];
  const type = word(answeredDto(action).name);
  return [type, ts`@isObject<${type}>`];
}

function signature(name: TsCode, parameters: readonly TsCode[], answer: TsCode): TsCode {
  return ts`${name}(${joined(parameters, ", ")}): Promise<${answer}>`;
}

function sendCode(
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  check: TsCode,
  body = ts``,
): TsCode {
  return ts`send(${check}, { method: ${literal(method)}, path: ${pathCode(path)}${body}, options })`;
}

/** A path as a text; with identifiers in it, the core checks those. */
function pathCode(path: string): TsCode {
  if (!path.includes("{")) return literal(path);
  // A path has no character that could end the template literal, and the identifiers are names.
  const template = pathText(path).replaceAll("{", "${") as TsCode;
  return ts`@path\`${template}\``;
}
