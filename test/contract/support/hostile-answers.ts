import { expect } from "vitest";
import type { Answer, Client } from "./client.js";
import { expectError, type ErrorElement } from "./errors.js";
import {
  HOSTILE_CASES,
  rawBytes,
  type HostileCase,
  type PreparedRequest,
} from "./hostile-requests.js";
import { logOf, type ServiceProcess } from "./service-process.js";
import { onWire } from "./wire.js";

/** Where the corpus leaves a choice, or says otherwise, the rules decide. */
const RULES_DECIDE: Readonly<Record<string, readonly [status: number, rule: string]>> = {
  "REQ-001": [400, "ERR-2: bytes that are no request are malformed"],
  "REQ-002": [501, "ERR-2: a method that nobody knows"],
  "REQ-003": [501, "ERR-2: a method that nobody knows"],
  "REQ-010": [414, "LIM-1: the URL"],
  "REQ-011": [431, "LIM-1: the headers"],
  "REQ-012": [431, "LIM-1: the headers"],
  "REQ-019": [408, "ERR-2: a half-sent request"],
  "REQ-026": [415, "REP-8: the type is judged before the body is read"],
  "REQ-032": [200, "an upgrade that is not offered is ignored (RFC 9110)"],
  "REQ-034": [200, "the whole URL is a request target (RFC 9112)"],
  "REQ-035": [405, "OPS-7"],
  "REQ-077": [415, "REP-8: a body that is encoded"],
  "REQ-076": [415, "REP-8: a body that is encoded"],
  "REQ-078": [200, "a body on a GET is ignored (RFC 9110)"],
  "REQ-082": [404, "VER-1"],
  "REQ-091": [404, "IDN-4"],
  "REQ-092": [404, "IDN-4"],
  "REQ-093": [404, "IDN-4"],
  "REQ-094": [404, "ERR-2: a path that is nothing"],
  "REQ-095": [404, "IDN-4"],
  "REQ-096": [404, "IDN-4"],
  "REQ-098": [404, "IDN-4"],
  "REQ-101": [404, "IDN-4"],
  "REQ-102": [404, "IDN-4"],
  "REQ-158": [400, "Numbers: a decimal is a JSON string"],
  "REQ-162": [400, "REP-2: white space for a required property"],
  "REQ-169": [201, "ENT-3: what the service writes is ignored"],
  "REQ-170": [201, "ENT-3: what the service writes is ignored"],
  "REQ-184": [201, "REP-3: null is [] first"],
  "REQ-201": [200, "ENT-3: what the service writes is ignored"],
  "REQ-204": [200, "OPS-5: any subset"],
  "REQ-231": [200, "QRY-3: an empty value matches null"],
  "REQ-242": [400, "QRY-6: a value of the wrong type"],
  "REQ-261": [400, "QRY-6: out of bounds"],
};

/** Refused for what its body says, not for its bytes: the connection stays usable. */
const ENDS_WHERE_IT_SAYS: ReadonlySet<string> = new Set(["REQ-028"]);

/** The cases that no HTTP client would send, and all others. */
export const ON_WIRE = HOSTILE_CASES.filter(({ request }) => request.raw !== undefined);
export const REQUESTS = HOSTILE_CASES.filter(({ request }) => request.raw === undefined);

/** Cases as `test.each` prints them. */
export function rows(
  cases: readonly HostileCase[],
): readonly (readonly [id: string, what: string, hostile: HostileCase])[] {
  return cases.map((hostile) => [hostile.id, hostile.what, hostile] as const);
}

/** The statuses that the rules, or else the corpus, permit. */
export function permitted({ id, status }: HostileCase): readonly number[] {
  const ruled = RULES_DECIDE[id];
  return ruled === undefined ? status : [ruled[0]];
}

/** Every answer from 400 up is one error of the contract, and tells nothing of the inside. */
export function expectContract(answer: Answer, statuses: readonly number[]): ErrorElement | null {
  expect(statuses, answer.text.slice(0, 500)).toContain(answer.status);
  if (answer.status < 400) return null;
  const [, type = ""] = /"type": "(\w+Message)"/.exec(answer.text) ?? [];
  const element = expectError(answer, answer.status, type);
  expect(answer.text).not.toMatch(/\bat .*\.[jt]s:|node_modules|SQLITE|SELECT |canary/);
  return element;
}

/** Sends the bytes of a case; the answer is one, and the connection ends where nothing behind it can be understood. */
export async function attackOnWire(service: Client, hostile: HostileCase): Promise<void> {
  const bytes = rawBytes(hostile.request.raw ?? "");
  const { answers, closed } = await onWire(service, bytes, { quietMilliseconds: 5000 });
  expect(answers).toHaveLength(1);
  const [answer] = answers;
  if (answer === undefined) return;
  expectContract(answer, permitted(hostile));
  // What comes behind such bytes on the connection cannot be told apart any more.
  const isOver = [400, 408, 413, 414, 417, 431].includes(answer.status);
  if (isOver && !ENDS_WHERE_IT_SAYS.has(hostile.id)) expect(closed).toBe(true);
}

/** By how many bytes a warm process grows when it answers the corpus four times more. */
export async function growth(
  service: Client,
  prepared: (hostile: HostileCase) => PreparedRequest,
): Promise<number> {
  const quick = REQUESTS.filter(({ id }) => !["REQ-077", "REQ-142", "REQ-143"].includes(id));
  const round = async () => {
    for (const hostile of quick) {
      const { method, path, headers, body } = prepared(hostile);
      await service.send(method, path, { headers, ...(body !== undefined && { body }) });
    }
    for (const { id, request } of ON_WIRE) {
      if (id !== "REQ-019")
        await onWire(service, rawBytes(request.raw ?? ""), { quietMilliseconds: 50 });
    }
    return Number((await service.read("/memory"))["bytes"]);
  };
  const warm = Math.max(await round(), await round());
  let last = 0;
  for (let times = 0; times < 4; times += 1) last = await round();
  return last - warm;
}

/** The process stops when it is asked to, has told of every request, and of no fault. */
export async function expectQuietEnd(running: ServiceProcess): Promise<void> {
  running.child.kill("SIGTERM");
  const { code, output } = await running.ended;
  expect([code, output.stderr]).toEqual([0, ""]);
  const lines = logOf(output);
  expect(lines.length).toBeGreaterThan(HOSTILE_CASES.length);
  expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
  // 501 is what ERR-2 says of a method that nobody knows.
  const faults = lines.filter(({ status = 0 }) => status >= 500 && status !== 501);
  expect(faults).toEqual([]);
}
