import type { ValueFilter } from "./query.js";

/** Where the store keeps who has created an entity. */
export const CREATOR = "createdSubject.subjectId";

/** That a subject stands at a path. */
export function subjectFilter(path: string, subjectId: string): ValueFilter {
  return { path, contains: false, values: [subjectId], orNull: false };
}
