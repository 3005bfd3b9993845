import { isIPv6 } from "node:net";

import { NOBODY, type Caller } from "./caller.js";

const MAPPED_IPV4 = /^::ffff:(?=[\d.]+$)/i;
const LONGEST_ADDRESS = 45;
const GROUPS_OF_A_NETWORK = 4;

/** Tells callers apart: by the subject, or by the address of one that nobody knows; a connection that was closed has none. */
export function callerKey(caller: Caller, address: string | undefined): string {
  return caller === NOBODY ? networkOf(address ?? "") : caller.subject.subjectId;
}

/** An IPv4 address, or the network of an IPv6 one: whoever has one of those has 2^64 of them. */
function networkOf(address: string): string {
  const plain = address.replace(MAPPED_IPV4, "");
  // What a proxy passes on may be any text.
  if (!isIPv6(plain)) return plain.slice(0, LONGEST_ADDRESS);
  const [head = "", tail] = plain.split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => "0");
  const groups = [...first, ...(tail === undefined ? [] : zeros), ...last];
  return groups
    .slice(0, GROUPS_OF_A_NETWORK)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ""))
    .join(":");
}
