/**
 * The globs of `--registry`, `--allow` and `--deny`: Python's `fnmatch` (`*` also crosses `/`, `?`, `[a-z]`, `[!a-z]`),
 * with upper and lower case distinct on every platform. Every text is a pattern: an unclosed `[` is itself.
 */

type Token =
  | { readonly _tag: "Star" }
  | { readonly _tag: "Any" }
  | { readonly _tag: "Literal"; readonly character: string }
  | { readonly _tag: "Set"; readonly negated: boolean; readonly ranges: ReadonlyArray<readonly [number, number]> }

const codePoint = (character: string): number => character.codePointAt(0) ?? 0

/** A `-` between two members is a range; first or last it is itself. A range that runs backwards holds nothing. */
const rangesOf = (members: ReadonlyArray<string>): ReadonlyArray<readonly [number, number]> => {
  const ranges: Array<readonly [number, number]> = []
  for (let index = 0; index < members.length; index++) {
    const low = members[index] ?? ""
    const high = members[index + 1] === "-" ? members[index + 2] : undefined
    ranges.push([codePoint(low), codePoint(high ?? low)])
    if (high !== undefined) index += 2
  }
  return ranges
}

const parse = (pattern: string): ReadonlyArray<Token> => {
  const characters = Array.from(pattern)
  const tokens: Array<Token> = []
  // Without this, a pattern of many `[` would be searched for its missing `]` from each of them.
  const lastClose = characters.lastIndexOf("]")
  for (let index = 0; index < characters.length; index++) {
    const character = characters[index] ?? ""
    const negated = characters[index + 1] === "!"
    const first = index + (negated ? 2 : 1)
    // A `]` that comes first is a member of the set.
    const close = character === "[" && first < lastClose ? characters.indexOf("]", first + 1) : -1
    if (close !== -1) {
      tokens.push({ _tag: "Set", negated, ranges: rangesOf(characters.slice(first, close)) })
      index = close
    } else if (character === "*") {
      if (tokens.at(-1)?._tag !== "Star") tokens.push({ _tag: "Star" })
    } else {
      tokens.push(character === "?" ? { _tag: "Any" } : { _tag: "Literal", character })
    }
  }
  return tokens
}

const accepts = (token: Token, character: string): boolean => {
  switch (token._tag) {
    case "Star":
      return false
    case "Any":
      return true
    case "Literal":
      return token.character === character
    case "Set": {
      const point = codePoint(character)
      return token.ranges.some(([low, high]) => low <= point && point <= high) !== token.negated
    }
  }
}

/** Only the last star is ever tried again, so the time is bounded by pattern length times text length. */
const matches = (tokens: ReadonlyArray<Token>, text: string): boolean => {
  const characters = Array.from(text)
  let position = 0
  let index = 0
  let star: { readonly token: number; readonly from: number } | undefined
  while (position < characters.length) {
    const token = tokens[index]
    if (token?._tag === "Star") {
      star = { token: index, from: position }
      index += 1
    } else if (token !== undefined && accepts(token, characters[position] ?? "")) {
      index += 1
      position += 1
    } else if (star !== undefined) {
      star = { token: star.token, from: star.from + 1 }
      index = star.token + 1
      position = star.from
    } else {
      return false
    }
  }
  return tokens.slice(index).every(({ _tag }) => _tag === "Star")
}

export interface Glob {
  readonly pattern: string
  readonly matches: (text: string) => boolean
}

export const glob = (pattern: string): Glob => {
  const tokens = parse(pattern)
  return { pattern, matches: (text) => matches(tokens, text) }
}
