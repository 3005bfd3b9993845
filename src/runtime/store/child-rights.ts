/** Which children of one parent may be deleted with it: all, those of the one who deletes it, or none. */
export type ChildRight = "all" | "own" | "none";

/** Which children of an entity its deletion may take along, by the plural of their resource. */
export type ChildRights = ReadonlyMap<string, ChildRight>;

/** To all of them. */
export const ALL_RIGHTS: ChildRights = new Map();
