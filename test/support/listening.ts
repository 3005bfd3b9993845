import { IS_AT } from "#runtime/service/service";

const LISTENING = new RegExp(`${IS_AT}(http:\\S+?:(\\d+)),`);

/** Where a service listens, as its log says; null: it does not say so yet. */
export function listeningIn(log: string): { readonly url: string; readonly port: number } | null {
  const [, url, port] = LISTENING.exec(log) ?? [];
  return url === undefined ? null : { url, port: Number(port) };
}
