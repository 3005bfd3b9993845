import type { Findings } from "./findings.js";
import { isMapping, own, type Mapping } from "./plain.js";

const EXAMPLES = {
  issuer: "https://login.example.com/",
  audience: "helpdesk",
  keys: "https://login.example.com/.well-known/jwks.json",
};
const NEEDED = ["issuer", "audience", "keys"] as const;
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];
/** A claim, or a path of claims, without blanks. */
const CLAIM = /^[^\s.]+(?:\.[^\s.]+)*$/;

/** AUT-1: tokens have an issuer, an audience and keys, and without tokens there are none. */
export function checkAuthentication(value: Mapping, findings: Findings): void {
  const authentication = value["authentication"];
  if (!isMapping(authentication)) return;
  const scheme = own(authentication, "scheme");
  if (scheme === "none") refuseTokenKeys(authentication, findings);
  if (scheme !== "bearer") return;
  for (const key of NEEDED.filter((name) => own(authentication, name) === undefined)) {
    const at = { path: ["authentication", "scheme"] };
    const suggestion =
      `Add \`${key}: ${EXAMPLES[key]}\`, for example; ` +
      `the environment can say another one (AUTH_${key.toUpperCase()}).`;
    findings.add("AUT-1", at, { problem: `the scheme "bearer" needs "${key}"` }, { suggestion });
  }
  tell("issuer", emptyProblem("issuer", own(authentication, "issuer")), findings);
  tell("audience", emptyProblem("audience", own(authentication, "audience")), findings);
  tell("keys", keysProblem(own(authentication, "keys")), findings);
  tell("roles", rolesProblem(own(authentication, "roles")), findings);
}

function refuseTokenKeys(authentication: Mapping, findings: Findings): void {
  for (const key of [...NEEDED, "roles"].filter(
    (name) => own(authentication, name) !== undefined,
  )) {
    const at = { path: ["authentication", key], part: "key" } as const;
    const problem = `"${key}" is about tokens, and the scheme "none" has none`;
    findings.add("AUT-1", at, { problem }, { suggestion: "Write scheme: bearer, or remove it." });
  }
}

function tell(key: string, problem: string | null, findings: Findings): void {
  if (problem !== null) findings.add("AUT-1", { path: ["authentication", key] }, { problem });
}

function emptyProblem(key: string, text: unknown): string | null {
  return typeof text === "string" && text.trim() === "" ? `"${key}" is empty` : null;
}

function rolesProblem(path: unknown): string | null {
  if (typeof path !== "string" || CLAIM.test(path)) return null;
  return "the roles stand at a path of claims with dots between them, as in realm_access.roles";
}

/** A URL that nobody can change on the way, or a file of the project. */
function keysProblem(keys: unknown): string | null {
  if (typeof keys !== "string") return null;
  if (keys.includes("://")) return urlProblem(keys);
  const steps = keys.split("/");
  const isInside = !/^[/\\~]|^[a-z]:|[\\\0]/i.test(keys) && !steps.includes("..") && keys !== "";
  return isInside
    ? null
    : "the keys are at an https URL, or in a file inside the project, as in keys/jwks.json";
}

function urlProblem(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) return `"${text}" is no URL`;
  if (url.username !== "" || url.password !== "") return "the URL holds a password";
  if (url.protocol === "https:") return null;
  if (url.protocol === "http:" && LOOPBACK.includes(url.hostname)) return null;
  return "the keys come over https, since anybody on the way could put in others";
}
