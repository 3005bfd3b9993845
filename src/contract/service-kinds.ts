import { ACCEPTED, type ChangeKind } from "./change-kind.js";

/** Edits of a version as a whole, which is the service as its clients see it. */
export const SERVICE_KINDS = {
  "base-path-changed": {
    title: "The base path changes",
    says: "The base path is {after}; it was {before}.",
    readers: "Every URL that they know is gone.",
    writers: "Every URL that they know is gone.",
    moving: "Ask for {after} where you asked for {before}.",
    isOfAll: true,
    advice: "Keep basePath. Where a proxy adds a path in front of the service, say so in BASE_URL.",
  },
  "authentication-required": {
    title: "Callers need a token",
    says: "Callers need a bearer token; they needed none.",
    readers: "Requests without a token are answered 401.",
    writers: "Requests without a token are answered 401.",
    moving: "Send a bearer token with every request.",
    isOfAll: true,
    advice:
      "Give each resource `access: { read: [anyone], ... }` where it was open, and close it in the next version.",
  },
  "authentication-dropped": {
    title: "Callers need no token any more",
    says: "Callers need no token any more.",
    advice: "Nothing for clients. Make sure that what was closed to some may be open to all.",
  },
  "origin-removed": {
    title: "Web pages of an origin can no longer call it",
    says: "Web pages of {before} can no longer call the service.",
    readers: "The browser keeps answers from those pages.",
    writers: "The browser does not send what those pages ask of it.",
    moving: "Call it from a page of an origin that is listed, or from a server.",
    isOfAll: true,
    advice:
      "Keep the origin, or tell those who run the pages: it is the service's, and so every version's.",
  },
  "origin-added": {
    title: "Web pages of another origin can call it",
    says: "Web pages of {after} can call the service.",
    advice: "Nothing for clients. Make sure that those pages are meant to.",
  },
  "limit-lowered": {
    title: "A limit of requests is lowered",
    says: "{path} is {after}; it was {before}.",
    readers: "Requests or pages that were served are refused.",
    writers: "Requests that were accepted are refused.",
    moving: "Keep requests and pages below the limit.",
    isOfAll: true,
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
    isOperational: true,
    advice: "Announce it to callers who keep a higher pace: they are answered 429.",
  },
  "rate-limit-loosened": {
    title: "More requests a minute are allowed",
    says: "A caller may send {after} requests a minute; it was {before}.",
    isOperational: true,
    advice: ACCEPTED,
  },
  "time-out-changed": {
    title: "A request may take another time",
    says: "{path} is {after}; it was {before}.",
    isOperational: true,
    advice: "Announce a shorter time to callers with slow requests: they are answered 504.",
  },
} as const satisfies Readonly<Record<string, ChangeKind>>;
