import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck as fc } from "effect"
import { makeSecretPlaceholders } from "../../../src/boundary/SecretPlaceholders.ts"
import { namedSecretsOf } from "../../../src/boundary/SecretValues.ts"
import { Float, isList, isMap, parseJson, stringifyJson, type Value } from "../../../src/domain/Value.ts"

const placeholders = (variables: Readonly<Record<string, string>>, known: ReadonlyArray<string> = []) =>
  makeSecretPlaceholders(new Map(Object.entries(variables)), known)

const token = "tok-4f9a2b7c1d"

describe("a secret in an event", () => {
  const { hide, hideText, restore } = placeholders({
    GITHUB_TOKEN: `${token}\n`,
    DB_URL: "postgres://me:s3cr%40tpass@host/db"
  })

  it("becomes a placeholder that names its variable, wherever it stands", () => {
    expect(hide({ [token]: [`a ${token} b`, { deep: token }], n: 1 })).toEqual({
      "⟦secret:GITHUB_TOKEN⟧": ["a ⟦secret:GITHUB_TOKEN⟧ b", { deep: "⟦secret:GITHUB_TOKEN⟧" }],
      n: 1
    })
  })

  it("is found in the spellings in which it travels, and as the password of a URL", () => {
    const quoted = placeholders({ QUOTED_TOKEN: 'say "hello" now' })
    expect(quoted.hideText(JSON.stringify({ a: 'say "hello" now' }))).toBe('{"a":"⟦secret:QUOTED_TOKEN:json⟧"}')
    expect(hideText(Buffer.from(token).toString("base64"))).toBe("⟦secret:GITHUB_TOKEN:base64⟧")
    expect(hideText("postgres://me:s3cr%40tpass@host and s3cr@tpass")).toBe(
      "postgres://me:⟦secret:DB_URL:password⟧@host and ⟦secret:DB_URL:decoded-password⟧"
    )
  })

  it.each([
    ["tok-4f9a...", "⟦secret:GITHUB_TOKEN:first-8⟧..."],
    ["key: tok-4f9a2b7…", "key: ⟦secret:GITHUB_TOKEN:first-11⟧…"],
    ["tok-4f9a2\n[tool output truncated: 9 of 99 characters kept]", /^⟦secret:GITHUB_TOKEN:first-9⟧\n\[tool/],
    [`${"x".repeat(195)}${token.slice(0, 10)}`, /x⟦secret:GITHUB_TOKEN:first-10⟧$/],
    [`${token}-tok-4f9a2b\ufffd... and more`, "⟦secret:GITHUB_TOKEN⟧-⟦secret:GITHUB_TOKEN:first-10⟧\ufffd... and more"]
  ])("that was cut off is hidden as far as it goes: %j", (text, hidden) => {
    expect(hideText(text)).toMatch(hidden)
    expect(restore(hide(text))).toEqual(Either.right(text))
  })

  it.each(["tok-4f9...", "tok-4f9a2b", "tok-4f9a is how they begin", "tok-4f9a2b and on..."])(
    "that is not there, nor cut, is not hidden: %j",
    (text) => expect(hide(text)).toBe(text)
  )

  it("may begin as another one does, and the longer piece is hidden", () => {
    const two = placeholders({ A_TOKEN: "tok-12345", B_TOKEN: "tok-12345-and-more" })
    expect(two.hideText("tok-12345-and... tok-12345 tok-12345-and-more")).toBe(
      "⟦secret:B_TOKEN:first-13⟧... ⟦secret:A_TOKEN⟧ ⟦secret:B_TOKEN⟧"
    )
  })

  it("may be a number", () => {
    const pin = placeholders({ DOOR_PIN: "12345678" })
    const hidden = pin.hide([12345678, 123456789, "12345678"])
    expect(hidden).toEqual(["⟦secret:DOOR_PIN:number⟧", 123456789, "⟦secret:DOOR_PIN⟧"])
    expect(Either.getOrThrow(pin.restore(hidden))).toEqual([12345678, 123456789, "12345678"])
  })

  it.each([
    ["shorter than eight characters", { A_TOKEN: "abc1234" }, "abc1234"],
    ["an ordinary setting", { A_PASSWORD: "disabled" }, "disabled"],
    ["true", { A_TOKEN: "true" }, "true"],
    ["a path", { A_KEY: "/home/me/key.pem" }, "/home/me/key.pem"],
    ["of a variable whose name promises none", { GREETING: "hello world 1" }, "hello world 1"],
    ["its own name", { SOME_TOKEN: "SOME_TOKEN" }, "SOME_TOKEN"],
    ["written with the brackets of placeholders", { A_TOKEN: "⟦secret:12345678" }, "12345678"]
  ])("is none when it is %s", (_, variables, text) => {
    expect(placeholders(variables).hideText(text)).toBe(text)
  })

  it("may be known by its value", () => {
    expect(placeholders({ MY_MODEL: "abcdefgh1" }, ["abcdefgh1"]).hideText("abcdefgh1")).toBe("⟦secret:MY_MODEL⟧")
  })

  it("leaves a value without secrets as it is, without a copy", () => {
    const value = { a: ["x", 1, null], b: { c: new Float(3) } }
    expect(hide(value)).toBe(value)
    expect(placeholders({}).hide(value)).toBe(value)
  })
})

describe("a placeholder", () => {
  it("is restored from the variable as it is now, whether or not that looks secret", () => {
    const hidden = placeholders({ GITHUB_TOKEN: token }).hide({ a: `x${token}` })
    expect(placeholders({ GITHUB_TOKEN: "new" }).restore(hidden)).toEqual(Either.right({ a: "xnew" }))
  })

  it("whose variable is missing or blank is told by its name, each once", () => {
    const hidden = placeholders({ GITHUB_TOKEN: token, OTHER_TOKEN: "tok-other-99" }).hide([
      token,
      token,
      "tok-other-99"
    ])
    expect(placeholders({ OTHER_TOKEN: " " }).restore(hidden)).toEqual(Either.left(["GITHUB_TOKEN", "OTHER_TOKEN"]))
  })

  it("that stood in the text itself stays text", () => {
    for (const variables of [{}, { GITHUB_TOKEN: token }]) {
      const { hide, restore } = placeholders(variables)
      const text = "⟦secret:GITHUB_TOKEN⟧ and ⟦secret:⟦⟧"
      const hidden = hide([text, "⟦x⟧"])
      expect(hidden).not.toEqual([text, "⟦x⟧"])
      expect(restore(hidden)).toEqual(Either.right([text, "⟦x⟧"]))
    }
  })
})

const shard = fc.constantFrom(
  "⟦secret:",
  "⟧",
  "⟦",
  ":",
  "A_TOKEN",
  "number",
  "json",
  '"',
  "\\",
  "%",
  "\n",
  " ",
  "é",
  "😀",
  "1234",
  "ab",
  "x"
)
const shards = fc.array(shard, { maxLength: 6 }).map((parts) => parts.join(""))
const secretText = fc.oneof(shards, fc.string({ minLength: 8 }), fc.integer({ min: 1e7 }).map(String))
const names = fc.constantFrom("A_TOKEN", "B_SECRET", "C_PASSWORD", "odd name:=]_KEY", "HOME", "DB_URL")
const environment = fc.dictionary(
  names,
  fc.oneof(
    secretText,
    secretText.map((text) => `https://me:${text}@host`)
  )
)

const valueOf = (variables: Readonly<Record<string, string>>): fc.Arbitrary<Value> => {
  const known = namedSecretsOf(new Map(Object.entries(variables))).map(({ text }) => text)
  const secret = fc.constantFrom(...known, ...Object.values(variables), "plain")
  const piece = fc.oneof(
    secret,
    secret.map((text) => JSON.stringify(text)),
    secret.map((text) => `${text.slice(0, Math.ceil(text.length * 0.7))}...`),
    secret.map((text) => encodeURIComponent(text.toWellFormed())),
    secret.map((text) => Buffer.from(`user:${text}`).toString("base64")),
    shards
  )
  const text = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(""))
  const leaf = fc.oneof(
    { weight: 6, arbitrary: text },
    { weight: 1, arbitrary: secret.map((digits): Value => (/^\d{1,15}$/.test(digits) ? Number(digits) : 0)) },
    { weight: 1, arbitrary: fc.constantFrom<Value>(null, true, new Float(3), 2n ** 70n) }
  )
  return fc.letrec<{ value: Value }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      leaf,
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(text, tie("value"), { maxKeys: 3 })
    )
  })).value
}

