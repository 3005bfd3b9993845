/** An item of a `SwapRemoveList`; outside of it the place is -1. */
export interface Placed {
  place: number;
}

/**
 * Items that come and go with every request, in any order. A `Map` or a `Set` leaves a table behind again and again that
 * points to the next one: once one of them has grown old, the collector keeps all of them, and every item in them.
 */
export class SwapRemoveList<Item extends Placed> {
  private readonly items: Item[] = [];

  get size(): number {
    return this.items.length;
  }

  get all(): readonly Item[] {
    return this.items;
  }

  add(item: Item): Item {
    item.place = this.items.length;
    this.items.push(item);
    return item;
  }

  /** Does nothing where the item is gone already. */
  remove(item: Item): void {
    const { place } = item;
    if (place < 0) return;
    item.place = -1;
    const last = this.items.pop();
    if (last === undefined || last === item) return;
    last.place = place;
    this.items[place] = last;
  }
}
