import type { FastifyInstance } from "fastify";

import { StartRefusal } from "../base/start-refusal.js";

/** The methods that no plugin answers on every path. Throws `StartRefusal` where one answers OPTIONS, which every route has. */
export function unroutedMethods(app: FastifyInstance): string[] {
  const methods = app.supportedMethods.filter((method) => !app.hasRoute({ method, url: "/*" }));
  if (methods.includes("OPTIONS")) return methods;
  throw new StartRefusal(
    "A plugin of src/app.ts answers OPTIONS on every path, as @fastify/cors does. Leave it out: `cors: { origins: [...] }` in service.yaml lets web pages call the service.",
  );
}
