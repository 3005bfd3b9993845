import type { ResourceModel } from "../model/resource-model.js";

/** The operations of a resource, as flags for templates (OPS-9). */
export interface OperationsView {
  readonly creates: boolean;
  readonly lists: boolean;
  readonly reads: boolean;
  readonly replaces: boolean;
  readonly updates: boolean;
  readonly deletes: boolean;
}

/** The same, with what follows from them. */
export interface Offered extends OperationsView {
  /** Any operation that reads a body. */
  readonly writes: boolean;
}

/** Turns the list of operations into flags. */
export function operationsOf({ operations }: ResourceModel): Offered {
  const creates = operations.includes("create");
  const replaces = operations.includes("replace");
  const updates = operations.includes("update");
  return {
    creates,
    lists: operations.includes("list"),
    reads: operations.includes("read"),
    replaces,
    updates,
    deletes: operations.includes("delete"),
    writes: creates || replaces || updates,
  };
}

/** A representation that creates nothing changes only what is stored already. */
export function canBeNew(resource: ResourceModel): boolean {
  return !resource.isRepresentation || operationsOf(resource).creates;
}
