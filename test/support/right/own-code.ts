import type { Texts } from "../render-files.js";
import type { RightResource } from "./resource.js";

/** The file of a resource in `src/custom`, where the schema asks for one or its author wanted one. */
export function codeOf(one: RightResource, entity: string): Texts {
  const type = `${entity.charAt(0).toUpperCase()}${entity.slice(1)}Hooks`;
  const plural = `${entity}s`;
  const members = [
    ...(one.granted === null || one.granted.scope === "" ? [] : [one.granted.scope]),
    ...(one.external !== null ? [COMPLETE] : []),
    ...(one.acts.length === 0
      ? []
      : [`actions: { ${one.acts.map(({ code }) => code).join(",\n")} },`]),
  ];
  if (members.length === 0) return {};
  const text = [
    `import type { ${type} } from "../generated/entities/${plural}/${plural}.hooks.js";`,
    `export const ${plural}: ${type} = {`,
    ...members,
    "};",
    "",
  ].join("\n");
  return { [`src/custom/${plural}.ts`]: text };
}

const COMPLETE = `async complete(entities) {
  await Promise.resolve();
  for (const { carrier } of entities) {
    if (carrier !== null) carrier.label = "A carrier";
  }
},`;
