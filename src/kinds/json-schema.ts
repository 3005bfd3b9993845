/** A JSON Schema: 2020-12 as OpenAPI 3.1 takes it, draft-07 where it describes our own files. */
export type JsonSchema = { readonly [keyword: string]: unknown };
