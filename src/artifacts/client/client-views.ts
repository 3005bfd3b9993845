import { seenBy } from "../../model/seen-by.js";
import type { VersionModel } from "../../model/service-model.js";
import { joined, ts, word } from "../../naming/code.js";
import { literal, type TsCode } from "../../naming/encoders.js";
import { variableName } from "../../naming/variable-name.js";
import { errorTypeSchema } from "../openapi/errors.js";
import type { ServiceSettings } from "../settings-code.js";
import { clientFactory } from "./client-resource-view.js";

/** What the files of the client of one version are made of. */
export interface ClientModel {
  readonly service: ServiceSettings;
  readonly version: VersionModel;
}

/** What `client/index.ts.hbs` sees. */
export interface ClientIndexView {
  readonly source: TsCode;
  readonly version: TsCode;
  readonly resources: readonly { readonly plural: TsCode; readonly factory: TsCode }[];
  readonly errorTypes: TsCode;
}

/** What makes a client of a version, and the types of its errors. */
export function clientIndexView({ service, version }: ClientModel): ClientIndexView {
  const { resources } = seenBy(version);
  const authenticated = service.authentication.scheme === "bearer";
  const callers = { authenticated, limited: service.limits.requestsPerMinute !== null };
  const types = errorTypeSchema(resources, callers)["enum"] as readonly string[];
  return {
    source: ts`service.yaml and resources/`,
    version: word(version.name),
    resources: resources.map((resource) => ({
      plural: word(resource.name.plural),
      factory: clientFactory(resource),
    })),
    errorTypes: joined(
      [...types, "unknown"].map((type) => ts`| ${literal(type)}`),
      "\n  ",
    ),
  };
}

/** What `client/README.md.hbs` sees. */
export interface ClientReadmeView {
  readonly packageName: TsCode;
  readonly service: TsCode;
  readonly variable: TsCode;
  readonly version: TsCode;
}

/** How the client is used and published. */
export function clientReadmeView(model: ClientModel): ClientReadmeView {
  const { name } = model.service;
  // Lower-case letters, digits and dashes: the schema of service.yaml says so.
  const service = name as TsCode;
  const variable = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  return {
    packageName: packageName(model) as TsCode,
    service,
    variable: word(variableName(variable, "Client")),
    version: word(model.version.name),
  };
}

/** `shop-client-v1` */
function packageName({ service, version }: ClientModel): string {
  return `${service.name}-client-${version.name}`;
}

/** The package.json of a client. */
export function clientPackage(model: ClientModel): object {
  const { license, title } = model.service;
  const entry = { types: "./dist/index.d.ts", default: "./dist/index.js" };
  return {
    name: packageName(model),
    version: "1.0.0",
    description: `A typed client of ${title}, version ${model.version.name}.`,
    ...(license !== null && { license }),
    type: "module",
    exports: { ".": entry },
    files: ["dist"],
    sideEffects: false,
    engines: { node: ">=20" },
    // npm finds the compiler of the service, which stands above.
    scripts: { prepack: "tsc -p ." },
  };
}

/** The tsconfig.json of a client: nothing of Node, so that it runs in browsers, too. */
export function clientConfig(): object {
  return {
    compilerOptions: {
      target: "es2022",
      lib: ["es2022", "dom"],
      module: "nodenext",
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noImplicitOverride: true,
      verbatimModuleSyntax: true,
      isolatedModules: true,
      declaration: true,
      rootDir: "src",
      outDir: "dist",
    },
    include: ["src"],
  };
}
