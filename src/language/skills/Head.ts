/** The head of a Markdown file: YAML between two lines of dashes, before the text. Pure. */
import { Either } from "effect"
import { get, isMap, type Value } from "../../domain/Value.ts"
import { parseYaml } from "../yaml/ParseYaml.ts"
import { toValue } from "../yaml/YamlNode.ts"

const HEAD = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/
const FORM = "begin the file with a head: ---, name: …, description: …, ---"

interface Headed {
  /** Null without a head, or with an empty one. */
  readonly head: Value
  readonly body: string
}

/** Fails with why the head cannot be read. */
export const readHead = (text: string, file: string): Either.Either<Headed, string> => {
  const match = HEAD.exec(text)
  if (match === null) return Either.right({ head: null, body: text })
  const [whole, head = ""] = match
  return Either.mapBoth(parseYaml(head, file), {
    onLeft: ([{ message }]) => `its head cannot be read: ${message}`,
    onRight: (node) => ({ head: node === null ? null : toValue(node), body: text.slice(whole.length) })
  })
}

/** Undefined when the head does not have it as a text that is not blank. */
export const headText = ({ head }: Headed, key: string): string | undefined => {
  const value = isMap(head) ? get(head, key) : undefined
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined
}

export interface Named {
  readonly name: string
  readonly description: string
}

const required = (headed: Headed, key: keyof Named): Either.Either<string, string> =>
  Either.fromNullable(headText(headed, key), () => `its head has no "${key}"; ${FORM}`)

/** What the head of a skill and of a subagent has to say. */
export const readNamed = (text: string, file: string): Either.Either<Named, string> =>
  HEAD.test(text)
    ? Either.flatMap(readHead(text, file), (headed) =>
        Either.all({ name: required(headed, "name"), description: required(headed, "description") })
      )
    : Either.left(`it has no head; ${FORM}`)
