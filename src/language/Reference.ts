/**
 * How a workflow is named, after `conductor run` and in the `workflow:` of a step alike: `<file>` or
 * `<workflow>[@<registry>][#<ref>]` (run files §3.2, workflow language §5.9). Pure.
 */
import { Either, Schema } from "effect"

/** `registry` left out: the default one. Whether the registry exists is not judged here. */
export interface RegisteredReference {
  readonly _tag: "Registered"
  readonly workflow: string
  readonly registry?: string
  readonly ref?: string
}

/** A workflow of a repository that no registry names. */
export interface AdHocReference {
  readonly _tag: "AdHoc"
  readonly workflow: string
  readonly owner: string
  readonly repository: string
  readonly ref?: string
}

type Reference = { readonly _tag: "File"; readonly path: string } | RegisteredReference | AdHocReference

class InvalidReference extends Schema.TaggedError<InvalidReference>()("InvalidReference", {
  text: Schema.String,
  reason: Schema.String
}) {
  override get message(): string {
    return `'${this.text}' is no workflow: ${this.reason}. Give a file, or <workflow>[@<registry>][#<ref>].`
  }
}

const anchored = /^(?:\.{0,2}|~|[A-Za-z]:)[\\/]/
const yamlFile = /\.ya?ml$/i

/**
 * The reference takes every text with `@` for a registry's, so that a file below `node_modules/@scope` or
 * `/home/me@work` cannot be run. Here it is a file when it begins like a path, has a folder that begins with `@`, or is a
 * YAML file in a folder.
 */
const isPath = (text: string): boolean =>
  text.includes("@")
    ? anchored.test(text) || /[\\/]@/.test(text) || (yamlFile.test(text) && /@.*[\\/]/.test(text))
    : /[\\/]/.test(text) || yamlFile.test(text)

type Parsed = Either.Either<Reference, InvalidReference>

/** `disk` says whether the text, as it stands, names a file. */
export const parseReference = (text: string, disk: "is-file" | "no-file"): Parsed => {
  const invalid = (reason: string): Parsed => Either.left(new InvalidReference({ text, reason }))
  if (text === "") return invalid("it is empty")
  if (disk === "is-file" || isPath(text)) return Either.right({ _tag: "File", path: text })

  const [name = "", ref, ...moreRefs] = text.split("#")
  if (moreRefs.length > 0) return invalid("it has more than one '#'")
  if (ref === "") return invalid("there is nothing after '#'")

  const [workflow = "", registry, ...moreRegistries] = name.split("@")
  if (moreRegistries.length > 0) return invalid("it has more than one '@'")
  if (workflow === "") return invalid("the name of the workflow is missing")

  const version = ref === undefined ? {} : { ref }
  if (registry === undefined || registry === "") return Either.right({ _tag: "Registered", workflow, ...version })
  if (!registry.includes("/")) return Either.right({ _tag: "Registered", workflow, registry, ...version })
  const [owner = "", repository = "", ...rest] = registry.split("/")
  return owner === "" || repository === "" || rest.length > 0
    ? invalid(`'${registry}' is not of the form owner/repository`)
    : Either.right({ _tag: "AdHoc", workflow, owner, repository, ...version })
}
