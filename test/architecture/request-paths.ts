import { Session, type Profiler } from "node:inspector/promises";
import { dirname, relative } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { createService } from "#runtime/service/service";
import type { ServiceRegistry } from "#runtime/http/settings";
import { compiledRuntime, loadRuntime, RUNTIME_SOURCE } from "../support/runtime.js";
import { serviceFolder } from "../support/service-folders.js";

/** The functions that run for one request, by file. */
export type RequestPath = ReadonlyMap<string, readonly string[]>;

/** The first requests compile statements and fill caches. */
const WARM_UP = 5;
/** Requests that are measured. Only functions that run in all of them are counted, because timers run in some. */
const MEASURED = 5;
const DIST = dirname(dirname(compiledRuntime("base/errors")));

/** Runs a GET, a POST and a PATCH of the minimal service; V8 counts the calls of functions. */
export async function requestPaths(): Promise<Readonly<Record<string, RequestPath>>> {
  const folder = serviceFolder("golden/minimal");
  // A path that is only known here has no types.
  const app = (await import(`${folder}/dist/generated/app.js`)) as { registry: ServiceRegistry };
  const runtime = await loadRuntime<{ createService: typeof createService }>(
    `${folder}/dist`,
    "service/service",
  );
  const service = await runtime.createService(app.registry);
  const url = `${await service.listen()}/api/v1/notes`;
  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
      headers: { "content-type": "application/json" },
    });
    if (!answer.ok) throw new Error(`${method} ${url}${path}: ${answer.status}`);
    return answer.json();
  };
  const note = (await send("POST", "", { text: "one" })) as { noteId: string };
  let texts = 0;
  const requests = {
    GET: () => send("GET", `/${note.noteId}`),
    POST: () => send("POST", "", { text: "another" }),
    PATCH: () => send("PATCH", `/${note.noteId}`, { text: `changed ${(texts += 1)}` }),
  };
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    const paths: Record<string, RequestPath> = {};
    for (const [method, request] of Object.entries(requests)) {
      for (let time = 0; time < WARM_UP; time += 1) await request();
      const measured: FunctionsRun[] = [];
      for (let time = 0; time < MEASURED; time += 1) {
        // Work that follows the response of the last request.
        await pause(50);
        // Counts restart whenever they are taken.
        await session.post("Profiler.takePreciseCoverage");
        await request();
        const { result } = await session.post("Profiler.takePreciseCoverage");
        measured.push(functionsRun(result, folder));
      }
      paths[method] = pathOf(measured);
    }
    return paths;
  } finally {
    session.disconnect();
    await service.close();
  }
}

/** Functions by file and place: many have no name. */
type FunctionsRun = ReadonlyMap<string, { readonly file: string; readonly name: string }>;

function functionsRun(scripts: readonly Profiler.ScriptCoverage[], folder: string): FunctionsRun {
  const found = scripts.flatMap(({ url, functions }) => {
    const file = url.startsWith("file:") ? fileOf(fileURLToPath(url), folder) : null;
    const called = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
    return called.flatMap(({ functionName: name, ranges: [range] }) =>
      file === null ? [] : [[`${file} ${range?.startOffset}`, { file, name }] as const],
    );
  });
  return new Map(found);
}

/** What ran in all of the measured requests, by file. */
function pathOf([first = new Map(), ...others]: readonly FunctionsRun[]): RequestPath {
  const path = new Map<string, string[]>();
  for (const [place, { file, name }] of first) {
    if (!others.every((other) => other.has(place))) continue;
    path.set(file, [...(path.get(file) ?? []), name]);
  }
  return new Map([...path].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The source of a compiled file of the runtime or of the service; null for a package. */
function fileOf(path: string, folder: string): string | null {
  const [inRuntime, inService] = [relative(DIST, path), relative(`${folder}/dist`, path)];
  if (!inRuntime.startsWith("..")) return `${RUNTIME_SOURCE}/${inRuntime.replace(/\.js$/, ".ts")}`;
  return inService.startsWith("..") ? null : `service/${inService.replace(/\.js$/, ".ts")}`;
}
