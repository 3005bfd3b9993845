import { expect, test } from "vitest";
import { renderValid } from "../../support/render-files.js";
import { SECURED } from "../model/model-of.js";

const ORDERS = "resource: orders\nentity: order\nproperties: { title: string }\n";
const OPEN = "access: { read: [anyone], create: [anyone], update: [anyone], delete: [anyone] }\n";
const BOXES = "resource: boxes\nentity: box\nparent: orders\nproperties: { label: string }\n";

test.each([
  {
    name: "a parent that everybody may delete, and children that not",
    orders: ORDERS + OPEN,
    boxes: `${BOXES}access: { delete: [role:clerk] }\n`,
    want: "    hooks: orderHooks,\n    children: guardChildren({ boxes: boxAccess }),\n  }),",
    asks: true,
  },
  {
    name: "a parent with access of its own",
    orders: `${ORDERS}access: { delete: [role:keeper] }\n`,
    boxes: `${BOXES}access: { delete: [role:clerk] }\n`,
    want: "    access: orderAccess,\n    children: guardChildren({ boxes: boxAccess }),\n  }),",
    asks: true,
  },
  {
    name: "children that go with whoever may delete their parent",
    orders: ORDERS + OPEN,
    boxes: BOXES + OPEN,
    want: "    hooks: orderHooks,\n  }),",
    asks: false,
  },
])("own code is asked for access to $name", async ({ orders, boxes, want, asks }) => {
  const { outputs } = await renderValid({
    "service.yaml": SECURED,
    "resources/v1/orders.yaml": orders,
    "resources/v1/boxes.yaml": boxes,
  });
  const app = outputs.find(({ path }) => path === "src/generated/app.ts")?.text ?? "";
  expect(app).toContain(want);
  expect(app.includes("  guardChildren,\n")).toBe(asks);
});
