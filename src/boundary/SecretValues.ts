/**
 * Which values of an environment are secrets, and in which spellings they travel. Pure. Errs on the side of calling a
 * value secret when its name says so, but never a path, a flag or a plain word, which would garble ordinary output.
 */
import { removeHidden } from "./HiddenCharacters.ts"

/** Shorter values occur by chance in ordinary text. In characters. */
const shortestSecret = 8

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

/** The secret values of an environment: those with a telling name, and the passwords inside URLs of any name. */
export const secretsOf = (variables: ReadonlyMap<string, string>): ReadonlyArray<string> =>
  [...variables].flatMap(([name, value]) => {
    const password = userinfoPassword.exec(value)?.[1]
    return [...(isSecret(name, value.trim()) ? [value] : []), ...(password ? [password, decoded(password)] : [])]
  })

/**
 * What stays the same of a secret's base64 text wherever the secret stands in the encoded bytes (`user:<secret>`): for
 * each of the three alignments, the characters that depend on nothing but the secret.
 */
const base64Cores = (secret: string): ReadonlyArray<string> =>
  [0, 1, 2].map((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret, "utf8")])
    const text = bytes.toString("base64").replace(/=+$/, "")
    return text.slice(Math.ceil((offset * 8) / 6), bytes.length % 3 === 0 ? undefined : -1)
  })

const escaped = (secret: string): string => JSON.stringify(secret).slice(1, -1)

const spellings = (secret: string): ReadonlyArray<string> => {
  const url = encodeURIComponent(secret)
  const base64 = [Buffer.from(secret, "utf8").toString("base64"), ...base64Cores(secret)]
  return [
    secret,
    removeHidden(secret),
    escaped(secret),
    escaped(escaped(secret)),
    url,
    url.replace(/%[0-9A-F]{2}/g, (octet) => octet.toLowerCase()),
    url.replaceAll("%20", "+"),
    ...base64,
    ...base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, ""))
  ]
}

/** Every spelling of the secrets, longest first, without repetitions and without what is too short to look for. */
export const spellingsOf = (secrets: Iterable<string>): ReadonlyArray<string> => {
  const trimmed = [...secrets].map((secret) => secret.toWellFormed().trim())
  const all = trimmed.filter((secret) => secret.length >= shortestSecret).flatMap(spellings)
  return [...new Set(all.filter((text) => text.length >= shortestSecret))].sort(
    (left, right) => right.length - left.length || (left < right ? -1 : 1)
  )
}
