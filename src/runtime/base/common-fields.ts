/** Who created or changed an entity (ENT-2). */
export interface Subject {
  /** A UUID. */
  readonly subjectId: string;
  readonly userPrincipalName: string;
}

/** Who acts where nobody has to say who they are (AUT-3): the nil UUID. */
export const ANONYMOUS: Subject = Object.freeze({
  subjectId: "00000000-0000-0000-0000-000000000000",
  userPrincipalName: "anonymous",
});

/** What the service writes on every entity, besides its identifier (ENT-1). */
export interface CommonFields {
  createdDate: string;
  createdSubject: Subject;
  lastModifiedDate: string;
  lastModifiedSubject: Subject;
}
