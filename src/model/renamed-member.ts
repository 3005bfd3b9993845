import type { PropertyModel } from "../kinds/property-model.js";
import type { MemberModel, ValueModel } from "./conversion-model.js";
import { innerType, membersOf } from "./leaves.js";
import { renamedProperty } from "./renamed-property.js";

/** A member of an older version as a representation whose type is `typeName` shows it, with all that it holds (REP-7). */
export function renamedMember(member: MemberModel, path: string, typeName: string): MemberModel {
  const property = renamedProperty(member.property, path, typeName);
  return { ...member, property, value: renamedValue(member.value, property) };
}

function renamedValue(value: ValueModel, { type }: Pick<PropertyModel, "type">): ValueModel {
  if (value.kind === "items") {
    return { ...value, item: renamedValue(value.item, { type: innerType(type) }) };
  }
  if (value.kind !== "object") return value;
  const { members } = value.object;
  const held = membersOf(innerType(type));
  const renamed = members.map((member): MemberModel => {
    const property = held.find(({ name }) => name === member.property.name) ?? member.property;
    return { ...member, property, value: renamedValue(member.value, property) };
  });
  return { ...value, object: { ...value.object, members: renamed } };
}
