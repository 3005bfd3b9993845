import { ask } from "../support/ask.js";
import { arenaTokens } from "../support/arena.js";
import { atMost, holds, told, type Attack } from "../support/attack.js";
import { copyRows } from "../support/many-rows.js";
import { pause } from "../support/pause.js";
import { bystander } from "../support/probe.js";
import { create, fillShop, newMethod, newUser } from "../support/shop-entities.js";

const CHILDREN = 200_000;

/** A parent is deleted with 200,000 children, in one transaction. */
export const cascade: Attack = {
  name: "cascade",
  databases: ["sqlite", "postgres"],
  async run(arena) {
    const service = await arena.start();
    const tokens = await arenaTokens();
    const { merchants } = await fillShop(service.port, tokens);
    const user = await create(service.port, tokens.clerk, "users", newUser());
    const child = await create(
      service.port,
      tokens.clerk,
      `users/${user}/communicationmethods`,
      newMethod(),
    );
    await copyRows(arena, {
      ...{ table: "communicationmethods", idColumn: "communicationMethodId", id: child },
      count: CHILDREN,
    });
    const probe = bystander(service.port, tokens.clerk, [`/api/v1/merchants/${merchants[0]}`]);
    await pause(500);
    const began = performance.now();
    const headers = { authorization: `Bearer ${tokens.clerk}` };
    const deleted = await ask(service.port, {
      method: "DELETE",
      path: `/api/v1/users/${user}`,
      headers,
    });
    const seconds = (performance.now() - began) / 1000;
    await pause(300);
    const { most } = await probe.stop();
    const left = await ask(service.port, {
      path: "/api/v1/communicationmethods?pageSize=1",
      headers,
    });
    const count = Number(/"itemCount": (\d+)/.exec(left.text)?.[1]);
    return [
      told("the deletion takes", `${seconds.toFixed(1)} s`),
      holds("it is answered with 204", deleted.status === 204, String(deleted.status)),
      // Those of the other users.
      holds("all children are gone", count === 10, `${count} left`),
      atMost("the longest that a small read waits", most, 200, " ms"),
    ];
  },
};
