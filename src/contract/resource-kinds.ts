import { ACCEPTED, NEXT_VERSION, type ChangeKind } from "./change-kind.js";

/** Edits of a version as a whole, and of what a resource offers. */
export const RESOURCE_KINDS = {
  "base-path-changed": {
    title: "The base path changes",
    says: "The base path is {after}; it was {before}.",
    readers: "Every URL that they know is gone.",
    writers: "Every URL that they know is gone.",
    advice: "Keep basePath. Where a proxy adds a path in front of the service, say so in BASE_URL.",
  },
  "authentication-required": {
    title: "Callers need a token",
    says: "Callers need a bearer token; they needed none.",
    readers: "Requests without a token are answered 401.",
    writers: "Requests without a token are answered 401.",
    advice:
      "Give each resource `access: { read: [anyone], ... }` where it was open, and close it in the next version.",
  },
  "authentication-dropped": {
    title: "Callers need no token any more",
    says: "Callers need no token any more.",
    advice: "Nothing for clients. Make sure that what was closed to some may be open to all.",
  },
  "limit-lowered": {
    title: "A limit of requests is lowered",
    says: "{path} is {after}; it was {before}.",
    readers: "Requests or pages that were served are refused.",
    writers: "Requests that were accepted are refused.",
    advice: "Keep the limit: it is the service's, and so every version's.",
  },
  "limit-raised": {
    title: "A limit of requests is raised",
    says: "{path} is {after}; it was {before}.",
    advice: ACCEPTED,
  },
  "rate-limit-tightened": {
    title: "Fewer requests a minute are allowed",
    says: "A caller may send {after} requests a minute; it was {before}.",
    readers: "Callers who kept the old pace are answered 429.",
    writers: "Callers who kept the old pace are answered 429.",
    advice:
      "Keep requestsPerMinute, or tell the callers first: it is the service's, and so every version's.",
  },
  "rate-limit-loosened": {
    title: "More requests a minute are allowed",
    says: "A caller may send {after} requests a minute; it was {before}.",
    advice: ACCEPTED,
  },
  "resource-added": {
    title: "A resource is added",
    says: "{path} is new.",
    advice: ACCEPTED,
  },
  "resource-removed": {
    title: "A resource is removed",
    says: "{path} is gone.",
    readers: "Its paths are answered 404.",
    writers: "Its paths are answered 404.",
    advice:
      "Bring the file back. The next version can do without it; this one goes when it is retired.",
  },
  "identifier-renamed": {
    title: "The identifier is called otherwise",
    says: "The identifier is called {after}; it was {before}.",
    readers: "They look for the identifier under its old name.",
    writers: "References and conditions name it by its old name.",
    advice: "Keep `entity`, and rename it in the next version.",
  },
  "entity-renamed": {
    title: "Errors name the entity otherwise",
    says: "Errors name the entity {after}; they named it {before}.",
    readers: "They look for `{before}NotFoundMessage` and the like.",
    writers: "They look for `{before}NotFoundMessage` and the like.",
    advice: "Keep `entity`, and rename it in the next version.",
  },
  "original-changed": {
    title: "A representation shows another resource",
    says: "It shows {after}; it showed {before}.",
    readers: "The objects that they find are others.",
    writers: "What they change are other objects.",
    advice: "Give the new representation a name of its own.",
  },
  "condition-changed": {
    title: "Other objects are shown",
    says: "It shows {after}; it showed {before}.",
    readers: "Objects that they found are gone, or others appear among them.",
    writers: "Objects that they changed may be answered 404.",
    advice: "Give the new condition a representation of its own.",
  },
  "parent-added": {
    title: "Entities are created under a parent",
    says: "Entities are created under {after}; they were created at the root.",
    readers: "What they read has a reference more, which every entity needs.",
    writers: "POST at the root is answered 405.",
    advice: "Add a reference that may be null, and make it the parent in the next version.",
  },
  "parent-removed": {
    title: "Entities are no longer created under a parent",
    says: "Entities are created at the root; they were created under {before}.",
    readers: "The paths below the parent are answered 404.",
    writers: "POST below the parent is answered 404.",
    advice: NEXT_VERSION,
  },
  "parent-changed": {
    title: "Entities are created under another parent",
    says: "Entities are created under {after}; they were created under {before}.",
    readers: "The paths below the old parent are answered 404.",
    writers: "POST below the old parent is answered 404.",
    advice: NEXT_VERSION,
  },
  "operation-added": {
    title: "An operation is added",
    says: "{after} is offered now.",
    advice: ACCEPTED,
  },
  "read-operation-removed": {
    title: "Reading is no longer offered",
    says: "{before} is no longer offered.",
    readers: "The request is answered 405.",
    advice: NEXT_VERSION,
  },
  "write-operation-removed": {
    title: "Writing is no longer offered",
    says: "{before} is no longer offered.",
    writers: "The request is answered 405.",
    needs: ["create", "replace", "update", "delete"],
    advice: NEXT_VERSION,
  },
  "count-removed": {
    title: "Pages no longer say how many there are",
    says: "Pages no longer have itemCount and pageCount.",
    readers: "They count pages by them.",
    needs: ["list"],
    advice: "Keep `count: exact` here, and turn it off in the next version.",
  },
  "count-added": {
    title: "Pages say how many there are",
    says: "Pages have itemCount and pageCount now.",
    advice: ACCEPTED,
  },
  "if-match-required": {
    title: "Changes need If-Match",
    says: "A change needs If-Match now.",
    writers: "PUT, PATCH and DELETE without it are answered 428.",
    needs: ["replace", "update", "delete"],
    advice: "Keep `ifMatch: optional` here, and require it in the next version.",
  },
  "if-match-optional": {
    title: "Changes no longer need If-Match",
    says: "A change no longer needs If-Match.",
    advice: ACCEPTED,
  },
  "default-page-size-changed": {
    title: "Pages are of another size by default",
    says: "A page has {after} entities by default; it had {before}.",
    readers: "Who does not send pageSize gets other entities on each page.",
    needs: ["list"],
    advice: "Keep paging.defaultSize here, and change it in the next version.",
  },
  "maximum-page-size-lowered": {
    title: "Pages may be smaller only",
    says: "A page may have {after} entities at most; it was {before}.",
    readers: "A larger pageSize is answered 400.",
    needs: ["list"],
    advice: "Keep paging.maximumSize here, and lower it in the next version.",
  },
  "maximum-page-size-raised": {
    title: "Pages may be larger",
    says: "A page may have {after} entities at most; it was {before}.",
    advice: ACCEPTED,
  },
} as const satisfies Readonly<Record<string, ChangeKind>>;
