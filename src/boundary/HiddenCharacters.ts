/**
 * Takes away what a reader cannot see but a model, a terminal or a pattern does: escape sequences and invisible
 * characters. Keeps the invisible characters that writing needs: joiners inside words and emoji.
 */
import { lazily } from "../domain/Lazily.ts"

/**
 * ANSI sequences, 7-bit and 8-bit: strings (OSC, DCS, SOS, PM, APC) with their terminator, CSI, and two-character ones.
 * A string stops at the next introducer, so an unterminated one loses only its introducer, and the scan stays linear.
 */
const escapeSequences =
  /(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90-\x9f]*(?:\x07|\x1b\\|\x9c)|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]/g

export const removeEscapeSequences = (text: string): string => text.replace(escapeSequences, "")

const pictograph = String.raw`\p{Extended_Pictographic}[\ufe0e\ufe0f]?\p{Emoji_Modifier}?`
const subdivisionFlag = String.raw`\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}`
const emoji = String.raw`${subdivisionFlag}|[0-9#*]\ufe0f?\u20e3|${pictograph}(?:\u200d${pictograph})*`

/** The scripts whose spelling uses ZWJ and ZWNJ: Arabic and its kin, and those of India and its neighbours. */
const joiningScripts =
  "Arab Syrc Mand Nkoo Mong Phag Rohg Adlm Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt Java Bali"
const joiningCharacters = joiningScripts.split(" ").map((script) => String.raw`\p{Script_Extensions=${script}}`)
const joining = String.raw`(?!\p{Default_Ignorable_Code_Point})[${joiningCharacters.join("")}]`
const joiner = String.raw`(?<=${joining})[\u200c\u200d](?=${joining})`
/** After a virama ZWJ also ends words (Malayalam chillus, Bengali khanda ta, Sinhala). */
const viramaJoiner = String.raw`(?<=[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca])\u200d`
const mongolianVariant = String.raw`(?<=\p{Script=Mongolian}(?<!\p{Default_Ignorable_Code_Point}))[\u180b-\u180d\u180f]`

/** Default-ignorable covers zero-width, bidi controls, tags, variation selectors, soft hyphen and U+180E alike. */
const invisible = lazily(
  () =>
    new RegExp(
      String.raw`(${emoji}|${joiner}|${viramaJoiner}|${mongolianVariant})|[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]`,
      "gu"
    )
)

/** Needs well-formed text. What is kept stays beside what it belongs to, so a second pass changes nothing. */
export const removeInvisible = (text: string): string => text.replace(invisible(), (_, kept?: string) => kept ?? "")

const codePointOf = (character: string): string => (character.codePointAt(0) ?? 0).toString(16)

/** `\u001b`, or `\u{e0041}` beyond the first plane: the notation of JavaScript and nearly that of JSON. */
const visibleForm = (character: string): string =>
  character.length > 1 ? `\\u{${codePointOf(character)}}` : `\\u${codePointOf(character).padStart(4, "0")}`

/** Most text, and the reason why the expressions above rarely run. */
const visibleAscii = /^[\t\n\r\x20-\x7e]*$/

/**
 * The text as a reader sees it: well-formed, without escape sequences, control characters (but tab and line ends) and
 * invisible characters. Length never grows.
 */
export const removeHidden = (text: string): string =>
  visibleAscii.test(text)
    ? text
    : removeInvisible(
        removeEscapeSequences(text.toWellFormed()).replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]/g, "")
      )

/**
 * The text literally, for a terminal: nothing is taken away, and what would act on the terminal or not be seen stands
 * there as its code, such as `\u001b[31m`. Keeps tab and line ends, and markup as it is.
 */
export const revealHidden = (text: string): string =>
  visibleAscii.test(text) && !text.includes("\r")
    ? text
    : text
        .toWellFormed()
        .replaceAll("\r\n", "\n")
        .replace(invisible(), (character, kept?: string) => kept ?? visibleForm(character))
        .replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]/g, visibleForm)
