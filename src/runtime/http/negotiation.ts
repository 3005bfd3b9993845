import { unsupportedEncoding, unsupportedMediaType } from "../base/errors.js";
import { preferences, type Preference } from "./preferences.js";

const JSON_TYPE = "application/json";
/** From the most exact one on. */
const JSON_RANGES = [JSON_TYPE, "application/*", "*/*"];
const MERGE_PATCH_TYPE = "application/merge-patch+json";
/** Distinct headers are few, and short. Others are read each time, so that nobody fills this with long ones. */
const MAXIMUM_REMEMBERED = 200;
const LONGEST_REMEMBERED = 200;

/** True when `Accept` allows JSON (REP-8): what names it most exactly decides (RFC 9110, 12.5.1). */
export const acceptsJson = remembered(
  (accept) => {
    const ranges = preferences(accept);
    // One that names nothing excludes nothing.
    if (ranges.every(({ name }) => name === "")) return true;
    if (ranges.some((range) => isJsonInUtf8(range) && range.weight > 0)) return true;
    for (const name of JSON_RANGES) {
      const weights = ranges.filter(
        (range) => range.name === name && range.parameters.length === 0,
      );
      if (weights.length > 0) return weights.some(({ weight }) => weight > 0);
    }
    return false;
  },
  ["*/*", "application/json", "application/json, text/plain, */*"],
);

/** True when `Accept-Encoding` prefers gzip to the plain body (REP-6); `x-gzip` is the same (RFC 9110, 8.4.1.3). */
export const acceptsGzip = remembered(
  (header) => {
    const codings = preferences(header);
    const weightOf = (name: string): number | undefined =>
      codings.find((coding) => coding.name === name)?.weight;
    const other = weightOf("*") ?? 0;
    const gzip = weightOf("gzip") ?? weightOf("x-gzip") ?? other;
    return gzip > 0 && gzip >= (weightOf("identity") ?? other);
  },
  ["gzip", "gzip, deflate", "gzip, deflate, br", "gzip, deflate, br, zstd"],
);

/** Throws 415 unless the headers announce a body that the method takes: plain UTF-8 JSON (REP-8, OPS-5). */
export function checkBodyType(
  method: string,
  contentType: string | undefined,
  contentEncoding: string | undefined,
): void {
  const isPatch = method === "PATCH";
  const isEncoded = contentEncoding !== undefined && contentEncoding.toLowerCase() !== "identity";
  if (isEncoded) throw unsupportedEncoding();
  if (contentType === undefined || !isJsonType(contentType, isPatch)) {
    throw unsupportedMediaType(isPatch ? [JSON_TYPE, MERGE_PATCH_TYPE] : [JSON_TYPE]);
  }
}

function isJsonInUtf8({ name, parameters }: Preference): boolean {
  return name === JSON_TYPE && parameters.length === 1 && parameters[0] === "charset=utf-8";
}

function isJsonType(contentType: string, isPatch: boolean): boolean {
  if (contentType === JSON_TYPE) return true;
  const [type = "", ...parameters] = contentType.split(";");
  const name = type.trim().toLowerCase();
  if (name !== JSON_TYPE && !(isPatch && name === MERGE_PATCH_TYPE)) return false;
  return parameters.every(isNoOtherCharset);
}

function isNoOtherCharset(parameter: string): boolean {
  const [name = "", value = ""] = parameter.split("=");
  if (name.trim().toLowerCase() !== "charset") return true;
  const charset = value.trim().replaceAll('"', "").toLowerCase();
  return charset === "utf-8" || charset === "utf8";
}

/** Remembers the verdicts on the headers seen; `allowed` are those that nearly everybody sends. */
function remembered(
  judge: (header: string) => boolean,
  allowed: readonly string[],
): (header: string | undefined, otherwise?: boolean) => boolean {
  const verdicts = new Map<string, boolean>(allowed.map((header) => [header, true]));
  return (header, otherwise = true) => {
    if (header === undefined) return otherwise;
    const known = verdicts.get(header);
    if (known !== undefined) return known;
    const verdict = judge(header);
    if (header.length > LONGEST_REMEMBERED) return verdict;
    if (verdicts.size >= MAXIMUM_REMEMBERED) verdicts.clear();
    verdicts.set(header, verdict);
    return verdict;
  };
}
