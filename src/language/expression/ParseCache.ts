/**
 * Remembers what was parsed by its text, so that a loop parses once; the least recently used entries are forgotten. Parsing
 * depends on the text alone, so sharing the result between evaluations changes nothing but speed.
 */
const MAX_ENTRIES = 256
const MAX_CHARACTERS = 4 * 1024 * 1024

export class ParseCache<Parsed> {
  readonly #entries = new Map<string, Parsed>()
  #characters = 0

  /** What fails to parse is not remembered. */
  get(key: string, parse: () => Parsed): Parsed {
    const known = this.#entries.get(key)
    if (known !== undefined) {
      this.#entries.delete(key)
      this.#entries.set(key, known)
      return known
    }
    const parsed = parse()
    this.#entries.set(key, parsed)
    this.#characters += key.length
    this.#forget()
    return parsed
  }

  #forget(): void {
    for (const key of this.#entries.keys()) {
      if (this.#entries.size <= MAX_ENTRIES && this.#characters <= MAX_CHARACTERS) return
      this.#entries.delete(key)
      this.#characters -= key.length
    }
  }
}
