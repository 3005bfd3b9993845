/** What the compiler says of the user's own code. */
export const OWN_CODE = {
  "SCH-260": ({ told }: { told: string }) => `This no longer fits the generated code: ${told}`,
  "SCH-261": ({ told }: { told: string }) =>
    `This does not compile, and no edit of the schemas is why: ${told}`,
  "SCH-262": ({ told }: { told: string }) => `This does not compile: ${told}`,
} as const;
