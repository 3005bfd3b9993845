/** The endings of the types that emitted code declares for each entity besides its own. */
export const DERIVED_TYPES = ["Properties", "Hooks", "References"] as const;

/** The same of an entity with actions. */
export const ACTION_TYPES = ["Actions", "ActionController"] as const;

/** The endings of types that are derived from bodies: nested types alone could be called so. */
export const BODY_TYPES = ["BodyReferences"] as const;

/** The endings of schemas of the OpenAPI document, before `Dto`. */
export const DERIVED_SCHEMAS = ["Create", "Replace", "Update", "Page"] as const;

/** The endings of constants that files of other entities import: `ticketAccess`. An entity could be called so. */
export const DERIVED_VALUES = ["Access", "Scope", "Table"] as const;

/** The endings of the types of what an action is sent, and of what it answers. */
export const ACTION_BODIES = { input: "Input", answers: "Answer" } as const;

type Ending =
  | (typeof DERIVED_TYPES | typeof ACTION_TYPES | typeof BODY_TYPES)[number]
  | (typeof DERIVED_SCHEMAS | typeof DERIVED_VALUES)[number];

/** `TicketPage` of `Ticket`. What emitters make of an entity's name, the lists above know, and SCH-19 looks at these. */
export function derivedName(name: string, ending: Ending): string {
  return name + ending;
}
