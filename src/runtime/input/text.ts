import { isIPv4, isIPv6 } from "node:net";

import { counted } from "../base/texts.js";
import { isCalendarDate } from "../base/time.js";
import { isBlank, wrongType, type Reader } from "./reader.js";

/** Lengths are in Unicode code points (LIM-1). */
export interface TextRule {
  readonly minLength?: number;
  readonly maxLength: number;
  /** Must not have the flags `g` and `y`, which keep state between texts. */
  readonly pattern?: RegExp;
  readonly format?: TextFormat;
}

// PostgreSQL stores no NUL, and half a surrogate pair is not a character.
const NOT_STORABLE = /[\0\ud800-\udfff]/u;

/** The issue of a longer text is its length, and not its format. */
const LONGEST_OF_FORMAT = 100;

/** Reads a string; white space is kept. */
export function text(rule: TextRule): Reader<string> {
  return (value, path, report) => {
    const issue = typeof value === "string" ? textIssue(value, rule) : wrongType(value, "a string");
    if (issue !== null) report.add(path, issue);
    return typeof value === "string" ? value : "";
  };
}

/** Returns the issue of a string that cannot be stored, or null. */
export function storageIssue(value: string): string | null {
  if (!NOT_STORABLE.test(value)) return null;
  return value.includes("\0")
    ? "must not contain the character NUL"
    : "must not contain half of a surrogate pair";
}

function textIssue(value: string, rule: TextRule): string | null {
  if (isBlank(value)) return "must not be empty";
  const length = lengthIssue(value, rule);
  // `must be a date` helps more than a length, for example for a timestamp.
  if (length !== null)
    return value.length > LONGEST_OF_FORMAT ? length : (formatIssue(value, rule) ?? length);
  return storageIssue(value) ?? formIssue(value, rule);
}

/** Counts code points only if the number of UTF-16 units does not decide. */
function lengthIssue(value: string, { minLength = 0, maxLength }: TextRule): string | null {
  const units = value.length;
  if (units <= maxLength && units >= 2 * minLength) return null;
  const length = countCodePoints(value);
  if (length > maxLength) {
    return `must be at most ${counted(maxLength, "character")} long, and is ${length}`;
  }
  if (length < minLength) {
    return `must be at least ${counted(minLength, "character")} long, and is ${length}`;
  }
  return null;
}

function formIssue(value: string, rule: TextRule): string | null {
  const { pattern } = rule;
  if (pattern !== undefined && !pattern.test(value)) {
    return `must match the pattern ${pattern.source}`;
  }
  return formatIssue(value, rule);
}

function formatIssue(value: string, { format }: TextRule): string | null {
  if (format === undefined || FORMATS[format].matches(value)) return null;
  return `must be ${FORMATS[format].description}`;
}

