/** Remembers parsed templates by their text, so that a loop parses once; the least recently used ones are forgotten. */
import { parseUnit, type Unit } from "./Unit.ts"

const mostUnits = 256
const mostCharacters = 4 * 1024 * 1024

export class UnitCache {
  readonly #units = new Map<string, Unit>()
  #characters = 0

  get(text: string, name: string | undefined): Unit {
    const key = `${name ?? ""}\0${text}`
    const known = this.#units.get(key)
    if (known !== undefined) {
      this.#units.delete(key)
      this.#units.set(key, known)
      return known
    }
    const unit = parseUnit(text, name)
    this.#units.set(key, unit)
    this.#characters += key.length
    this.#forget()
    return unit
  }

  #forget(): void {
    for (const key of this.#units.keys()) {
      if (this.#units.size <= mostUnits && this.#characters <= mostCharacters) return
      this.#units.delete(key)
      this.#characters -= key.length
    }
  }
}
