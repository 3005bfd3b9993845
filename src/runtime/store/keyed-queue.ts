/** What waits, by key: items of one key come in order, and the keys have turns. */
export class KeyedQueue<Item, Key = unknown> {
  waiting = 0;
  private readonly queues = new Map<Key, Item[]>();

  /** Adds one that waits. */
  add(key: Key, item: Item): void {
    this.waiting += 1;
    const queue = this.queues.get(key);
    if (queue === undefined) this.queues.set(key, [item]);
    else queue.push(item);
  }

  /** Removes the one whose turn it is among those with suitable keys. */
  next(isSuitable: (key: Key) => boolean = () => true): Item | undefined {
    for (const key of this.queues.keys()) if (isSuitable(key)) return this.nextOf(key);
    return undefined;
  }

  /** Removes the first one with a key, which then is the last key to have a turn again. */
  nextOf(key: Key): Item | undefined {
    const queue = this.queues.get(key);
    return queue === undefined ? undefined : this.take(key, queue, 0);
  }

  /** Removes the one whose turn it is among those that are suitable. */
  nextWhere(isSuitable: (item: Item) => boolean): Item | undefined {
    for (const [key, queue] of this.queues) {
      const index = queue.findIndex(isSuitable);
      if (index >= 0) return this.take(key, queue, index);
    }
    return undefined;
  }

  /** Removes those at the head of each key for which this is true. */
  takeWhile(isDue: (item: Item) => boolean): readonly Item[] {
    const found: Item[] = [];
    for (const [key, queue] of this.queues) {
      while (queue[0] !== undefined && isDue(queue[0])) found.push(...queue.splice(0, 1));
      if (queue.length === 0) this.queues.delete(key);
    }
    this.waiting -= found.length;
    return found;
  }

  /** Removes one; says whether it was there. */
  remove(key: Key, item: Item): boolean {
    const queue = this.queues.get(key);
    const index = queue?.indexOf(item) ?? -1;
    if (queue === undefined || index < 0) return false;
    queue.splice(index, 1);
    this.waiting -= 1;
    if (queue.length === 0) this.queues.delete(key);
    return true;
  }

  /** Removes the newest one of the key that most are waiting with. */
  dropNewest(): Item | undefined {
    let most: readonly [Key, Item[]] | undefined;
    for (const entry of this.queues) {
      if (most === undefined || entry[1].length > most[1].length) most = entry;
    }
    const newest = most?.[1].at(-1);
    if (most !== undefined && newest !== undefined) this.remove(most[0], newest);
    return newest;
  }

  private take(key: Key, queue: Item[], index: number): Item | undefined {
    const [item] = queue.splice(index, 1);
    this.waiting -= 1;
    this.queues.delete(key);
    if (queue.length > 0) this.queues.set(key, queue);
    return item;
  }
}
