import { createHmac } from "node:crypto";
import { lookup, type LookupAddress, type LookupOptions } from "node:dns";
import { Agent, request as httpRequest, type ClientRequest } from "node:http";
import { Agent as SecureAgent, request as httpsRequest } from "node:https";
import { isIP, BlockList } from "node:net";

import { CLOUD_EVENT_TYPE } from "./cloud-event.js";
import type { Webhook } from "./event-sinks.js";

/** The limits of one response; its connection is closed beyond them. */
const MOST_MILLISECONDS = 15_000;
const MOST_ANSWER_BYTES = 16_384;
const MOST_INTERIM_RESPONSES = 8;
const IDLE_MILLISECONDS = 5000;

/** What became of a delivery. */
export interface Delivery {
  /** Why the event was refused; null: it was accepted. */
  readonly refusal: string | null;
  /** Resolves when the connection is idle or closed: the rest of a response can take longer than its status. */
  readonly released: Promise<unknown>;
}

/** Sends events to webhooks, within bounds that a receiver cannot stretch. */
export class WebhookSender {
  // Two pools, so that an event for a public address never travels on a connection to a private one.
  private readonly publicAgents = agents({ lookup: lookUpPublic });
  private readonly privateAgents = agents({});
  /** Requests that have their status, and not the end of their response. */
  private readonly answered = new Set<ClientRequest>();
  private isStopping = false;

  /** Throws where there was no response; the message says why. */
  async send(webhook: Webhook, id: string, body: string): Promise<Delivery> {
    const url = new URL(webhook.url);
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const isPrivate = webhook.isPrivate === true;
    // An address in the URL is not looked up.
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

  /** Closes connections as soon as they have a status, and does not wait for the rest of a response. */
  stop(): void {
    this.isStopping = true;
    for (const request of this.answered) request.destroy();
  }

  /** Closes all connections. */
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
        // Once: those that came with it are parsed after the connection is closed.
        if (interim === MOST_INTERIM_RESPONSES + 1)
          end(`More than ${interim - 1} interim responses.`);
      });
      let before = 0;
      request.once("socket", ({ bytesRead }) => (before = bytesRead));
      request.once("response", (response) => {
        resolve(response.statusCode ?? 0);
        if (this.isStopping) return void request.destroy();
        this.answered.add(request);
        // Its content does not matter: it is read so that the connection can be used again.
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
/** The form of a secret, in words. */
export const SECRET_FORM = `${PREFIX} and ${LEAST_BYTES} to ${MOST_BYTES} bytes in base64 with + and /`;

/** The headers by which a receiver knows that an event is of this service: Standard Webhooks 1.0. */
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

/** Whether a text can be a secret. Libraries of consumers read only base64 as RFC 4648, section 4, writes it. */
export function isSecret(secret: string): boolean {
  const key = keyOf(secret);
  const isExact = PREFIX + key.toString("base64") === secret;
  return isExact && key.length >= LEAST_BYTES && key.length <= MOST_BYTES;
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : "", "base64");
}

/** RFC 6890 and its like: addresses that are of no public host. */
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

/** Whether an address is of a public host. An IPv4 address within IPv6 is looked at as what it is. */
export function isPublic(address: string): boolean {
  return !PRIVATE.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

type Found = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/** Looks a host up for a connection, and refuses it where one of its addresses is not public: what is asked is what is used. */
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

/** A webhook leads into a private network, which it may not unless it says `isPrivate`. */
export class PrivateAddress extends Error {
  override readonly name = "PrivateAddress";

  constructor(host: string) {
    super(
      `${host} is an address of a private network. Set isPrivate of the webhook if that is meant.`,
    );
  }
}
