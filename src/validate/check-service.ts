import { didYouMean } from "../diagnostics/advice.js";
import { checkAmbiguousText } from "./check-ambiguous.js";
import { checkAuthentication } from "./check-authentication.js";
import { checkStatuses } from "./check-status.js";
import type { Findings } from "./findings.js";
import { own, mapping, type Mapping } from "./plain.js";

/** Paths that the service answers beside its resources: a base path cannot begin with one. */
const BUILT_IN = ["/healthz", "/readyz", "/metrics", "/docs"];

/** The rules of service.yaml that a JSON Schema cannot express. */
export function checkService(value: Mapping, findings: Findings): void {
  checkBasePath(value["basePath"], findings);
  checkOrigins(value, findings);
  checkPaging(value, findings);
  checkAuthentication(value, findings);
  checkStatuses(value, findings);
  for (const key of ["title", "description"]) checkAmbiguousText(value[key], [key], findings);
  for (const name of Object.keys(mapping(value["versions"]))) {
    if (/^v[1-9][0-9]{0,8}$/.test(name)) continue;
    findings.add("VER-1", { path: ["versions", name], part: "key" }, { name });
  }
}

/** QRY-5: the default size is one that a caller could ask for. */
export function checkPaging(value: Mapping, findings: Findings): void {
  const { defaultSize, maximumSize } = mapping(own(value, "paging"));
  if (typeof defaultSize !== "number" || typeof maximumSize !== "number") return;
  if (defaultSize <= maximumSize) return;
  findings.add("SCH-106", { path: ["paging", "defaultSize"] }, { defaultSize, maximumSize });
}

/** An origin is a scheme, a host and a port, as browsers send it. */
function checkOrigins(value: Mapping, findings: Findings): void {
  const { origins } = mapping(own(value, "cors"));
  if (!Array.isArray(origins)) return;
  for (const [index, origin] of origins.entries()) {
    if (typeof origin !== "string" || origin === "*") continue;
    const url = URL.canParse(origin) ? new URL(origin) : null;
    const isWeb = url !== null && /^https?:$/.test(url.protocol);
    if (isWeb && url.origin === origin) continue;
    const suggestion = isWeb ? { suggestion: didYouMean(url.origin) } : {};
    findings.add("SCH-222", { path: ["cors", "origins", index] }, { origin }, suggestion);
  }
}

function checkBasePath(basePath: unknown, findings: Findings): void {
  if (typeof basePath !== "string") return;
  const version = basePath.split("/").find((step) => /^v[0-9]+$/.test(step));
  if (version !== undefined) {
    const without = basePath.split("/").filter((step) => step !== version);
    const suggestion = didYouMean(without.join("/") || "/");
    findings.add("SCH-192", { path: ["basePath"] }, { basePath, name: version }, { suggestion });
  }
  const taken = BUILT_IN.find((path) => basePath === path || basePath.startsWith(`${path}/`));
  if (taken === undefined) return;
  const suggestion = didYouMean("/api");
  findings.add("SCH-121", { path: ["basePath"] }, { basePath, taken }, { suggestion });
}
