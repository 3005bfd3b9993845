import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ask } from "../support/ask.js";
import { arenaTokens } from "../support/arena.js";
import { holds, type Arena, type Attack, type Finding } from "../support/attack.js";
import { create, newUser } from "../support/shop-entities.js";

/** What is done to the file of a running service. */
const CASES: readonly (readonly [what: string, harm: (file: string) => void])[] = [
  ["the file is deleted", (file) => rmSync(file)],
  ["the file and what belongs to it are deleted", (file) => removeAll(file)],
  ["the file is moved away", (file) => renameSync(file, `${file}.old`)],
  ["the file is replaced by an empty one", (file) => replaceByEmpty(file)],
  ["-wal is deleted", (file) => rmSync(`${file}-wal`)],
];

/** The file of a running service is deleted or replaced: no write is acknowledged that is lost (S24). */
export const databaseFile: Attack = {
  name: "database-file",
  databases: ["sqlite"],
  async run(arena) {
    const findings: Finding[] = [];
    for (const [what, harm] of CASES) findings.push(...(await harmed(arena, what, harm)));
    return findings;
  },
};

async function harmed(
  arena: Arena,
  what: string,
  harm: (file: string) => void,
): Promise<readonly Finding[]> {
  const folder = join(arena.folder, what.replaceAll(" ", "-"));
  mkdirSync(folder);
  const file = join(folder, "shop.db");
  const variables = { DATABASE_URL: `sqlite:${file}` };
  const { clerk } = await arenaTokens();
  const headers = { authorization: `Bearer ${clerk}` };
  const service = await arena.start({ variables });
  const { port } = service;
  const known = [await create(port, clerk, "users", newUser())];
  harm(file);
  const ready = await ask(port, { path: "/readyz" });
  const write = await ask(port, {
    method: "POST",
    path: "/api/v1/users",
    headers,
    body: newUser(),
  });
  if (write.status === 201) known.push(/": "([^"]+)"/.exec(write.text)?.[1] ?? "");
  await service.end("SIGTERM");
  const [isStarted, lost] = await restarted(arena, variables, known);
  return [
    holds(
      `${what}: a write is refused, or kept`,
      write.status === 503 || lost === 0,
      String(write.status),
    ),
    holds(`${what}: /readyz`, ready.status === 503, String(ready.status)),
    holds(
      `${what}: the next start refuses, or has everything`,
      !isStarted || lost === 0,
      isStarted ? `started without ${lost} of ${known.length} users` : "refused",
    ),
  ];
}

/** Whether it starts again, and how many users it has lost then. */
async function restarted(
  arena: Arena,
  variables: Readonly<Record<string, string>>,
  known: readonly string[],
): Promise<readonly [isStarted: boolean, lost: number]> {
  const { clerk } = await arenaTokens();
  const headers = { authorization: `Bearer ${clerk}` };
  const again = await arena.start({ variables }).catch(() => null);
  if (again === null) return [false, known.length];
  const looks = known.map((id) => ask(again.port, { path: `/api/v1/users/${id}`, headers }));
  const lost = (await Promise.all(looks)).filter(({ status }) => status !== 200).length;
  await again.end("SIGTERM");
  return [true, lost];
}

function removeAll(file: string): void {
  for (const end of ["", "-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
}

function replaceByEmpty(file: string): void {
  removeAll(file);
  writeFileSync(file, "");
}
