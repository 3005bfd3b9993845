import { isTimeZone, timeZoneNames } from "#runtime/base/time";
import { didYouMean } from "../diagnostics/advice.js";
import { nearest } from "../naming/nearest.js";
import { checkAmbiguousText } from "./check-ambiguous.js";
import type { Findings } from "./findings.js";
import { own, mapping, type Mapping } from "./plain.js";

/** Paths that the service answers beside its resources: a base path cannot begin with one. */
const BUILT_IN = ["/healthz", "/readyz", "/metrics", "/docs"];

/** Texts for the OpenAPI document mean the same to every YAML parser. */
export function checkTexts(value: Mapping, findings: Findings): void {
  for (const key of ["title", "description"]) checkAmbiguousText(value[key], [key], findings);
}

/** VER-1: the name of a version is v and a number. */
export function checkVersionNames(value: Mapping, findings: Findings): void {
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
export function checkOrigins(value: Mapping, findings: Findings): void {
  const { origins } = mapping(own(value, "cors"));
  if (!Array.isArray(origins)) return;
  for (const [index, origin] of origins.entries()) {
    if (typeof origin !== "string" || origin === "*") continue;
    const scheme = /^(?:localhost|127\.)/.test(origin) ? "http" : "https";
    const whole = /^[\w.-]+(?::[0-9]+)?$/.test(origin) ? `${scheme}://${origin}` : origin;
    const url = URL.canParse(whole) ? new URL(whole) : null;
    const isWeb = url !== null && /^https?:$/.test(url.protocol);
    if (isWeb && url.origin === origin) continue;
    const suggestion = isWeb ? { suggestion: didYouMean(url.origin) } : {};
    findings.add("SCH-222", { path: ["cors", "origins", index] }, { origin }, suggestion);
  }
}

/** A time zone has a name of the IANA, as that writes it. */
export function checkTimeZone({ timeZone }: Mapping, findings: Findings): void {
  if (typeof timeZone !== "string") return;
  const known = timeZoneNames();
  const isMiswritten = known.some(
    (one) => one !== timeZone && one.toLowerCase() === timeZone.toLowerCase(),
  );
  if (isTimeZone(timeZone) && !isMiswritten) return;
  const city = `/${timeZone.toLowerCase().replaceAll(" ", "_")}`;
  const near = known.find((one) => one.toLowerCase().endsWith(city)) ?? nearest(timeZone, known);
  const suggestion = near === null ? "Write Europe/Berlin, for example." : didYouMean(near);
  findings.add("SCH-438", { path: ["timeZone"] }, { name: timeZone }, { suggestion });
}

/** VER-1, SCH-121: a base path has no version of its own, and none of the service's paths begins with it. */
export function checkBasePath({ basePath }: Mapping, findings: Findings): void {
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
