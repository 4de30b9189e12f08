/**
 * The names of the nodes that ran, oldest first. Immutable to its readers; versions share one growing array, so that a
 * loop of n steps costs n appends and not n copies.
 */
export class History {
  readonly #names: Array<string>

  private constructor(
    names: Array<string>,
    readonly length: number
  ) {
    this.#names = names
  }

  static empty(): History {
    return new History([], 0)
  }

  /** Extends the shared array when this is its newest version, and branches off a copy when it is not. */
  append(name: string): History {
    const names = this.#names.length === this.length ? this.#names : this.toArray()
    names.push(name)
    return new History(names, this.length + 1)
  }

  toArray(): Array<string> {
    return this.#names.slice(0, this.length)
  }

  /** At most `count` names from the end. */
  last(count: number): ReadonlyArray<string> {
    return this.#names.slice(Math.max(0, this.length - count), this.length)
  }

  latest(): string | undefined {
    return this.#names[this.length - 1]
  }
}
