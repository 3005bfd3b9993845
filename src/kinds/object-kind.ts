import { ts, word } from "../naming/code.js";
import type { ObjectType } from "../model/service-model.js";
import { call, plain } from "./expression.js";
import { jsonColumn } from "./json-column.js";
import { objectSchema } from "./property-schema.js";
import type { PropertyKind } from "./property-kind.js";
import { storedMembers } from "./stored-value.js";

/** An object of its own properties, two levels deep at most; compact JSON in the database. */
export const objectKind: PropertyKind<ObjectType> = {
  ...jsonColumn,
  encoding: ({ properties }) => ({ form: "object", members: storedMembers(properties) }),
  tsType: ({ typeName }) => word(typeName),
  jsonSchema: ({ properties }, use) => ({
    type: "object",
    ...objectSchema(properties, use),
  }),
  reader: ({ localName }) => call("object", [plain(word(`read${localName}`))]),
  describe: () => "object",
  filter: () => null,
  decode: (value, { typeName }, nullable) => {
    const name = nullable ? "jsonOrNull" : "jsonOf";
    return { code: ts`${word(name)}<${word(typeName)}>(${value})`, uses: [name] };
  },
  // The function that writes a nested object writes null, too.
  write: (value, { localName }) => plain(ts`${word(`write${localName}`)}(${value}, inner)`),
  samples: () => ({ valid: [], invalid: ["text", 1] }),
};
