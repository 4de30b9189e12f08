import { describe, expect, it } from "@effect/vitest"
import { Effect, FastCheck as fc, Layer } from "effect"
import { parseJson } from "../../../src/domain/Value.ts"
import { makeRedactor, Redactor } from "../../../src/boundary/Redactor.ts"
import { secretsOf } from "../../../src/boundary/SecretValues.ts"
import { Environment } from "../../../src/platform/Environment.ts"

const patterns = makeRedactor([])
const base64 = (text: string): string => Buffer.from(text).toString("base64")
const pem = (label: string, body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcw\nggSjAgEAAoIBAQC7VJTUt9Us8cKj"): string =>
  `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----`
const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N"

describe("patterns", () => {
  it.each([
    ["kiro key", "key ksk_abcd1234 x", "key [REDACTED:kiro-key] x"],
    ["kiro key inside a word", "xksk_abcd1234", "x[REDACTED:kiro-key]"],
    [
      "classic GitHub tokens",
      `ghp_${"a1".repeat(8)} gho_${"B".repeat(36)}`,
      "[REDACTED:github-token] [REDACTED:github-token]"
    ],
    ["fine-grained GitHub token", `github_pat_${"a_1".repeat(9)}.`, "[REDACTED:github-token]."],
    [
      "AWS access key ids",
      "AKIAIOSFODNN7EXAMPLE, ASIAIOSFODNN7EXAMPLE",
      "[REDACTED:aws-access-key-id], [REDACTED:aws-access-key-id]"
    ],
    [
      "AWS secret with its label",
      "AWS_SECRET_ACCESS_KEY = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'",
      "AWS_SECRET_ACCESS_KEY = '[REDACTED:aws-secret-access-key]'"
    ],
    [
      "AWS secret in JSON",
      `{"aws_secret_access_key": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"}`,
      `{"aws_secret_access_key": "[REDACTED:aws-secret-access-key]"}`
    ],
    [
      "AWS secret in JSON inside JSON",
      String.raw`"{\"SecretAccessKey\":\"wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\"}"`,
      String.raw`"{\"SecretAccessKey\":\"[REDACTED:aws-secret-access-key]\"}"`
    ],
    ["JSON web token", `token=${jwt};`, "token=[REDACTED:jwt];"],
    ["JSON web token after an escaped line end", String.raw`"a\n${jwt}"`, String.raw`"a\n[REDACTED:jwt]"`],
    ["JSON web token after a dotted word", `a.${jwt}`, "a.[REDACTED:jwt]"],
    ["private key", `a\n${pem("RSA PRIVATE KEY")}\nb`, "a\n[REDACTED:private-key]\nb"],
    ["PGP key, without a stray word", pem("PGP PRIVATE KEY BLOCK"), "[REDACTED:private-key]"],
    ["private key in JSON", JSON.stringify(pem("PRIVATE KEY")), `"[REDACTED:private-key]"`],
    [
      "private key that was cut off",
      "-----BEGIN EC PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nMIIEvQ\nerror: cut",
      "[REDACTED:private-key]\nerror: cut"
    ],
    ["Anthropic key", `sk-ant-api03-${"aB3_".repeat(5)}`, "[REDACTED:anthropic-key]"],
    [
      "OpenAI keys",
      `sk-proj-${"aB3_".repeat(5)} sk-${"aB3".repeat(16)}`,
      "[REDACTED:openai-key] [REDACTED:openai-key]"
    ],
    [
      "OpenAI key after an escaped line end",
      String.raw`a\nsk-${"aB3".repeat(16)}`,
      String.raw`a\n[REDACTED:openai-key]`
    ],
    ["Slack token", "xoxb-1234567890-abcdef", "[REDACTED:slack-token]"],
    ["Google key", `AIza${"Sy_1-".repeat(7)}`, "[REDACTED:google-api-key]"],
    ["GitLab token", `glpat-${"aB3-_".repeat(4)}`, "[REDACTED:gitlab-token]"],
    ["npm token", `npm_${"aB3".repeat(12)}`, "[REDACTED:npm-token]"],
    ["Hugging Face token", `hf_${"aB".repeat(17)}`, "[REDACTED:huggingface-token]"],
    ["bearer header", "Authorization: Bearer abcdefgh", "Authorization: Bearer [REDACTED:authorization]"],
    [
      "basic header in JSON",
      `{"authorization":"Basic dXNlcjpwYXNz"}`,
      `{"authorization":"Basic [REDACTED:authorization]"}`
    ],
    ["bearer token without a label", "-H 'Bearer abcdefgh12345678'", "-H 'Bearer [REDACTED:authorization]'"],
    ["password in a URL", "postgres://me:p@ss:w0rd@db/x", "postgres://me:[REDACTED:url-password]@db/x"],
    ["password in a URL without a user", "redis://:hunter2@cache", "redis://:[REDACTED:url-password]@cache"]
  ])("cut a %s", (_, text, expected) => {
    expect(patterns.redactText(text)).toBe(expected)
    expect(patterns.redactText(expected)).toBe(expected)
  })

  it.each([
    ["a bare 40-character base64 text", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"],
    ["ordinary words", "a ghost asks the task-management-of-many-things; risk-averse-investments-2024-report"],
    ["a public key", pem("PUBLIC KEY")],
    ["tokens that are one character short", `ksk_abcd123 ghp_${"a".repeat(15)} AKIAIOSFODNN7EXAMPL`],
    ["a long word that begins like an access key", "AKIAIOSFODNN7EXAMPLEX"],
    ["prose about schemes", "Basic internationalization; bearer of bad news; Basic understanding-of-protocols"],
    [
      "URLs with a port or a user",
      "http://localhost:8080/@scope/x https://me@example.test/a:b@c ssh://git@example.test:22/x"
    ],
    ["placeholders", "https://me:${TOKEN}@example.test and https://me:{{ token }}@example.test"],
    ["npm settings", "npm_config_registry npm_lifecycle_event"]
  ])("leave %s alone", (_, text) => {
    expect(patterns.redactText(text)).toBe(text)
  })

  it.each([
    ["token beginnings", "eyJ".repeat(330_000)],
    ["web tokens without an end", `${"eyJ".repeat(330_000)}.eyJ`],
    ["private keys without an end", "-----BEGIN PRIVATE KEY-----".repeat(37_000)],
    [
      "one private key without an end",
      `-----BEGIN PRIVATE KEY-----\n${"A".repeat(64)}\n`.repeat(1).padEnd(1_000_000, "x\n")
    ],
    ["URLs", "://a:".repeat(200_000)],
    ["headers", "Bearer ".repeat(140_000)],
    ["labels", "aws_secret_access_key ".repeat(45_000)],
    ["letters", "a".repeat(1_000_000)]
  ])("take linear time for a megabyte of %s", (_, text) => {
    const start = performance.now()
    patterns.redactText(text)
    expect(performance.now() - start).toBeLessThan(5_000)
  })
})

describe("values of the environment", () => {
  const secrets = (variables: Record<string, string>): ReadonlyArray<string> =>
    secretsOf(new Map(Object.entries(variables)))

  it.each([
    ["OPENAI_API_KEY", "abcdefgh"],
    ["GITHUB_PERSONAL_ACCESS_TOKEN", "not-a-known-shape"],
    ["MY_SECRET", "12345678"],
    ["DB_PASSWORD", "correcthorse"],
    ["AWS_SECRET_ACCESS_KEY", "/JalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKE2"],
    ["GOOGLE_CREDENTIALS", `{"private_key_id":"1"}`],
    ["HTTP_AUTHORIZATION", "x1-opaque"]
  ])("%s is a secret", (name, value) => {
    expect(secrets({ [name]: value })).toEqual([value])
  })

  it.each([
    ["API_KEY", "short77"],
    ["API_KEY_FILE", "/run/secrets/api_key"],
    ["SSH_AUTH_SOCK", "/tmp/ssh-XXXX/agent.1234"],
    ["GOOGLE_APPLICATION_CREDENTIALS", "/home/me/keys/service-account.json"],
    ["USE_TOKEN_CACHE", "disabled"],
    ["MAX_TOKENS", "100000000"],
    ["GIT_AUTHOR_NAME", "Ada 1 Lovelace"],
    ["KEYMAP", "dvorak-programmer"],
    ["AUTH_METHOD", "kerberos"],
    ["HOME", "abcdefgh12345"]
  ])("%s=%s is not", (name, value) => {
    expect(secrets({ [name]: value })).toEqual([])
  })

  it("the password of a URL is a secret whatever the variable is called, encoded and decoded", () => {
    expect(secrets({ DATABASE_URL: "postgres://me:p%40ssw0rd@db" })).toEqual(["p%40ssw0rd", "p@ssw0rd"])
  })
})

describe("a canary", () => {
  const canary = `canary/"quoted"+Päss wörd\\42`
  const redactor = makeRedactor(secretsOf(new Map([["SOME_TOKEN", canary]])))

  it.each([
    ["as it is", canary],
    ["in JSON", JSON.stringify({ deep: [canary] })],
    ["in JSON inside JSON", JSON.stringify(JSON.stringify(canary))],
    ["in base64", base64(canary)],
    ["in base64 behind a user name", base64(`u:${canary}`)],
    ["in base64 behind a longer user name", base64(`us:${canary}@`)],
    ["in base64url", Buffer.from(`usr:${canary}`).toString("base64url")],
    ["in a query", `?q=${encodeURIComponent(canary)}`],
    ["in a form", new URLSearchParams({ q: canary }).toString()],
    ["in userinfo", `https://me:${encodeURIComponent(canary)}@example.test`]
  ])("is found %s", (_, text) => {
    const clean = redactor.redactText(text)
    expect(clean).toContain("[REDACTED:")
    for (const form of [canary, "canary", base64(canary).slice(4, 20), "quoted"]) expect(clean).not.toContain(form)
  })

  it("is found in keys and texts of nested values, whose other parts stay", () => {
    const value = parseJson(JSON.stringify({ a: [{ [canary]: { b: `x ${canary} y` } }], n: 3, big: 1 }))
    expect(redactor.redactValue(value)).toEqual({
      a: [{ "[REDACTED:secret]": { b: "x [REDACTED:secret] y" } }],
      n: 3,
      big: 1
    })
  })

  it("keeps entries apart whose keys become the same", () => {
    const two = makeRedactor(["first-canary", "other-canary"])
    expect(two.redactValue({ "first-canary": 1, "other-canary": 2 })).toEqual({
      "[REDACTED:secret]": 1,
      "[REDACTED:secret] (2)": 2
    })
  })

  it("prefers the longer of two secrets that begin alike", () => {
    expect(makeRedactor(["canary-1", "canary-1-long"]).redactText("canary-1-long")).toBe("[REDACTED:secret]")
  })

  it("hides both of two secrets that overlap", () => {
    expect(makeRedactor(["abcdefgh1234", "12345678"]).redactText("<abcdefgh12345678>")).toBe("<[REDACTED:secret]>")
  })

  it("with a stray zero-width character in its variable is found without it", () => {
    expect(makeRedactor(["canary-text\u200b\n"]).redactText("canary-text")).toBe("[REDACTED:secret]")
  })

  it.effect(
    "of the environment is known to the layer, others can be added, and the identity layer changes nothing",
    () =>
      Effect.gen(function* () {
        const environment = Environment.layerOf({ MY_API_KEY: "canary-env" })
        const text = "canary-env canary-own"
        const redact = Effect.map(Redactor, (redactor) => redactor.redactText(text))
        expect(yield* Effect.provide(redact, Layer.provide(Redactor.layer, environment))).toBe(
          "[REDACTED:secret] canary-own"
        )
        expect(yield* Effect.provide(redact, Layer.provide(Redactor.layerWith(["canary-own"]), environment))).toBe(
          "[REDACTED:secret] [REDACTED:secret]"
        )
        expect(yield* Effect.provide(redact, Redactor.layerIdentity)).toBe(text)
      })
  )
})

describe("an entry of a value", () => {
  it("is judged with its key as label", () => {
    expect(
      patterns.redactValue({
        aws_secret_access_key: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        headers: { Authorization: "Basic dXNlcjpwYXNz" }
      })
    ).toEqual({
      aws_secret_access_key: "[REDACTED:aws-secret-access-key]",
      headers: { Authorization: "Basic [REDACTED:authorization]" }
    })
  })
})

describe("a stream", () => {
  const secrets = ["canary-value-123", "two\nlines of it"]
  const redactor = makeRedactor(secrets)
  const through = (chunks: ReadonlyArray<string>): string => {
    const stream = redactor.stream()
    return chunks.map(stream.push).join("") + stream.flush()
  }
  const parts = [
    ...secrets,
    jwt,
    `${pem("PRIVATE KEY")}`,
    "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG\n",
    `ghp_${"a1".repeat(9)}`,
    "Authorization: Bearer abcdefghijk",
    "https://u:secret-pw@h",
    base64("u:canary-value-123"),
    "canary",
    "two\n",
    "\n",
    "\n",
    " ",
    "word ",
    "😀",
    "eyJ",
    "sk-",
    `sk-${"a1".repeat(20)}`,
    "-----END PRIVATE KEY-----",
    "x".repeat(300)
  ]
  const text = fc.array(fc.constantFrom(...parts), { maxLength: 25 }).map((list) => list.join(""))

  const chunked = (whole: string, cuts: ReadonlyArray<number>): ReadonlyArray<string> => {
    const points = [0, ...cuts.map((cut) => cut % (whole.length + 1)).sort((left, right) => left - right), whole.length]
    return points.slice(1).map((end, index) => whole.slice(points[index], end))
  }

  it("says what the whole text would say, wherever the chunks are cut", () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat({ max: 10_000 }), { maxLength: 30 }), (whole, cuts) => {
        expect(through(chunked(whole, cuts))).toBe(redactor.redactText(whole))
      }),
      { numRuns: 2_000 }
    )
  })

  it("says the same when every character comes alone, also in a line that never ends", () => {
    const whole = `${"word ".repeat(9_000)}canary-value-123 ${jwt} ${"tail ".repeat(4_000)}`
    expect(through([...whole])).toBe(redactor.redactText(whole))
  })

  it("shows a line as soon as it is complete", () => {
    const stream = redactor.stream()
    expect(makeRedactor([]).stream().push("one\ntwo")).toBe("one\n")
    expect(stream.push(`one ${"x".repeat(20)}\n`)).not.toBe("")
  })

  it("does not hold text for ever because a private key has no end", () => {
    const stream = redactor.stream()
    const shown = stream.push(`-----BEGIN PRIVATE KEY-----\n${"some log line\n".repeat(10_000)}`)
    expect(shown.length).toBeGreaterThan(50_000)
  })

  it("takes linear time for many short lines and many single characters", () => {
    const start = performance.now()
    const stream = redactor.stream()
    for (let index = 0; index < 20_000; index++) stream.push("log line\n")
    for (let index = 0; index < 300_000; index++) stream.push("x")
    stream.flush()
    expect(performance.now() - start).toBeLessThan(10_000)
  })
})
