import { quoted } from "../quoted.js";

/** What the compiler says of the user's own code, and mistakes in templates of the user's own. */
export const OWN_CODE = {
  "SCH-260": ({ told }: { told: string }) => `This no longer fits the generated code: ${told}`,
  "SCH-261": ({ told }: { told: string }) =>
    `This does not compile, and no edit of the schemas is why: ${told}`,
  "SCH-262": ({ told }: { told: string }) => `This does not compile: ${told}`,
  "SCH-263": ({ name }: { name: string }) => `The generator has no template ${quoted(name)}.`,
  // The text of the parser is told, because it knows the mistake best.
  "SCH-264": ({ said }: { said: string }) => `This template cannot be read: ${said}.`,
  "SCH-265": () =>
    "A template has names, `#if`, `#unless`, `#each` and partials, and nothing else.",
  "SCH-266": ({ name, known }: { name: string; known: readonly string[] }) =>
    `There is no ${quoted(name)} at this place of the template${known.length === 0 ? "" : `, but ${known.join(", ")}`}.`,
  "SCH-267": ({ name }: { name: string }) =>
    `This is a copy of ${quoted(name)} as it was: the generator's own template has changed since.`,
} as const;