const textsIn = (value: Value): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  if (isList(value)) return value.flatMap(textsIn)
  if (isMap(value)) return Object.entries(value).flatMap(([key, entry]) => [key, ...textsIn(entry)])
  return [stringifyJson(value)]
}

/** As another process would read it. */
const fromDisk = (value: Value): Value => parseJson(stringifyJson(value))

describe("laws of placeholders", () => {
  const world = environment.chain((variables) => fc.tuple(fc.constant(variables), valueOf(variables)))

  it("whatever the values and the environment are, what is read is what was written", () => {
    fc.assert(
      fc.property(world, ([variables, value]) => {
        const { hide, restore } = placeholders(variables)
        expect(restore(fromDisk(hide(value)))).toEqual(Either.right(value))
      }),
      { numRuns: 200 }
    )
  })

  it("no text that is written holds a secret, in whatever spelling", () => {
    fc.assert(
      fc.property(world, ([variables, value]) => {
        const { hide, hideText } = placeholders(variables)
        const secrets = namedSecretsOf(new Map(Object.entries(variables)))
          .map(({ text }) => text.toWellFormed().trim())
          // The rule's exceptions are the texts that are not hidden when they stand alone.
          .filter((text) => text.length >= 8 && hideText(text) !== text && !/[⟦⟧]/.test(text))
        for (const text of textsIn(hide(value))) {
          for (const secret of secrets) expect(text).not.toContain(secret)
        }
      }),
      { numRuns: 200 }
    )
  })
})
