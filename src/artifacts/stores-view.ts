import { ts, word } from "../naming/code.js";
import { key, type TsCode } from "../naming/encoders.js";
import type { ResourceModel } from "../model/resource-model.js";
import type { ServiceModel } from "../model/service-model.js";
import { serviceHeader, type HeaderView } from "./header-view.js";
import { callCode, importCode } from "./layout.js";

/** What `service/stores.ts.hbs` sees. */
export interface StoresView extends HeaderView {
  readonly imports: TsCode;
  readonly stores: readonly StoreOpeningView[];
}

interface StoreOpeningView {
  readonly plural: TsCode;
  /** `EntityStore<Ticket, TicketProperties>` */
  readonly type: TsCode;
  /** `new EntityStore(ticketTable, kernel)` */
  readonly opened: TsCode;
}

/** A resource that shows all of what is stored in its table. */
export type StoredResource = Pick<ResourceModel, "name" | "version">;

/** Those of a service. */
export function storedResources({ versions }: ServiceModel): readonly StoredResource[] {
  return versions.flatMap(({ resources }) =>
    resources
      .filter(({ isRepresentation }) => !isRepresentation)
      .map(({ name, version }) => ({ name, version })),
  );
}

/** One store for each table. */
export function storesView(resources: readonly StoredResource[]): StoresView {
  return {
    ...serviceHeader(),
    imports: importCode([
      { from: "./kernel/store/entity-store.js", names: ["EntityStore", "type StoreKernel"] },
      ...resources.map(({ name }) => ({
        from: `./store/${name.plural}.js`,
        names: [`${name.singular}Table`],
      })),
      ...resources.map(({ name, version }) => ({
        from: `./${version}/${name.plural}/${name.plural}.dto.js`,
        names: [`type ${name.typeName}`, `type ${name.typeName}Properties`],
      })),
    ]),
    stores: resources.map(storeOpening),
  };
}

function storeOpening({ name }: StoredResource): StoreOpeningView {
  const type = word(name.typeName);
  const around = { indent: 4, before: `${name.plural}: `, after: "," };
  const parameters = [ts`${word(name.singular)}Table`, ts`kernel`];
  return {
    plural: key(name.plural),
    type: ts`EntityStore<${type}, ${type}Properties>`,
    opened: callCode(ts`new EntityStore`, parameters, around),
  };
}
