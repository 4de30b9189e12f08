/**
 * Which values of an environment are secrets, and in which spellings they travel. Pure. Errs on the side of calling a
 * value secret when its name says so, but never a path, a flag or a plain word, which would garble ordinary output.
 */
import { removeHidden } from "./HiddenCharacters.ts"

/** Shorter values occur by chance in ordinary text. In characters. */
export const shortestSecret = 8

/** Names that promise a secret, and names that often hold a setting instead (`KEYMAP`, `GIT_AUTH_METHOD`). */
const certainName = /TOKEN|SECRET|PASSW|PASSPHRASE|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|(?:^|_)(?:PAT|PASS|PIN)(?:_|$)/i
const likelyName = /KEY|AUTH(?!OR(?!I))|CREDENTIAL|COOKIE|CONNECTION_?STRING|(?:^|_)DSN(?:_|$)/i

const word = /^[A-Za-z]+(?:[-_. :/][A-Za-z]+)*$/
const settings =
  /^(?:true|false|yes|no|on|off|none|null|undefined|default|enabled|disabled|required|optional|password|changeme)$/i
const path = /^(?:(?:~|\.{1,2})?\/|~$|[A-Za-z]:[\\/]|\\\\)/
/** An AWS secret key may begin with a slash too: a stretch like this is no folder name. */
const random = /^[A-Za-z0-9+/]{40}={0,2}$|(?=[^/\\]*[a-z])(?=[^/\\]*[A-Z])(?=[^/\\]*\d)[^/\\.\s-]{20,}/

const isSecret = (name: string, value: string): boolean => {
  if (value.length < shortestSecret || settings.test(value)) return false
  if (path.test(value) && !random.test(value)) return false
  if (certainName.test(name)) return !/^\d+$/.test(value) || /PASS|SECRET|PIN/i.test(name)
  return likelyName.test(name) && !word.test(value) && !/^\d+$/.test(value)
}

const userinfoPassword = /^[a-z][a-z0-9+.-]{0,32}:\/\/[^/@:\s]*:([^/@\s]+)@/i

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** What of the value of a variable is the secret: all of it, or the password in the URL that it is. */
const parts = {
  value: (value: string): string | undefined => value,
  password: (value: string): string | undefined => userinfoPassword.exec(value)?.[1],
  "decoded-password": (value: string): string | undefined => {
    const password = userinfoPassword.exec(value)?.[1]
    return password === undefined ? undefined : decoded(password)
  }
} as const

type SecretPart = keyof typeof parts

const isPart = (text: string): text is SecretPart => Object.hasOwn(parts, text)

export interface NamedSecret {
  /** Of the environment variable. */
  readonly name: string
  readonly part: SecretPart
  readonly text: string
}

/**
 * The secrets of an environment: the values of variables with a telling name, or that are among `known` whatever their name,
 * and the passwords inside URLs of any name.
 */
export const namedSecretsOf = (
  variables: ReadonlyMap<string, string>,
  known: ReadonlySet<string> = new Set()
): ReadonlyArray<NamedSecret> =>
  [...variables].flatMap(([name, value]) =>
    Object.entries(parts).flatMap(([part, read]) => {
      const text = read(value)
      if (text === undefined || !isPart(part)) return []
      const secret = part !== "value" || isSecret(name, value.trim()) || known.has(value.trim())
      return secret ? [{ name, part, text }] : []
    })
  )

/** The secret values of an environment. */
export const secretsOf = (variables: ReadonlyMap<string, string>): ReadonlyArray<string> =>
  namedSecretsOf(variables).map(({ text }) => text)

/**
 * What stays the same of a secret's base64 text wherever the secret stands in the encoded bytes (`user:<secret>`): for
 * each of the three alignments, the characters that depend on nothing but the secret.
 */
const base64Core =
  (offset: 0 | 1 | 2) =>
  (secret: string): string => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret, "utf8")])
    const text = bytes.toString("base64").replace(/=+$/, "")
    return text.slice(Math.ceil((offset * 8) / 6), bytes.length % 3 === 0 ? undefined : -1)
  }

const base64 = (secret: string): string => Buffer.from(secret, "utf8").toString("base64")
const urlSafe = (text: string): string => text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")
const escaped = (secret: string): string => JSON.stringify(secret).slice(1, -1)

/** The names are kept in the logs of runs. */
const spellings = {
  plain: (secret: string) => secret,
  visible: removeHidden,
  json: escaped,
  "json-in-json": (secret: string) => escaped(escaped(secret)),
  url: encodeURIComponent,
  "url-in-lower-case": (secret: string) =>
    encodeURIComponent(secret).replace(/%[0-9A-F]{2}/g, (octet) => octet.toLowerCase()),
  form: (secret: string) => encodeURIComponent(secret).replaceAll("%20", "+"),
  base64,
  "base64-0": base64Core(0),
  "base64-1": base64Core(1),
  "base64-2": base64Core(2),
  base64url: (secret: string) => urlSafe(base64(secret)),
  "base64url-0": (secret: string) => urlSafe(base64Core(0)(secret)),
  "base64url-1": (secret: string) => urlSafe(base64Core(1)(secret)),
  "base64url-2": (secret: string) => urlSafe(base64Core(2)(secret))
} as const

export type Spelling = keyof typeof spellings

const isSpelling = (text: string): text is Spelling => Object.hasOwn(spellings, text)

const normalised = (secret: string): string => secret.toWellFormed().trim()

export interface SecretSpelling {
  readonly spelling: Spelling
  readonly text: string
}

/** Every spelling of a secret that is long enough to look for, the plain one first. */
export const spellingsOfSecret = (secret: string): ReadonlyArray<SecretSpelling> => {
  const plain = normalised(secret)
  if (plain.length < shortestSecret) return []
  return Object.entries(spellings).flatMap(([spelling, spell]) => {
    const text = spell(plain)
    return isSpelling(spelling) && text.length >= shortestSecret ? [{ spelling, text }] : []
  })
}

/** One spelling of what a variable holds, whether or not that is long or secret; none when it has no such part. */
export const spell = (value: string, part: string, spelling: string): string | undefined => {
  const secret = isPart(part) ? parts[part](value) : undefined
  return secret === undefined || !isSpelling(spelling) ? undefined : spellings[spelling](normalised(secret))
}

export const byLength = (left: string, right: string): number =>
  right.length - left.length || (left < right ? -1 : left > right ? 1 : 0)

/** Every spelling of the secrets, longest first, without repetitions and without what is too short to look for. */
export const spellingsOf = (secrets: Iterable<string>): ReadonlyArray<string> =>
  [...new Set([...secrets].flatMap((secret) => spellingsOfSecret(secret).map(({ text }) => text)))].sort(byLength)

/** The source of a regular expression that matches the text and nothing else. */
export const literalPattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&")
