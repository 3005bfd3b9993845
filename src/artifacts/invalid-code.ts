import { ts } from "../naming/code.js";
import { literal, type TsCode } from "../naming/encoders.js";
import { kindOf } from "../kinds/kinds.js";
import type { PropertyModel, Value } from "../kinds/property-model.js";
import { arrayCode } from "./layout.js";
import { writable } from "./reader-view.js";
import { valueCode } from "./value-code.js";

/** `{ field: "title", value: 1 }`, a line each. */
export function invalidCode(properties: readonly PropertyModel[], indent = 2): TsCode {
  const cases = writable(properties).flatMap((property) => {
    const { type, name, nullable } = property;
    const wrong = kindOf(type)
      .samples(type)
      .invalid.filter((value) => !isLong(value));
    const empty: (Value | null)[] = nullable || type.kind === "array" ? [] : [null];
    return [...wrong, ...empty].map((value) => {
      const field = literal(name);
      return ts`{ field: ${field}, value: ${valueCode(value, { indent: indent + 2 })} }`;
    });
  });
  // prettier breaks a list of several objects in any case.
  return arrayCode(cases, {
    indent,
    before: "invalid: ",
    after: ",",
    expanded: cases.length > 1,
  });
}

/** Texts at the length limit would make the file unreadable; the runtime's own tests have them. */
function isLong(value: Value): boolean {
  return JSON.stringify(value).length > 60;
}
