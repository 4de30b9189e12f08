/**
 * From the words after `conductor` to the call of a command, a help text, or all that is wrong with the words. Pure, and
 * without Effect, so that help and mistakes cost no start-up.
 */
import { parseArgs } from "node:util"
import { nearest } from "../domain/NearMatch.ts"
import { argumentText, commandOf, conductorHelp, groupHelp, usageOf, verbHelp } from "./Help.ts"
import type { Call, Verb } from "./Verb.ts"
import { allVerbs, groups, serveVerb, verbs, type VerbName, type Verbs } from "./Verbs.ts"

/** A command with what was given to it; `name` says which. */
export type CommandCall<Name extends VerbName = VerbName> = {
  readonly [Each in Name]: { readonly name: Each; readonly options: Call<Verbs[Each]> }
}[Name]

export type Understood =
  | { readonly _tag: "Call"; readonly call: CommandCall }
  | { readonly _tag: "Help"; readonly text: string }
  | { readonly _tag: "Version" }
  | { readonly _tag: "Misuse"; readonly text: string }

const misuse = (...lines: ReadonlyArray<string>): Understood => ({ _tag: "Misuse", text: lines.join("\n") })

const hint = (word: string, candidates: Iterable<string>, dashes = ""): string => {
  const near = nearest(word, candidates)
  return near === undefined ? "" : ` Did you mean '${dashes}${near}'?`
}

const asksForHelp = (word: string): boolean => word === "--help" || word === "-h"

/** `-x` is a flag where a value was expected; `-1` is a value. */
const looksLikeFlag = (word: string): boolean => /^-[^\d]/.test(word)

interface Given {
  readonly positionals: ReadonlyArray<string>
  readonly texts: ReadonlyMap<string, ReadonlyArray<string>>
  readonly problems: ReadonlyArray<string>
}

const readWords = (verb: Verb, words: ReadonlyArray<string>): Given => {
  const { tokens } = parseArgs({
    args: [...words],
    // Not strict: that stops at the first problem, with a message of its own, and all of them are wanted.
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries(
      Object.entries(verb.flags).map(([name, { alias, placeholder }]) => [
        name,
        {
          type: placeholder === undefined ? ("boolean" as const) : ("string" as const),
          multiple: true,
          ...(alias === undefined ? {} : { short: alias })
        }
      ])
    )
  })
  const positionals: Array<string> = []
  const texts = new Map<string, ReadonlyArray<string>>()
  const problems: Array<string> = []
  for (const token of tokens) {
    if (token.kind === "option-terminator") continue
    if (token.kind === "positional") {
      positionals.push(token.value)
      continue
    }
    const flag = Object.hasOwn(verb.flags, token.name) ? verb.flags[token.name] : undefined
    if (flag === undefined) {
      problems.push(`There is no flag ${token.rawName}.${hint(token.name, Object.keys(verb.flags), "--")}`)
    } else if (flag.placeholder === undefined) {
      if (token.value === undefined) texts.set(token.name, [...(texts.get(token.name) ?? []), ""])
      else problems.push(`${token.rawName} takes no value.`)
    } else if (token.value === undefined || (!token.inlineValue && looksLikeFlag(token.value))) {
      problems.push(`${token.rawName} needs a value: --${token.name}=${flag.placeholder}`)
    } else texts.set(token.name, [...(texts.get(token.name) ?? []), token.value])
  }
  return { positionals, texts, problems }
}

interface Read {
  readonly options: Readonly<Record<string, unknown>>
  readonly problems: ReadonlyArray<string>
}

const readFlags = (verb: Verb, { texts }: Given): Read => {
  const options: Record<string, unknown> = {}
  const problems: Array<string> = []
  for (const [name, flag] of Object.entries(verb.flags)) {
    const decoded = flag.decode(texts.get(name) ?? [])
    if ("problem" in decoded) problems.push(`--${name} ${decoded.problem}`)
    else options[name] = decoded.value
  }
  return { options, problems }
}

const readArguments = (verb: Verb, { positionals }: Given): Read => {
  const names = Object.entries(verb.arguments)
  const missing = names
    .filter(([, { presence }], index) => presence === "required" && !positionals[index])
    .map(([name, { description }]) => `${argumentText(name, "required")} is missing: ${description}.`)
  const surplus = positionals.slice(names.length).map((word) => `'${word}' is one word too many.`)
  return {
    options: Object.fromEntries(names.map(([name], index) => [name, positionals[index]])),
    problems: [...missing, ...surplus]
  }
}

const understandVerb = (name: VerbName, words: ReadonlyArray<string>): Understood => {
  const verb: Verb = verbs[name]
  const end = words.indexOf("--")
  if (words.slice(0, end === -1 ? undefined : end).some(asksForHelp)) return { _tag: "Help", text: verbHelp(verb) }
  const given = readWords(verb, words)
  const flags = readFlags(verb, given)
  const values = readArguments(verb, given)
  const problems = [...given.problems, ...flags.problems, ...values.problems]
  if (problems.length > 0) {
    return misuse(...problems, usageOf(verb), `See '${commandOf(verb)} --help'.`)
  }
  // What `verbs` declares under this name is what was decoded just now.
  return { _tag: "Call", call: { name, options: { ...values.options, ...flags.options } } as CommandCall }
}

const isVerbName = (name: string): name is VerbName => Object.hasOwn(verbs, name)

const verbAt = (path: ReadonlyArray<string>): VerbName | undefined =>
  Object.keys(verbs)
    .filter(isVerbName)
    .find((name) => verbs[name].path.join(" ") === path.join(" "))

const understandGroup = (group: string, [word, ...rest]: ReadonlyArray<string>): Understood => {
  if (word === undefined) return misuse(groupHelp(group))
  if (asksForHelp(word)) return { _tag: "Help", text: groupHelp(group) }
  const name = verbAt([group, word])
  if (name !== undefined) return understandVerb(name, rest)
  if (serveVerb.path.join(" ") === `${group} ${word}`) {
    return misuse("Write 'conductor mcp serve' as the first words. Its flags: 'conductor mcp serve --help'.")
  }
  const names = allVerbs.flatMap(({ path }) => (path[0] === group && path[1] !== undefined ? [path[1]] : []))
  return misuse(`There is no command '${group} ${word}'.${hint(word, names)}`, `See 'conductor ${group} --help'.`)
}

/** `words` is what follows `conductor`. */
export const understand = (words: ReadonlyArray<string>): Understood => {
  const [first, ...rest] = words
  if (first === "--version" || first === "-v") return { _tag: "Version" }
  if (first === undefined || asksForHelp(first)) return { _tag: "Help", text: conductorHelp() }
  if (first === "help") return understand([...rest, "--help"])
  if (Object.hasOwn(groups, first)) return understandGroup(first, rest)
  const name = verbAt([first])
  if (name !== undefined) return understandVerb(name, rest)
  if (first.startsWith("-")) {
    return misuse(`There is no flag ${first} before a command; flags stand after it.`, "See 'conductor --help'.")
  }
  const names = [...new Set(allVerbs.map(({ path }) => path[0]))]
  return misuse(`There is no command '${first}'.${hint(first, names)}`, "See 'conductor --help'.")
}
