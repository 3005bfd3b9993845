import type { FastifyReply } from "fastify";

/** Adds a name to `Vary`, and keeps those that plugins have added: a shared cache needs all of them. */
export function addVary(reply: FastifyReply, name: string): void {
  const sent = reply.getHeader("vary");
  const names = sent === undefined ? [] : String(sent).split(/\s*,\s*/);
  const isNamed = names.some((one) => one === "*" || one.toLowerCase() === name.toLowerCase());
  if (!isNamed) reply.header("vary", [...names, name].join(", "));
}
