import { rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { RenderedProject } from "../../src/commands/render-project.js";
import type { Samples } from "../../src/verify/samples.js";
import type { Conformance } from "../../src/verify/verdict.js";
import { verifyAt } from "../mutants/verifying.js";
import { makeSchema, schemaUrl } from "../support/postgres-schema.js";
import { renderFiles, type Texts } from "../support/render-files.js";
import { rightService, type RightService } from "../support/right/service.js";
import { writeTree } from "../support/read-tree.js";
import { SERVICES } from "../support/service-folders.js";
import { ServiceHost } from "../support/service-host.js";
import { bundleService } from "../support/transpile.js";
import { randomCallers, type RandomCallers } from "./random-callers.js";

/** A failure of one rule on one service: where, and what was said. */
export type Failure = string;

/** The service of a seed: the same one each time. */
export function serviceOf(seed: number): RightService {
  const [service] = fc.sample(rightService, { numRuns: 1, seed });
  if (service === undefined) throw new Error("there is no sample");
  return service;
}

/** What is emitted for a service, with the code of its author; or the mistakes in its schemas. */
export async function projectOf({
  schemas,
  code,
}: RightService): Promise<RenderedProject | Failure[]> {
  const { ok, diagnostics, ...rest } = await renderFiles(schemas);
  if (!ok || !("value" in rest)) {
    return diagnostics
      .filter(({ severity }) => severity === "error")
      .map(({ code: number, message, span }) => `${number} ${span.file}:${span.line} ${message}`);
  }
  const { value } = rest;
  const outputs = value.outputs.map((output) => ({
    ...output,
    text: code[output.path] ?? output.text,
  }));
  return { ...value, outputs };
}

/** A line for each failure. */
export function failuresOf({ verdicts }: Conformance): Failure[] {
  return verdicts.flatMap(({ rule, failures }) =>
    failures.map(({ request, expected, got }) =>
      [rule, request.method, request.path, request.body, expected, got].join(" | "),
    ),
  );
}

/** A service that answers, and tokens of its callers: none where it has no authentication. */
export interface RunningService {
  readonly url: string;
  readonly tokens: readonly string[];
}

/** Where a service is, and the database that it has. */
interface Place {
  readonly folder: string;
  readonly database: string;
}

/** Verifies services, one after the other on each database. */
export class Trials {
  private readonly root = join(SERVICES, "random-services", String(process.pid));
  private readonly hosts: Readonly<Record<string, ServiceHost>>;
  private callers: Promise<RandomCallers> | null = null;

  /** Null: SQLite only. */
  constructor(private readonly postgresUrl: string | null) {
    this.hosts = {
      sqlite: new ServiceHost(),
      ...(postgresUrl !== null && { postgres: new ServiceHost() }),
    };
  }

  /** What is wrong with a service, by its schemas, at its start or by verify; `leave` is what verify knows by that name. */
  async failures(
    service: RightService,
    {
      name,
      leave,
      samples,
    }: { readonly name: string; readonly leave: boolean; readonly samples?: Samples },
  ): Promise<readonly Failure[]> {
    const project = await projectOf(service);
    if (Array.isArray(project)) return project.map((mistake) => `schema: ${mistake}`);
    const folder = await this.compiled(project, name);
    const all = await Promise.all(
      Object.keys(this.hosts).map(async (database) => {
        const found = await this.verified(project, service, [{ folder, database }, leave, samples]);
        return found.map((failure) => `${database}: ${failure}`);
      }),
    );
    return all.flat();
  }

  /** Starts a service on SQLite. */
  async start(
    project: RenderedProject,
    service: RightService,
    name: string,
  ): Promise<RunningService> {
    const folder = await this.compiled(project, name);
    return this.started(project, service, { folder, database: "sqlite" });
  }

  private async compiled({ outputs }: RenderedProject, name: string): Promise<string> {
    const folder = join(this.root, name);
    writeTree(folder, Object.fromEntries(outputs.map(({ path, text }) => [path, text ?? ""])));
    await bundleService(folder);
    return folder;
  }

  private async verified(
    project: RenderedProject,
    service: RightService,
    [place, leave, samples]: readonly [Place, boolean, Samples | undefined],
  ): Promise<readonly Failure[]> {
    try {
      const { url, tokens } = await this.started(project, service, place);
      const more = samples === undefined ? {} : { samples };
      return failuresOf(await verifyAt(project.model, url, { tokens, leave, ...more }));
    } catch (error) {
      return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
    }
  }

  private async started(
    { model: { authentication } }: RenderedProject,
    { isSecured }: RightService,
    { folder, database }: Place,
  ): Promise<RunningService> {
    const databaseUrl = await this.databaseOf(database);
    this.callers ??= randomCallers(join(folder, "../keys.json"));
    const callers = await this.callers;
    const { roles = "", tenant = null } = authentication.scheme === "bearer" ? authentication : {};
    const options = {
      ...(databaseUrl !== null && { databaseUrl }),
      ...(isSecured && {
        authentication: { ...callers.authentication, roles, ...(tenant !== null && { tenant }) },
      }),
    };
    const url = await this.hosts[database]?.start(folder, options);
    return { url: url ?? "", tokens: isSecured ? await callers.tokens() : [] };
  }

  private async databaseOf(database: string): Promise<string | null> {
    if (database === "sqlite" || this.postgresUrl === null) return null;
    const url = schemaUrl(this.postgresUrl);
    await makeSchema(url);
    return url;
  }

  /** Ends the processes, and deletes the services. */
  stop(): void {
    for (const host of Object.values(this.hosts)) host.stop();
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** A service as somebody who repeats the failure needs it. */
export function told({ schemas, code }: RightService): string {
  const files: Texts = { ...schemas, ...code };
  return Object.entries(files)
    .map(([path, text]) => `--- ${path}\n${text}`)
    .join("\n");
}
