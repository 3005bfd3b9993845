import type { JsonObject } from "./client.js";

const LEAVES = {
  since: "2024-02-29T23:59:59.999Z",
  note: "a note",
  fee: "12.50",
  key: "0190a5d2-7c4e-7b1a-9f3e-2d4c6b8a0e1f",
  labels: ["left", "right"],
};

/** A crate with every property that a client can set, at every depth. */
export const FULL_CRATE: JsonObject = {
  title: "spare parts",
  ...LEAVES,
  dates: [LEAVES.since],
  fees: [LEAVES.fee],
  keys: [LEAVES.key],
  exact: "7",
  spot: {
    ...LEAVES,
    shelf: { ...LEAVES, colour: "navyBlue", tight: true, width: 3, weight: 1.5 },
  },
  lots: [
    { ...LEAVES, shelf: { ...LEAVES, code: "abc" } },
    { ...LEAVES, shelf: { ...LEAVES, code: "def" } },
  ],
};

/** The places where a crate has the same kinds: the prefix of `fields`, and a body that has a value there. */
export const DEPTHS: readonly {
  readonly depth: string;
  readonly prefix: string;
  readonly path: string;
  readonly bodyWith: (values: JsonObject) => JsonObject;
}[] = [
  {
    depth: "at the top",
    prefix: "",
    path: "",
    bodyWith: (values) => ({ title: "t", ...values }),
  },
  {
    depth: "in an object",
    prefix: "spot.",
    path: "spot.",
    bodyWith: (values) => ({ title: "t", spot: values }),
  },
  {
    depth: "two objects deep",
    prefix: "spot.shelf.",
    path: "spot.shelf.",
    bodyWith: (values) => ({ title: "t", spot: { shelf: values } }),
  },
  {
    depth: "in a list of objects",
    prefix: "lots[1].",
    path: "lots.1.",
    bodyWith: (values) => ({ title: "t", lots: [{}, values] }),
  },
  {
    depth: "in an object of a list of objects",
    prefix: "lots[1].shelf.",
    path: "lots.1.shelf.",
    bodyWith: (values) => ({ title: "t", lots: [{}, { shelf: values }] }),
  },
];
