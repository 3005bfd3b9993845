import type { Texts } from "./render-files.js";

/** An ordinary design, as a file for each resource. */
export interface Design {
  readonly name: string;
  readonly resources: Readonly<Record<string, string>>;
}

const USERS =
  "entity: user\nproperties: { name: { type: string, required: true, maxLength: 80 } }\n";

/** Designs that a developer comes with, and that the contract allows; no two have a resource in common but users. */
export const LEGAL_DESIGNS: readonly Design[] = [
  {
    name: "texts that others have given, and external identifiers of any form",
    resources: {
      payers: `entity: payer
properties:
  taxId: { type: string, maxLength: 30, unique: true }
  externalId: { type: string, maxLength: 60, filterable: true }
  stripeCustomerId: { type: string, maxLength: 60 }
  account: { reference: accounts, external: true, identifier: string, embed: [name], filterable: true }
`,
    },
  },
  {
    name: "an embed in a list",
    resources: {
      users: USERS,
      teams: `entity: team
properties:
  members: { type: array, items: { reference: users, embed: [name] }, maxItems: 50, filterable: true }
`,
    },
  },
  {
    name: "order lines with products, and references inside an object",
    resources: {
      users: USERS,
      products: `entity: product
properties:
  title: { type: string, required: true, maxLength: 80 }
  price: { type: decimal, scale: 2 }
`,
      purchases: `entity: purchase
properties:
  delivery: { type: object, properties: { driver: { reference: users, embed: [name], filterable: true }, note: { type: string, maxLength: 40 } } }
  lines:
    type: array
    minItems: 1
    maxItems: 20
    items:
      type: object
      properties:
        product: { reference: products, required: true, embed: [title, price], filterable: true }
        quantity: { type: integer, required: true, minimum: 1, filterable: range }
`,
    },
  },
  {
    name: "users, their orders, and the shipments of these",
    resources: {
      users: USERS,
      orders:
        "entity: order\nparent: users\nproperties: { note: { type: string, maxLength: 40 } }\n",
      shipments:
        "entity: shipment\nparent: orders\nproperties: { label: { type: string, maxLength: 40 } }\n",
    },
  },
  {
    name: "the URLs of two parents",
    resources: {
      users: USERS,
      merchants: "entity: merchant\nproperties: { title: { type: string, maxLength: 80 } }\n",
      bookings: `entity: booking
properties:
  user: { reference: users, required: true, listedUnder: true, embed: [name] }
  merchant: { reference: merchants, listedUnder: true }
  note: { type: string, maxLength: 40, filterable: true }
aliases: { noted: { where: { note: { not: null } } } }
`,
    },
  },
  {
    name: "currency and country codes",
    resources: {
      offices: `entity: office
properties:
  currency: { type: string, format: currencyCode, required: true, filterable: true }
  country: { type: string, format: countryCode, filterable: true, sortable: true }
`,
    },
  },
  {
    name: "ranges, aliases that only sort, and alternatives",
    resources: {
      invoices: `entity: invoice
properties:
  total: { type: decimal, scale: 2, filterable: range, sortable: true }
  dueDate: { type: string, format: date, filterable: range, sortable: true }
  status: { enum: [draft, sent, paid], default: draft, filterable: true }
commonFilters: [createdDate]
aliases:
  newest: { sort: [-createdDate] }
  urgent: { where: { any: [{ total: { atLeast: 1000 } }, { status: sent }] }, sort: [dueDate] }
`,
    },
  },
  {
    name: "a search in several properties, those of others among them, and dates relative to today",
    resources: {
      users: USERS,
      tasks: `entity: task
properties:
  title: { type: string, required: true }
  hints: { type: array, items: string }
  user: { reference: users, embed: [name] }
  dueDate: { type: string, format: date, sortable: true }
search: [title, user.name, hints]
paging: { next: true }
aliases:
  duesoon: { where: { dueDate: { withinNext: 7d } }, sort: [dueDate] }
  overdue: { where: { dueDate: { lessThan: today } } }
`,
    },
  },
  {
    name: "values that are unique together",
    resources: {
      users: USERS,
      seats: `entity: seat
properties:
  user: { reference: users, required: true }
  row: { type: integer, required: true, minimum: 1 }
unique: [[user, row]]
`,
    },
  },
  {
    name: "plurals that are not the last word of a name",
    resources: {
      skus: `entity: sku
properties:
  daysOfWeek: { type: array, items: { enum: [monday, tuesday] } }
  unitsInStock: { type: array, items: integer }
  history: { type: array, items: string, exempt: { NAM-3: a word of the trade } }
`,
    },
  },
  {
    name: "a tree",
    resources: {
      categories: `entity: category
properties:
  name: { type: string, required: true, maxLength: 80, sortable: true }
  above: { reference: categories, embed: [name], listedUnder: true }
`,
    },
  },
];

/** The schemas of some designs as one project. */
export function projectOf(designs: readonly Design[]): Texts {
  const files = designs
    .flatMap(({ resources }) => Object.entries(resources))
    .map(([plural, text]) => [`resources/v1/${plural}.yaml`, `resource: ${plural}\n${text}`]);
  return {
    "service.yaml": "service: desk\nversions: { v1: draft }\n",
    ...Object.fromEntries(files),
  } as Texts;
}
