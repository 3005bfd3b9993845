/** A step does not fit the model that it is applied to: a migration was edited, or one is missing. */
export class StepMismatch extends Error {
  override readonly name = "StepMismatch";
}

interface Named {
  readonly name: string;
}

/** With one more at the end. Throws `StepMismatch` where there is one of that name; `what` says of what: `table`. */
export function withItem<Item extends Named>(
  items: readonly Item[],
  item: Item,
  what: string,
): readonly Item[] {
  if (items.some(({ name }) => name === item.name)) {
    throw new StepMismatch(`there is a ${what} ${item.name} already`);
  }
  return [...items, item];
}

/** Without the one of a name. Throws `StepMismatch` where there is none. */
export function withoutItem<Item extends Named>(
  items: readonly Item[],
  name: string,
  what: string,
): readonly Item[] {
  itemNamed(items, name, what);
  return items.filter((item) => item.name !== name);
}

/** With the one of a name replaced by what `edit` makes of it. Throws `StepMismatch` where there is none. */
export function withEdited<Item extends Named>(
  items: readonly Item[],
  name: string,
  what: string,
  edit: (item: Item) => Item,
): readonly Item[] {
  itemNamed(items, name, what);
  return items.map((item) => (item.name === name ? edit(item) : item));
}

/** Likewise, with another name. Throws `StepMismatch` where that is taken, too. */
export function withRenamed<Item extends Named>(
  items: readonly Item[],
  name: string,
  to: string,
  what: string,
): readonly Item[] {
  const renamed = { ...itemNamed(items, name, what), name: to };
  if (items.some((item) => item.name === to)) {
    throw new StepMismatch(`there is a ${what} ${to} already`);
  }
  return items.map((item) => (item.name === name ? renamed : item));
}

/** The one of a name. Throws `StepMismatch` where there is none. */
export function itemNamed<Item extends Named>(
  items: readonly Item[],
  name: string,
  what: string,
): Item {
  const found = items.find((item) => item.name === name);
  if (found === undefined) throw new StepMismatch(`there is no ${what} ${name}`);
  return found;
}

/** Of other columns, the one that is the same to a database: its name differs in case only. Null: there is none. */
export function sameColumn(name: string, others: readonly Named[]): string | null {
  const same = others.find(
    (other) => other.name !== name && other.name.toLowerCase() === name.toLowerCase(),
  );
  return same?.name ?? null;
}
