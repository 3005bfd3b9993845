import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { emittedText, PROJECTS } from "../support/projects.js";
import { compiledClients } from "./generate-clients.js";

const ID = "identifier";

/** The methods of a client, or of an object in it. */
interface Methods {
  readonly [name: string]: Methods | ((...parameters: readonly string[]) => unknown);
}

/** Calls each method once, and those of what `of<Parent>` returns. `all` sends what `list` sends. */
async function callEach(methods: Methods): Promise<void> {
  for (const [name, member] of Object.entries(methods)) {
    if (name === "all") continue;
    if (typeof member !== "function") await callEach(member);
    else if (/^of[A-Z]/.test(name)) await callEach(member(ID) as Methods);
    // Of what they answer, nothing is right.
    else await expect(member(ID, ID)).rejects.toMatchObject({ type: "unknown" });
  }
}

test.each(PROJECTS)(
  "%s: each operation has one method, and no method is without",
  async (project) => {
    const folder = await compiledClients(project, "operations");
    const document = JSON.parse(await emittedText(project, "openapi/v1.json")) as {
      readonly servers: readonly { readonly url: string }[];
      readonly paths: Readonly<Record<string, object>>;
    };
    const prefix = document.servers[0]?.url ?? "";
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((method) => /^(?:get|post|put|patch|delete)$/.test(method))
        .map((method) => `${method.toUpperCase()} ${prefix}${path.replace(/\{\w+\}/g, ID)}`),
    );
    const sent: string[] = [];
    const record = async (url: string, { method }: { method: string }) => {
      sent.push(`${method} ${new URL(url).pathname}`);
      return Promise.resolve(new Response("[]"));
    };
    const { createClient } = (await import(resolve(join(folder, "client/v1/dist/index.js")))) as {
      createClient: (options: { baseUrl: string; fetch: typeof record }) => Methods;
    };
    await callEach(createClient({ baseUrl: "http://service.test", fetch: record }));
    expect(sent.sort()).toEqual(operations.sort());
  },
);
