/** Sends signed events to webhooks, by default only to public addresses. */

import { createHmac } from "node:crypto";
import { lookup, type LookupAddress, type LookupOptions } from "node:dns";
import { Agent, request as httpRequest, type ClientRequest } from "node:http";
import { Agent as SecureAgent, request as httpsRequest } from "node:https";
import { isIP, BlockList } from "node:net";

import { CLOUD_EVENT_TYPE, type Webhook } from "./event-sinks.js";

/** The limits of one response. Its connection is closed beyond them. */
const MOST_MILLISECONDS = 15_000;
const MOST_ANSWER_BYTES = 16_384;
const MOST_INTERIM_RESPONSES = 8;
const IDLE_MILLISECONDS = 5000;

/** The result of a delivery. */
export interface Delivery {
  /** The reason of a refusal. Null means that the event was accepted. */
  readonly refusal: string | null;
  /** Resolves when the connection is idle or closed, because the rest of a response can take longer than its status. */
  readonly released: Promise<unknown>;
}

/** Sends events to webhooks, within limits that a receiver cannot extend. */
export class WebhookSender {
  // Two pools, so that an event for a public address never uses a connection to a private one.
  private readonly publicAgents = agents({ lookup: lookUpPublic });
  private readonly privateAgents = agents({});
  /** Requests that have a status, and whose response has not ended. */
  private readonly answered = new Set<ClientRequest>();
  private isStopping = false;

  /** Throws with the reason if there was no response. */
  async send(webhook: Webhook, id: string, body: string): Promise<Delivery> {
    const url = new URL(webhook.url);
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const isPrivate = webhook.isPrivate === true;
    // An IP address in the URL is not looked up.
    if (!isPrivate && isIP(host) !== 0 && !isPublic(host)) throw new PrivateAddress(host);
    const headers = {
      "content-type": CLOUD_EVENT_TYPE,
      "content-length": Buffer.byteLength(body),
      ...signatureHeaders(webhook.secrets, id, body),
    };
    const { http, https } = isPrivate ? this.privateAgents : this.publicAgents;
    const options = { method: "POST", headers };
    const request =
      url.protocol === "https:"
        ? httpsRequest(url, { ...options, agent: https })
        : httpRequest(url, { ...options, agent: http });
    request.end(body);
    const released = new Promise((resolve) => request.once("close", resolve));
    const status = await this.statusOf(request);
    const isAccepted = status >= 200 && status <= 299;
    return { refusal: isAccepted ? null : `It was answered with ${status}.`, released };
  }

  /** Closes connections as soon as they have a status, without waiting for the rest of a response. */
  stop(): void {
    this.isStopping = true;
    for (const request of this.answered) request.destroy();
  }

  close(): void {
    for (const { http, https } of [this.publicAgents, this.privateAgents]) {
      http.destroy();
      https.destroy();
    }
  }

  private statusOf(request: ClientRequest): Promise<number> {
    return new Promise((resolve, reject) => {
      const end = (reason: string): void => void request.destroy(new Error(reason));
      const late = `No response in ${MOST_MILLISECONDS} ms.`;
      const timer = setTimeout(() => end(late), MOST_MILLISECONDS);
      let interim = 0;
      request.on("information", () => {
        interim += 1;
        // Only once, because more interim responses may be parsed after the connection is closed.
        if (interim === MOST_INTERIM_RESPONSES + 1)
          end(`More than ${interim - 1} interim responses.`);
      });
      let before = 0;
      request.once("socket", ({ bytesRead }) => (before = bytesRead));
      request.once("response", (response) => {
        resolve(response.statusCode ?? 0);
        if (this.isStopping) return void request.destroy();
        this.answered.add(request);
        // The content is ignored, but must be read so that the connection can be reused.
        response.on("error", () => undefined);
        response.on("data", () => {
          if (response.socket.bytesRead - before > MOST_ANSWER_BYTES) request.destroy();
        });
      });
      request.on("error", reject);
      request.once("close", () => {
        clearTimeout(timer);
        this.answered.delete(request);
        // Without effect after a response. A switch of protocols ends a request without an error.
        reject(new Error("The connection was closed without a response."));
      });
    });
  }
}

function agents(options: object): { readonly http: Agent; readonly https: SecureAgent } {
  const kept = { keepAlive: true, timeout: IDLE_MILLISECONDS, ...options };
  return { http: new Agent(kept), https: new SecureAgent(kept) };
}

const PREFIX = "whsec_";
const [LEAST_BYTES, MOST_BYTES] = [24, 64];
/** The form of a secret in words. */
export const SECRET_FORM = `${PREFIX} and ${LEAST_BYTES} to ${MOST_BYTES} bytes in base64 with + and /`;

/** Returns the headers that prove the sender of an event (Standard Webhooks 1.0). */
function signatureHeaders(
  secrets: readonly string[],
  id: string,
  body: string,
  seconds = Math.floor(Date.now() / 1000),
): Record<string, string> {
  const signed = `${id}.${seconds}.${body}`;
  const signatures = secrets.map(
    (secret) => `v1,${createHmac("sha256", keyOf(secret)).update(signed).digest("base64")}`,
  );
  return {
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": signatures.join(" "),
  };
}

/** Reports whether a string is a valid secret. Libraries of receivers accept only base64 as in RFC 4648, section 4. */
export function isSecret(secret: string): boolean {
  const key = keyOf(secret);
  const isExact = PREFIX + key.toString("base64") === secret;
  return isExact && key.length >= LEAST_BYTES && key.length <= MOST_BYTES;
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : "", "base64");
}

/** Addresses of no public host (RFC 6890 and others). */
const PRIVATE = new BlockList();
for (const subnet of [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"],
  ...["172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16"],
  ...["198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"],
  ...["::/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23"],
  ...["2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10"],
  ...["fec0::/10", "ff00::/8"],
]) {
  const [address = "", bits = ""] = subnet.split("/");
  PRIVATE.addSubnet(address, Number(bits), address.includes(":") ? "ipv6" : "ipv4");
}

/** Reports whether an address is public. The address of an IPv4 host in IPv6 form counts as IPv4. */
export function isPublic(address: string): boolean {
  return !PRIVATE.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

type Found = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/** Looks up a host for a connection. Refuses it if any of its addresses is not public. */
export function lookUpPublic(host: string, options: LookupOptions, found: Found): void {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return found(error, []);
    const hidden = addresses.find(({ address }) => !isPublic(address));
    if (hidden !== undefined) return found(new PrivateAddress(host), []);
    if (options.all === true) return found(null, addresses);
    const [first] = addresses;
    found(null, first?.address ?? "", first?.family);
  });
}

/** A webhook without `isPrivate` has an address in a private network. */
export class PrivateAddress extends Error {
  override readonly name = "PrivateAddress";

  constructor(host: string) {
    super(
      `${host} is an address of a private network. Set isPrivate of the webhook if that is meant.`,
    );
  }
}
