import { request as httpRequest } from "node:http";
import { request as httpsRequest, type RequestOptions } from "node:https";
import { isIP } from "node:net";
import { CLOUD_EVENT_TYPE } from "./cloud-event.js";
import type { Webhook } from "./event-sinks.js";
import { isPublic, lookUpPublic, PrivateAddress } from "./public-addresses.js";
import { signatureHeaders } from "./signature.js";

const WAIT_MILLISECONDS = 15_000;

/** Sends an event to a webhook. Throws where it is not answered with 2xx; the message says why. */
export async function sendWebhook(webhook: Webhook, id: string, body: string): Promise<void> {
  const url = new URL(webhook.url);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isPrivate = webhook.isPrivate === true;
  // What is an address already is not looked up.
  if (!isPrivate && isIP(host) !== 0 && !isPublic(host)) throw new PrivateAddress(host);
  const headers = {
    "content-type": CLOUD_EVENT_TYPE,
    "content-length": Buffer.byteLength(body),
    ...signatureHeaders(webhook.secrets, id, body),
  };
  const options = { method: "POST", headers, ...(!isPrivate && { lookup: lookUpPublic }) };
  const status = await statusOf(url, options, body);
  if (status < 200 || status > 299) throw new Error(`It was answered with ${status}.`);
}

function statusOf(url: URL, options: RequestOptions, body: string): Promise<number> {
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(WAIT_MILLISECONDS);
    const sent = send(url, { ...options, signal }, (answer) => {
      resolve(answer.statusCode ?? 0);
      // Nobody reads what it says, and a long one ends with the connection.
      answer.resume();
    });
    sent.on("error", (error) =>
      reject(signal.aborted ? new Error(`No response in ${WAIT_MILLISECONDS} ms.`) : error),
    );
    sent.end(body);
  });
}
