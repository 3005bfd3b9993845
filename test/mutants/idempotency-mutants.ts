import { runtime, type Mutant } from "./mutant.js";

/** OPS-12: requests that are sent again. */
export const IDEMPOTENCY_MUTANTS: readonly Mutant[] = [
  {
    rule: "OPS-12",
    file: runtime("http/endpoint"),
    find: "if (header === undefined || this.answers === null) return this.handler(call);",
    replace: "if (call !== null) return this.handler(call);",
    why: "the key is ignored",
  },
  {
    rule: "OPS-12",
    file: runtime("http/idempotency"),
    find: "if (stored.bodyDigest !== request.bodyDigest) throw idempotencyKeyReused();",
    replace: "",
    why: "another body is answered as the first one was",
  },
  {
    rule: "OPS-12",
    file: runtime("http/idempotency"),
    find: "${sent.path} ",
    replace: "",
    why: "all paths share their keys",
  },
  {
    rule: "OPS-12",
    service: "secured",
    file: runtime("http/idempotency"),
    find: "${identityOf(call.context.caller)} ",
    replace: "",
    why: "another caller is given what was made for the first one",
  },
  {
    rule: "OPS-12",
    file: runtime("http/idempotency"),
    find: "      throw error;",
    replace:
      '      const refused = { status: 400, body: "{}", location: null };\n' +
      "      await this.answers.runtime.database.write([this.answers.keep(request, refused)]);\n" +
      "      throw error;",
    why: "a refused request is remembered",
  },
  {
    rule: "OPS-12",
    file: runtime("http/idempotency"),
    find: "  return handler(call);\n}",
    replace: "  return { ...(await handler(call)), status: 200 };\n}",
    why: "the answer is not the first one",
  },
  {
    rule: "OPS-12",
    file: runtime("http/idempotency"),
    find: "if (BARE.test(header)) return header;",
    replace: "return header;",
    why: "anything is a key",
  },
  {
    rule: "OPS-12",
    file: runtime("http/idempotency"),
    find: "withTimeout(earlier, WAIT_MILLISECONDS).catch(() => {",
    replace: "earlier.then(() => {\n          throw idempotencyKeyReused();",
    why: "a key whose request is at work is told to be used up",
  },
];
