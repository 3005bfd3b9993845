import { ask, type Answer } from "../support/ask.js";
import { arenaTokens } from "../support/arena.js";
import { atMost, told, type Attack, type Finding } from "../support/attack.js";
import {
  create,
  newMerchant,
  newMethod,
  newOrder,
  newTicket,
  newUser,
  uniqueName,
} from "../support/shop-entities.js";

const CLIENTS = 12;

/** A client of one service. */
class Racer {
  constructor(
    readonly port: number,
    readonly token: string,
  ) {}

  send(method: string, path: string, body?: object): Promise<Answer> {
    const headers = { authorization: `Bearer ${this.token}` };
    return ask(this.port, { method, path: `/api/v1/${path}`, headers, ...(body && { body }) });
  }

  make(path: string, body: object): Promise<string> {
    return create(this.port, this.token, path, body);
  }
}

/** Runs once what several clients do at once; says what was broken by it, or null. */
type Race = (racer: Racer) => Promise<string | null>;

const RACES: readonly (readonly [what: string, race: Race])[] = [
  ["the same unique value is created", sameValue],
  ["one order takes two ways at once", twoWays],
  ["a user goes while children are made", deleteOrChild],
  ["a user goes while tickets refer to it", deleteOrReference],
];

/** What several clients do to the same entities at the same time: invariants hold, and nobody gets a 5xx. */
export const races: Attack = {
  name: "races",
  databases: ["sqlite", "postgres"],
  async run(arena) {
    const rounds = arena.bySize({ short: 5, usual: 213, long: 2000 });
    const service = await arena.start();
    const { clerk } = await arenaTokens();
    const racer = new Racer(service.port, clerk);
    const findings: Finding[] = [told("races of each kind", String(rounds))];
    for (const [what, race] of RACES) {
      const broken: string[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const problem = await race(racer);
        if (problem !== null) broken.push(problem);
      }
      if (broken.length > 0) process.stderr.write(`${broken.slice(0, 3).join("\n")}\n`);
      findings.push(atMost(`${what}: broken`, broken.length, 0));
    }
    return findings;
  },
};

async function sameValue(racer: Racer): Promise<string | null> {
  const email = `race-${uniqueName()}@example.com`;
  const answers = await times(() => racer.send("POST", "users", { ...newUser(), email }));
  return statusesBut(answers, { 201: 1, 409: CLIENTS - 1 });
}

async function twoWays(racer: Racer): Promise<string | null> {
  const user = await racer.make("users", newUser());
  const merchant = await racer.make("merchants", newMerchant());
  const path = `orders/${await racer.make("orders", newOrder(user, merchant))}`;
  await racer.send("PATCH", path, { status: "packed" });
  const answers = await times((index) =>
    racer.send("PATCH", path, { status: index % 2 === 0 ? "shipped" : "cancelled" }),
  );
  const done = answers.filter(({ status }) => status === 200);
  const ways = new Set(done.map(({ text }) => /"status": "(\w+)"/.exec(text)?.[1]));
  const others = answers.filter(({ status }) => status !== 200 && status !== 409);
  if (done.length > 0 && ways.size === 1 && others.length === 0) return null;
  return `${[...ways].join(" and ")}; ${answers.map(({ status }) => status).join()}`;
}

async function deleteOrChild(racer: Racer): Promise<string | null> {
  const user = `users/${await racer.make("users", newUser())}`;
  const deleting = racer.send("DELETE", user);
  const answers = await times(() =>
    racer.send("POST", `${user}/communicationmethods`, newMethod()),
  );
  if ((await deleting).status !== 204) return `DELETE: ${(await deleting).status}`;
  const left = answers.filter(({ status }) => status === 201).map(idOf);
  const found = await Promise.all(
    left.map((id) => racer.send("GET", `communicationmethods/${id}`)),
  );
  if (found.some(({ status }) => status !== 404)) return "a child without its parent";
  return statusesBut(answers, { 201: left.length, 404: CLIENTS - left.length });
}

async function deleteOrReference(racer: Racer): Promise<string | null> {
  const user = await racer.make("users", newUser());
  const [deleted, ...answers] = await Promise.all([
    racer.send("DELETE", `users/${user}`),
    ...Array.from({ length: CLIENTS }, () => racer.send("POST", "tickets", newTicket(user))),
  ]);
  const made = answers.filter(({ status }) => status === 201);
  const { status } = await racer.send("GET", `users/${user}`);
  const isGone = deleted.status === 204;
  if (isGone && (made.length > 0 || status !== 404)) return "a ticket that refers to nothing";
  if (!isGone && (deleted.status !== 409 || status !== 200)) return `DELETE: ${deleted.status}`;
  return statusesBut(answers, { 201: made.length, 400: CLIENTS - made.length });
}

function times(send: (index: number) => Promise<Answer>): Promise<readonly Answer[]> {
  return Promise.all(Array.from({ length: CLIENTS }, (_, index) => send(index)));
}

function idOf({ text }: Answer): string {
  return /": "([^"]+)"/.exec(text)?.[1] ?? "";
}

/** Null when the answers have these statuses, each so often. */
function statusesBut(
  answers: readonly Answer[],
  expected: Readonly<Record<number, number>>,
): string | null {
  const differs = Object.entries(expected).some(
    ([status, count]) =>
      answers.filter((answer) => answer.status === Number(status)).length !== count,
  );
  return differs ? answers.map(({ status }) => status).join() : null;
}
