/** Routes of a service's own, whose bodies are inferred from each reader that custom-code.md lists. */
export const OWN_BODIES = `import { route } from "./generated/app.js";
import { boolean, decimal, integer, list, nullable, number, oneOf, shape, text, timestamp, uuid, withDefault } from "@rulebound/runtime";

type IsSame<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only where both types are the same. */
function isSame<A, B>(same: IsSame<A, B>): boolean {
  return same;
}

const at = { method: "POST", path: "/api/v1/imports" } as const;

export const routes = [
  route({ ...at, body: { x: list(uuid(), { maxItems: 20 }) }, handle: ({ body }) => isSame<typeof body, { x: string[] }>(true) }),
  route({ ...at, body: { x: oneOf(["small", "large"]) }, handle: ({ body }) => isSame<typeof body, { x: "small" | "large" }>(true) }),
  route({ ...at, body: { x: nullable(integer()) }, handle: ({ body }) => isSame<typeof body, { x: number | null }>(true) }),
  route({ ...at, body: { x: withDefault(integer(), 1) }, handle: ({ body }) => isSame<typeof body, { x: number }>(true) }),
  route({ ...at, body: { x: shape({ y: decimal({ scale: 2 }) }) }, handle: ({ body }) => isSame<typeof body, { x: { y: string } }>(true) }),
  // A plain reader beside others, and a method that is async.
  route({
    ...at,
    body: { x: boolean(), y: withDefault(oneOf(["small", "large"]), "small"), z: nullable(list(timestamp())) },
    async handle({ body: { x, y, z }, id, search }) {
      isSame<typeof x, boolean>(true);
      isSame<typeof y, "small" | "large">(true);
      isSame<typeof z, string[] | null>(true);
      return search.get(id);
    },
  }),
  route({
    ...at,
    body: {
      lines: list(
        shape({
          size: oneOf(["small", "large"]),
          price: nullable(shape({ amount: number(), notes: withDefault(list(text({ maxLength: 9 })), []) })),
        }),
      ),
    },
    handle({ body: { lines } }) {
      return isSame<typeof lines, { size: "small" | "large"; price: { amount: number; notes: string[] } | null }[]>(true);
    },
  }),
  // @ts-expect-error The body has no such property.
  route({ ...at, body: { x: list(integer()) }, handle: ({ body }) => body.y }),
  // @ts-expect-error There is no body.
  route({ ...at, handle: ({ body }) => body.x }),
];
`;
