import { setTimeout } from "node:timers/promises";
import { ask } from "../support/ask.js";
import { arenaTokens } from "../support/arena.js";
import { holds, told, type Attack } from "../support/attack.js";
import { create, newFee, newMerchant } from "../support/shop-entities.js";

const CLIENTS = 50;
const TIMES = 20;
/** Of how many attempts one increment gives up. */
const ATTEMPTS = 2000;

/** 50 clients count up 20 times each, reading and writing with If-Match: 1,000 exactly (S3, OPS-10). */
export const lostUpdate: Attack = {
  name: "lost-update",
  databases: ["sqlite", "postgres"],
  async run(arena) {
    const service = await arena.start();
    const { clerk } = await arenaTokens();
    await create(service.port, clerk, "shippingfees", newFee());
    const merchant = await create(service.port, clerk, "merchants", newMerchant());
    const path = `/api/v1/merchants/${merchant}`;
    const authorization = `Bearer ${clerk}`;
    const read = () => ask(service.port, { path, headers: { authorization } });
    if ((await read()).headers.etag === undefined) {
      return [told("increments", "not tried: the service sends no ETag")];
    }
    await ask(service.port, counted(path, authorization, 0));
    let refused = 0;
    const increment = async (): Promise<void> => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const { headers, text } = await read();
        const count = Number(/"name": "(\d+)"/.exec(text)?.[1]);
        const asked = counted(path, authorization, count + 1);
        const condition = { ...asked.headers, "if-match": headers.etag ?? "" };
        const { status } = await ask(service.port, { ...asked, headers: condition });
        if (status === 200) return;
        if (status !== 412) throw new Error(`PATCH with If-Match: ${status}`);
        refused += 1;
        // As clients do: those who all come again at once only meet again.
        await setTimeout(Math.random() * Math.min(1000, 10 * 2 ** attempt));
      }
      throw new Error(`no increment in ${ATTEMPTS} attempts`);
    };
    const client = async (): Promise<void> => {
      for (let time = 0; time < TIMES; time += 1) await increment();
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    const end = Number(/"name": "(\d+)"/.exec((await read()).text)?.[1]);
    return [
      told("refused with 412 and tried again", String(refused)),
      holds(`${CLIENTS} clients x ${TIMES} increments`, end === CLIENTS * TIMES, String(end)),
    ];
  },
};

/** The name of a merchant is its count. */
function counted(path: string, authorization: string, count: number) {
  return { method: "PATCH", path, headers: { authorization }, body: { name: String(count) } };
}
