/**
 * The shapes of well-known secrets (agent backends A10, with its extensions). Pure data: order counts, and every
 * expression takes time linear in the text, also on hostile input.
 */

export interface SecretPattern {
  readonly kind: string
  /** Source of what every match holds, in any case: text without it needs no search for this kind. */
  readonly hint: string
  /** A group `keep` holds what stays in front of the secret, such as its label. */
  readonly expression: RegExp
}

/** Where a token may begin: not inside a word, but after an escaped line end (`\nsk-…` in JSON) or an octet (`%20`). */
const start = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[bfnrt])|(?<=%[0-9A-Fa-f]{2}))`
/** A quote, perhaps escaped because the text is JSON inside JSON. */
const quote = String.raw`(?:\\{0,4}["'])?`
const assignment = String.raw`${quote}[ \t]{0,16}[=:][ \t]{0,16}${quote}`

const pemLabel = String.raw`[A-Z0-9 ]{0,64}PRIVATE KEY(?: BLOCK)?-----`
const pemLineEnd = String.raw`(?:\s|\\{1,4}[nr])`
/** A key that was cut off has no END line: its header lines and its lines of base64 belong to it. */
const pemRest =
  String.raw`(?:${pemLineEnd}{1,8}[A-Z][A-Za-z-]{1,32}: [^\n\\]{0,128})*` +
  String.raw`(?:${pemLineEnd}{0,8}[A-Za-z0-9+/=]{16,})*(?:${pemLineEnd}{1,8}[A-Za-z0-9+/=]+(?=\s|\\|$))?`

/** The beginning of a private key; a stream must wait for what belongs to it. */
export const privateKeyStart = new RegExp(`-----BEGIN ${pemLabel}`, "g")
export const privateKeyEnd = new RegExp(`-----END ${pemLabel}`)

const pattern = (kind: string, hint: string, source: string, flags = ""): SecretPattern => ({
  kind,
  hint,
  expression: new RegExp(source, `g${flags}`)
})

export const secretPatterns: ReadonlyArray<SecretPattern> = [
  pattern("kiro-key", "ksk_", String.raw`ksk_[A-Za-z0-9_-]{8,}`),
  pattern(
    "github-token",
    "gh[pousr]_|github_pat_",
    String.raw`gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{16,}`
  ),
  pattern("aws-access-key-id", "AKIA|ASIA", String.raw`(?:\b|(?<=\\[bfnrt]))(?:AKIA|ASIA)[A-Z0-9]{16}\b`),
  pattern(
    "aws-secret-access-key",
    "access_?key",
    String.raw`(?<keep>(?:aws_?)?secret_?access_?key${assignment})[A-Za-z0-9/+=]{30,}`,
    "i"
  ),
  // The look-ahead proves all three parts first, so that the search for the beginning runs once over a part.
  pattern(
    "jwt",
    "eyJ",
    String.raw`(?<![\w-])(?=[\w-]+\.eyJ[\w-]{4,}\.[\w-]{4,})(?<keep>[\w-]*?)eyJ[\w-]{4,}\.eyJ[\w-]{4,}\.[\w-]{4,}`
  ),
  // Stops at the next BEGIN, so that many of them without an END cost one pass.
  pattern(
    "private-key",
    "PRIVATE KEY",
    String.raw`-----BEGIN ${pemLabel}(?:(?:(?!-----BEGIN )[\s\S]){0,65536}?-----END ${pemLabel}|${pemRest})`
  ),
  pattern("anthropic-key", "sk-ant-", String.raw`${start}sk-ant-[A-Za-z0-9_-]{16,}`),
  pattern(
    "openai-key",
    "sk-",
    String.raw`${start}sk-(?:(?:proj|svcacct|admin)-[A-Za-z0-9_-]{16,}|(?=[A-Za-z_-]{0,64}\d)[A-Za-z0-9_-]{20,})`
  ),
  pattern("slack-token", "xox", String.raw`${start}xox[abeoprs]-[A-Za-z0-9-]{10,}`),
  pattern("google-api-key", "AIza", String.raw`${start}AIza[A-Za-z0-9_-]{30,}`),
  pattern("gitlab-token", "glpat-", String.raw`${start}glpat-[A-Za-z0-9_-]{16,}`),
  pattern("npm-token", "npm_", String.raw`${start}npm_[A-Za-z0-9]{30,}`),
  pattern("huggingface-token", "hf_", String.raw`${start}hf_[A-Za-z0-9]{20,}`),
  pattern(
    "authorization",
    "authorization",
    String.raw`(?<keep>authorization${assignment}(?:basic|bearer|token)[ \t]{1,8})[^\s"'\\,;[\]]{8,}`,
    "i"
  ),
  // Without a label only what no sentence contains: "basic understanding" stays.
  pattern(
    "authorization",
    "basic|bearer",
    String.raw`(?<keep>\b(?:[Bb]asic|BASIC|[Bb]earer|BEARER)[ \t]{1,8})(?=[A-Za-z._~+/-]*\d|\w*[a-z][A-Z])[A-Za-z0-9._~+/-]{16,}=*`
  ),
  pattern("url-password", "://", String.raw`(?<keep>://[^\s/?#:@"'<>\\]{0,256}:)(?!\$?\{)[^\s/?#"'<>\\]{1,1024}(?=@)`)
]

/** Whether a text may hold any of them. Most text holds none, and one search instead of sixteen tells. */
export const mayHoldSecret = new RegExp([...new Set(secretPatterns.map(({ hint }) => hint))].join("|"), "i")
