/** A cache of two generations, so that most hits cost one look-up. */
export class RecentlyUsed<Value> {
  private young = new Map<string, Value>();
  private old = new Map<string, Value>();

  constructor(
    private readonly make: (key: string) => Value,
    private readonly generationSize = 200,
  ) {}

  /** Rethrows whatever `make` throws. */
  of(key: string): Value {
    return this.young.get(key) ?? this.renew(key);
  }

  private renew(key: string): Value {
    const value = this.old.get(key) ?? this.make(key);
    if (this.young.size >= this.generationSize) {
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(key, value);
    return value;
  }
}
