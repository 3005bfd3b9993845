import { ts, word } from "../naming/code.js";
import { key, type TsCode } from "../naming/encoders.js";
import type { EntityModel } from "../model/entity-model.js";
import type { ServiceModel } from "../model/service-model.js";
import { serviceHeader, type HeaderView } from "./header-view.js";
import { callCode } from "./layout.js";

/** What `service/stores.ts.hbs` sees. */
export interface StoresView extends HeaderView {
  readonly stores: readonly StoreOpeningView[];
}

interface StoreOpeningView {
  readonly plural: TsCode;
  /** `EntityStore<Ticket, TicketProperties>` */
  readonly type: TsCode;
  /** `new EntityStore(ticketTable, kernel)` */
  readonly opened: TsCode;
}

/** What the stores of a service are opened for: what is stored, by its names. */
export interface StoredName extends Pick<EntityModel, "name"> {
  /** EVT-1 */
  readonly isAnnounced: boolean;
}

/** Those of a service. */
export function storedNames({ entities }: ServiceModel): readonly StoredName[] {
  return entities.map(({ name, announced }) => ({ name, isAnnounced: announced.length > 0 }));
}

/** One store for each table. */
export function storesView(entities: readonly StoredName[]): StoresView {
  return {
    ...serviceHeader(),
    stores: entities.map(storeOpening),
  };
}

function storeOpening({ name, isAnnounced }: StoredName): StoreOpeningView {
  const type = word(name.typeName);
  const around = { indent: 4, before: `${name.plural}: `, after: "," };
  const singular = word(name.singular);
  const events = isAnnounced ? [ts`${singular}Events`] : [];
  const parameters = [ts`${singular}Table`, ts`kernel`, ...events];
  return {
    plural: key(name.plural),
    type: ts`EntityStore<${type}, ${type}Properties>`,
    opened: callCode(ts`new EntityStore`, parameters, around),
  };
}
