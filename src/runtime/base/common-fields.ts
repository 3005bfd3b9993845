/** Who created or changed an entity (ENT-2). */
export interface Subject {
  /**
   * A UUID: the token's `sub` if that is one, and otherwise version 5 of the issuer and the `sub` (AUT-3). To find the
   * entities of a caller, store this value, never the `sub`.
   */
  readonly subjectId: string;
  /** A name for people: the first of the claims `upn`, `preferred_username`, `email` and `sub`. It can change. */
  readonly userPrincipalName: string;
}

/** The subject of a caller without a token (AUT-3): the nil UUID. */
export const ANONYMOUS: Subject = Object.freeze({
  subjectId: "00000000-0000-0000-0000-000000000000",
  userPrincipalName: "anonymous",
});

/** Properties that the service writes on every entity, besides its identifier (ENT-1). */
export interface CommonFields {
  createdDate: string;
  createdSubject: Subject;
  lastModifiedDate: string;
  lastModifiedSubject: Subject;
}

export const COMMON_FIELDS = [
  "createdDate",
  "createdSubject",
  "lastModifiedDate",
  "lastModifiedSubject",
] as const satisfies readonly (keyof CommonFields)[];
