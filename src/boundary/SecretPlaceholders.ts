/**
 * Writes a run's events without the secrets of its environment, and reads them back. Each secret becomes a placeholder that
 * names the variable, `⟦secret:GITHUB_TOKEN⟧`, also one that was cut off with the rest of its text; a text that looks like one
 * is escaped, so that what was written and what is read are the same whatever the values are. Pure, and linear in the text.
 *
 * What counts as a secret is said in `SecretValues`. Besides, a value is left alone that holds a bracket of the placeholders
 * or is part of one, such as the name of its own variable.
 */
import { Either, Option } from "effect"
import { lazily } from "../domain/Lazily.ts"
import { isList, isMap, parseJson, stringifyJson, type Value } from "../domain/Value.ts"
import { makeSecretSearch, type FoundSecret } from "./SecretSearch.ts"
import { namedSecretsOf, spell, spellingsOfSecret, type NamedSecret, type Spelling } from "./SecretValues.ts"

const open = "⟦secret:"
const close = "⟧"
/** Stands for `open` itself. */
const escapedOpen = `${open}⟦${close}`
const placeholder = /⟦secret:(⟦|[^⟦⟧]+)⟧/g
/** A number that was a secret. */
const asNumber = ":number"
/** Of a secret that was cut: how many characters of it were there. */
const firstWord = (length: number): string => `:first-${length}`
const firstPattern = /^first-(\d+)$/
const numberPlaceholder = /^⟦secret:([^⟦⟧]+):number⟧$/

export interface SecretPlaceholders {
  readonly hideText: (text: string) => string
  /** Every text of a value, keys and numbers too. Gives the same value when there is nothing to hide. */
  readonly hide: (value: Value) => Value
  /** The opposite of `hide`; `Left` names the variables that are missing. */
  readonly restore: (value: Value) => Either.Either<Value, ReadonlyArray<string>>
}

/** The name has no colon once it is encoded; part and spelling are left out when they are the usual ones. */
const labelOf = ({ name, part }: NamedSecret, spelling: Spelling): string =>
  [encodeURIComponent(name.toWellFormed()), part, spelling]
    .filter((word, index) => index === 0 || (word !== "value" && word !== "plain"))
    .join(":")

/** Labels by the texts that they stand for. */
const labelsOf = (secrets: ReadonlyArray<NamedSecret>): ReadonlyMap<string, string> => {
  const labels = new Map<string, string>()
  for (const secret of secrets) {
    for (const { spelling, text } of spellingsOfSecret(secret.text)) {
      if (!labels.has(text) && !/[⟦⟧]/.test(text)) labels.set(text, labelOf(secret, spelling))
    }
  }
  const written = [...labels.values()].map((label) => `${open}${label}${asNumber}${close}`).join("\n")
  return new Map([...labels].filter(([text]) => !written.includes(text)))
}

/** What a label stands for now. */
const resolve = (variables: ReadonlyMap<string, string>, label: string): Either.Either<string, string> => {
  const [encoded = "", ...words] = label.split(":")
  // No writer of ours made a label that cannot be decoded; it is then the name of nothing.
  const name = Option.getOrElse(Option.liftThrowable(decodeURIComponent)(encoded), () => encoded)
  const value = variables.get(name) ?? ""
  const part = words.find((word) => word.endsWith("password")) ?? "value"
  const first = words.flatMap((word) => firstPattern.exec(word)?.[1] ?? [])[0]
  const spelling = words.find((word) => word !== part && !firstPattern.test(word)) ?? "plain"
  const text = value.trim() === "" ? undefined : spell(value, part, spelling)
  return Either.fromNullable(first === undefined ? text : text?.slice(0, Number(first)), () => name)
}

interface Mapping {
  /** Whether a text has to be mapped. Most have not, and looking costs much less than a copy. */
  readonly concerns: (text: string) => boolean
  readonly concernsNumber: (value: Value) => boolean
  readonly text: (text: string) => Value
  readonly key: (text: string) => string
  readonly number: (value: Value) => Value
}

