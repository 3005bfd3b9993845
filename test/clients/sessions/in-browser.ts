import {
  createClient,
  etagOf,
  isServiceError,
} from "../../.services/clients/fixtures/contract/client/v1/src/index.js";

/** What a web page does with the service of fixtures/contract, and what it reads of that. */
export async function session(url: string) {
  const { widgets } = createClient({ baseUrl: url });
  const made = await widgets.create({ name: "drill", size: 0 });
  const { widgetId: id } = made;
  await widgets.update(id, { size: 1 }, { ifMatch: etagOf(made) });
  const late = widgets.update(id, { size: 9 }, { ifMatch: etagOf(made) });
  const refusal: unknown = await late.catch((error: unknown) => error);
  const add = ({ size }: { size: number | null }) => ({ size: (size ?? 0) + 1 });
  await widgets.update(id, add, { retryOnConflict: true });
  const { results } = await widgets.list({ name: "drill" });
  if (!isServiceError(refusal)) throw refusal;
  const { type, status, requestId } = refusal;
  return { sizes: results.map(({ size }) => size), type, status, requestId };
}

/** What a web page reads of a redirect. */
export async function redirected(url: string) {
  const { widgets } = createClient({ baseUrl: url });
  const refusal: unknown = await widgets.create({ name: "drill" }).catch((error: unknown) => error);
  if (!isServiceError(refusal)) throw refusal;
  const { type, status, location } = refusal;
  return { type, status, location };
}
