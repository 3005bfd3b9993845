import { entity, runtime, resource, type Mutant } from "./mutant.js";

/** OPS-11, STA-1: actions beside the six operations, and what is theirs alone. */
export const ACTION_MUTANTS: readonly Mutant[] = [
  {
    rule: "OPS-11",
    file: runtime("entity/actions"),
    find: "if (states !== undefined) this.states?.checkAction(entity, states);",
    replace: "",
    why: "an action is carried out in any state",
  },
  {
    rule: "OPS-11",
    file: runtime("entity/actions"),
    find: "action.enter?.(next);",
    replace: "",
    why: "an action does not lead to its state",
  },
  {
    rule: "STA-1",
    file: entity("deliveries.states"),
    find: 'planned: ["underway"]',
    replace: 'planned: ["underway", "cancelled"]',
    why: "a PATCH does what only an action may",
  },
  {
    rule: "OPS-11",
    file: runtime("input/objects"),
    find: "const input = new BodyInput(body);",
    replace:
      "const input = Object.assign(new BodyInput(body), { refuseUnknown: () => undefined });",
    why: "an action takes what its input does not have",
  },
  {
    rule: "OPS-11",
    file: resource("deliveries.actions"),
    find: "() => noContent()",
    replace: '() => ({ ...noContent(), status: 200, body: "{}" })',
    why: "an action that answers nothing answers something",
  },
  {
    rule: "OPS-11",
    file: runtime("entity/actions"),
    find: "checkPreconditions(stored.revision, headers, false);",
    replace: "",
    why: "an action takes no notice of If-Match",
  },
  {
    rule: "OPS-11",
    service: "secured",
    file: resource("parcels.actions"),
    find: 'update: ["owner"]',
    replace: 'update: ["authenticated"]',
    why: "an action is done by whom its access does not name",
  },
  {
    rule: "OPS-11",
    file: runtime("entity/actions"),
    find: "await lookUp(references, call)",
    replace: "await resolveOwn(references, { written: body, before: body }, call.context)",
    why: "an action is sent a reference to what is not there",
  },
  {
    rule: "OPS-11",
    file: runtime("entity/actions"),
    find: "before: null",
    replace: "before: written",
    why: "an action answers references without what they embed",
  },
  {
    rule: "OPS-11",
    service: "secured",
    file: resource("parcels.actions"),
    find: "vault: vaultAccess,",
    replace: "",
    why: "an action is sent a reference to what its caller may not read",
  },
];