function countCodePoints(value: string): number {
  let count = value.length;
  for (let index = 0; index < value.length - 1; index++) {
    if (isHigh(value.charCodeAt(index)) && isLow(value.charCodeAt(index + 1))) {
      count--;
      index++;
    }
  }
  return count;
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/**
 * The currencies of ISO 4217, funds and metals included, as of 2026. Withdrawn ones remain, because old
 * amounts are in them.
 */
export const CURRENCY_CODES: readonly string[] = (
  "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN " +
  "BWP BYN BZD CAD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN " +
  "ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD " +
  "JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT " +
  "MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG " +
  "QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT " +
  "TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAD XAF XAG XAU " +
  "XBA XBB XBC XBD XCD XCG XDR XOF XPD XPF XPT XSU XTS XUA YER ZAR ZMW ZWG"
).split(" ");

/** The countries of ISO 3166-1 by their two letters, as of 2026. */
export const COUNTRY_CODES: readonly string[] = (
  "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR " +
  "BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ " +
  "EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW " +
  "GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY " +
  "KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV " +
  "MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY " +
  "QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG " +
  "TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM " +
  "ZW"
).split(" ");

/** The forms of text that a schema can ask for. */
export type TextFormat =
  | "email"
  | "uri"
  | "hostname"
  | "ipv4"
  | "ipv6"
  | "date"
  | "currencyCode"
  | "countryCode"
  | "languageTag"
  | "time"
  | "duration";

/** How a form is checked, and how a message describes it. */
interface FormatRule {
  readonly matches: (text: string) => boolean;
  /** `an email address, such as name@example.com` */
  readonly description: string;
  /** The whole rule as a regular expression, if it can be one and JSON Schema has no keyword for it. */
  readonly pattern?: string;
}

const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const LABELS = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`, "i");
const ALL_DIGITS = /^\d+$/;
// RFC 3986: the characters of each part. The URL standard decides their meaning.
const ESCAPED = "%[0-9a-f]{2}";
const USER = `(?:[\\w.~!$&'()*+,;=:-]|${ESCAPED})*`;
const HOST = `(?:\\[[0-9a-f:.]+\\]|(?:[\\w.~!$&'()*+,;=-]|${ESCAPED})*)`;
const PATH = `(?:[\\w.~!$&'()*+,;=:@/-]|${ESCAPED})*`;
const QUERY = `(?:[\\w.~!$&'()*+,;=:@/?-]|${ESCAPED})*`;
const AUTHORITY = `//(?:${USER}@)?${HOST}(?::\\d*)?(?=[/?#]|$)`;
const ABSOLUTE_URI = new RegExp(
  `^[a-z][a-z0-9+.-]*:(?:${AUTHORITY}|(?!//))${PATH}(?:\\?${QUERY})?(?:#${QUERY})?$`,
  "i",
);

// RFC 5646 (BCP 47), in the one spelling that its section 2.1.1 recommends: well-formed, and not looked up in a registry.
const LANGUAGE = "(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})(?:-[A-Z][a-z]{3})?";
const REGION = "(?:-(?:[A-Z]{2}|[0-9]{3}))?(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*";
const EXTENSIONS = "(?:-[0-9a-wyz](?:-[a-z0-9]{2,8})+)*";
const PRIVATE = "x(?:-[a-z0-9]{1,8})+";
const IRREGULAR =
  "en-GB-oed|i-(?:ami|bnn|default|enochian|hak|klingon|lux|mingo|navajo|pwn|tao|tay|tsu)|sgn-(?:BE-(?:FR|NL)|CH-DE)";
const LANGUAGE_TAG = new RegExp(
  `^(?:${LANGUAGE}${REGION}${EXTENSIONS}(?:-${PRIVATE})?|${PRIVATE}|${IRREGULAR})$`,
);
const TIME_OF_DAY = /^(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9])?$/;
// ISO 8601: weeks exclude all other parts, and something follows each of the letters P and T.
const COUNT = "[0-9]{1,9}";
const SECONDS = `${COUNT}(?:\\.${COUNT})?S`;
const HOURS = `T(?:${COUNT}H(?:${COUNT}M)?(?:${SECONDS})?|${COUNT}M(?:${SECONDS})?|${SECONDS})`;
const DAYS = `(?:${COUNT}Y(?:${COUNT}M)?(?:${COUNT}D)?|${COUNT}M(?:${COUNT}D)?|${COUNT}D)`;
const DURATION = new RegExp(`^P(?:${COUNT}W|${DAYS}(?:${HOURS})?|${HOURS})$`);

/** Every form, by its name in a schema. */
export const FORMATS: Readonly<Record<TextFormat, FormatRule>> = {
  email: { matches: isEmail, description: "an email address, such as name@example.com" },
  uri: { matches: isUri, description: "an absolute URI, such as https://example.com/path" },
  hostname: { matches: isHostname, description: "a host name, such as www.example.com" },
  ipv4: { matches: isIPv4, description: "an IPv4 address, such as 192.0.2.1" },
  ipv6: { matches: isPlainIPv6, description: "an IPv6 address, such as 2001:db8::1" },
  date: { matches: isCalendarDate, description: "a real date in the form yyyy-MM-dd" },
  currencyCode: closed(anyOf(CURRENCY_CODES), "a currency code of ISO 4217, such as EUR"),
  countryCode: closed(anyOf(COUNTRY_CODES), "a two-letter country code of ISO 3166-1, such as SE"),
  languageTag: closed(LANGUAGE_TAG, "a language tag of BCP 47, such as en or pt-BR"),
  time: closed(TIME_OF_DAY, "a time of day in the form HH:mm or HH:mm:ss"),
  duration: closed(DURATION, "a duration of ISO 8601, such as PT1H30M or P14D"),
};

/** A form that a regular expression describes completely. */
function closed(form: RegExp, description: string): FormatRule {
  return { matches: (text) => form.test(text), description, pattern: form.source };
}

function anyOf(codes: readonly string[]): RegExp {
  return new RegExp(`^(?:${codes.join("|")})$`);
}

/** An address that mail can reach: no quoted or commented parts, a domain of two labels or more. */
function isEmail(text: string): boolean {
  if (text.length > 254) return false;
  const at = text.lastIndexOf("@");
  if (at < 1 || at > 64 || !LOCAL_PART.test(text.slice(0, at))) return false;
  const domain = text.slice(at + 1);
  const lastPoint = domain.lastIndexOf(".");
  return lastPoint > 0 && isHostname(domain) && !ALL_DIGITS.test(domain.slice(lastPoint + 1));
}

/** A URI with a scheme, in the characters of RFC 3986, that the URL standard can parse. */
function isUri(text: string): boolean {
  return ABSOLUTE_URI.test(text) && URL.canParse(text);
}

/** Labels of letters, digits and inner hyphens, 253 characters in all (RFC 1123). */
function isHostname(text: string): boolean {
  return text.length <= 253 && LABELS.test(text);
}

/** A zone (`fe80::1%eth0`) means something on one machine only. */
function isPlainIPv6(text: string): boolean {
  return isIPv6(text) && !text.includes("%");
}