const concerns = (value: Value, mapping: Mapping): boolean => {
  if (typeof value === "string") return mapping.concerns(value)
  if (value === null || value === undefined || typeof value === "boolean") return false
  if (isList(value)) return value.some((entry) => concerns(entry, mapping))
  if (!isMap(value)) return mapping.concernsNumber(value)
  for (const key of Object.keys(value)) {
    if (mapping.concerns(key) || concerns(value[key] ?? null, mapping)) return true
  }
  return false
}

const mapEach = (value: Value, mapping: Mapping): Value => {
  if (typeof value === "string") return mapping.text(value)
  if (value === null || value === undefined || typeof value === "boolean") return value
  if (isList(value)) return value.map((entry) => mapEach(entry, mapping))
  if (!isMap(value)) return mapping.number(value)
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [mapping.key(key), mapEach(entry, mapping)] as const)
  )
}

const mapValue = (value: Value, mapping: Mapping): Value => (concerns(value, mapping) ? mapEach(value, mapping) : value)

const hasOpen = (text: string): boolean => text.includes(open)

const hiding = (labels: ReadonlyMap<string, string>): Mapping => {
  const search = makeSecretSearch([...labels.keys(), open])
  /** A number is a secret when all of it is one: digits inside of another number are there by chance. */
  const numbers = new Map([...labels].filter(([text]) => /^-?\d[\d.eE+-]*$/.test(text)))
  const written = ({ end, secret, start }: FoundSecret): string => {
    if (secret === open) return escapedOpen
    const first = end - start < secret.length ? firstWord(end - start) : ""
    return `${open}${labels.get(secret)}${first}${close}`
  }
  const hideText = (text: string): string => {
    let hidden = ""
    let at = 0
    for (let found = search.next(text, 0); found !== undefined; found = search.next(text, at)) {
      hidden += text.slice(at, found.start) + written(found)
      at = found.end
    }
    return at === 0 ? text : hidden + text.slice(at)
  }
  return {
    concerns: labels.size === 0 ? hasOpen : (text) => search.next(text, 0) !== undefined,
    concernsNumber: (value) => numbers.size > 0 && numbers.has(stringifyJson(value)),
    text: hideText,
    key: hideText,
    number: (value) => {
      const label = numbers.get(stringifyJson(value))
      return label === undefined ? value : `${open}${label}${asNumber}${close}`
    }
  }
}

const restoring =
  (variables: ReadonlyMap<string, string>): SecretPlaceholders["restore"] =>
  (value) => {
    const missing = new Set<string>()
    const resolved = (label: string): string =>
      Either.getOrElse(resolve(variables, label), (name) => {
        missing.add(name)
        return ""
      })
    const key = (text: string): string =>
      text.replace(placeholder, (_, label: string) => (label === "⟦" ? open : resolved(label)))
    const text = (written: string): Value => {
      const label = written.startsWith(open) ? numberPlaceholder.exec(written)?.[1] : undefined
      if (label === undefined) return key(written)
      const number = resolved(label)
      return Either.getOrElse(
        Either.try(() => parseJson(number)),
        () => number
      )
    }
    const number = (found: Value): Value => found
    const restored = mapValue(value, { concerns: hasOpen, concernsNumber: () => false, text, key, number })
    return missing.size === 0 ? Either.right(restored) : Either.left([...missing])
  }

/** `known`: values that are secret whatever the variable is called that holds them. */
export const makeSecretPlaceholders = (
  variables: ReadonlyMap<string, string>,
  known: Iterable<string> = []
): SecretPlaceholders => {
  // The spellings of many secrets take milliseconds, and some processes hide nothing.
  const mapping = lazily(() =>
    hiding(labelsOf(namedSecretsOf(variables, new Set([...known].map((text) => text.trim())))))
  )
  return {
    hideText: (text) => mapping().key(text),
    hide: (value) => mapValue(value, mapping()),
    restore: restoring(variables)
  }
}
