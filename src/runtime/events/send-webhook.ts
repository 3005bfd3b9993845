import { Agent, request as httpRequest, type ClientRequest } from "node:http";
import { Agent as SecureAgent, request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import { CLOUD_EVENT_TYPE } from "./cloud-event.js";
import type { Webhook } from "./event-sinks.js";
import { isPublic, lookUpPublic, PrivateAddress } from "./public-addresses.js";
import { signatureHeaders } from "./signature.js";

/** The limits of one response; its connection is closed beyond them. */
const MOST_MILLISECONDS = 15_000;
const MOST_BYTES = 16_384;
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
          if (response.socket.bytesRead - before > MOST_BYTES) request.destroy();
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
