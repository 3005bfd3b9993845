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

/** AUT-1: with tokens, issuer, audience and keys are required; without tokens, they are refused. */
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
      `the environment can override it (AUTH_${key.toUpperCase()}).`;
    findings.add("AUT-1", at, { key }, { suggestion });
  }
  for (const key of ["issuer", "audience"] as const) {
    const text = own(authentication, key);
    if (typeof text !== "string" || text.trim() !== "") continue;
    const suggestion = `Write \`${key}: ${EXAMPLES[key]}\`, for example.`;
    findings.add("SCH-73", { path: ["authentication", key] }, { key }, { suggestion });
  }
  checkRoles(own(authentication, "roles"), findings);
  checkKeys(own(authentication, "keys"), findings);
}

function refuseTokenKeys(authentication: Mapping, findings: Findings): void {
  for (const key of [...NEEDED, "roles"].filter(
    (name) => own(authentication, name) !== undefined,
  )) {
    const at = { path: ["authentication", key], part: "key" } as const;
    findings.add("SCH-72", at, { key }, { suggestion: "Write scheme: bearer, or remove it." });
  }
}

function checkRoles(path: unknown, findings: Findings): void {
  if (typeof path !== "string" || CLAIM.test(path)) return;
  const suggestion = "Write realm_access.roles, for example.";
  findings.add("SCH-74", { path: ["authentication", "roles"] }, { value: path }, { suggestion });
}

/** The keys come over https, or from a file of the project. */
function checkKeys(keys: unknown, findings: Findings): void {
  if (typeof keys !== "string") return;
  if (keys.includes("://")) return checkUrl(keys, findings);
  const steps = keys.split("/");
  const isInside = !/^[/\\~]|^[a-z]:|[\\\0]/i.test(keys) && !steps.includes("..") && keys !== "";
  if (isInside) return;
  const suggestion = "Write keys/jwks.json or an https URL, for example.";
  findings.add("SCH-75", KEYS, { value: keys }, { suggestion });
}

function checkUrl(text: string, findings: Findings): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  const suggestion = `Write ${EXAMPLES.keys}, for example.`;
  if (url === null) return findings.add("SCH-76", KEYS, { value: text }, { suggestion });
  if (url.username !== "" || url.password !== "") {
    return findings.add(
      "SCH-77",
      KEYS,
      {},
      { suggestion: "Remove it from the URL, and change the password." },
    );
  }
  if (url.protocol === "https:") return;
  if (url.protocol === "http:" && LOOPBACK.includes(url.hostname)) return;
  findings.add("SCH-78", KEYS, {}, { suggestion: "Write https." });
}

const KEYS = { path: ["authentication", "keys"] } as const;
