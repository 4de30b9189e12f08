/** The list by which a repository of plugins says where each of them is. Hosts write and read the same file. */
import { FileSystem } from "@effect/platform/FileSystem"
import { Path } from "@effect/platform/Path"
import { Effect, Option, Schema } from "effect"
import { isFile } from "../LookAtFiles.ts"
import { didYouMean } from "../Suggestion.ts"

const LISTS = [".claude-plugin/marketplace.json", ".github/plugin/marketplace.json"]

/** A source that is no text names a place outside of the repository. */
const Listed = Schema.Struct({ name: Schema.NonEmptyString, source: Schema.Union(Schema.String, Schema.Object) })
const isListed = Schema.is(Listed)

/** An entry that is none of ours does not make the others useless. */
const List = Schema.parseJson(
  Schema.Struct({
    plugins: Schema.Array(Schema.Unknown),
    metadata: Schema.optional(Schema.Struct({ pluginRoot: Schema.optional(Schema.String) }))
  })
)

/** Where the list has a plugin. `Absent`: it does not say. */
export type ListedPlugin =
  /** `file`: the list. */
  | { readonly _tag: "Inside"; readonly folder: string; readonly file: string }
  | { readonly _tag: "Absent"; readonly known: string }
  | { readonly _tag: "Unusable"; readonly reason: string }

const unusable = (reason: string): ListedPlugin => ({ _tag: "Unusable", reason })

const elsewhere = (name: string, file: string): ListedPlugin =>
  unusable(`${file} takes the plugin ${name} from another repository; name that one as a source of its own`)

/** None without a list. `root` is the absolute path of the repository. */
export const listedPlugin = Effect.fn("Marketplace.find")(function* (root: string, name: string) {
  const path = yield* Path
  const files = yield* FileSystem
  const found = yield* Effect.findFirst(
    LISTS.map((list) => path.join(root, list)),
    isFile
  )
  if (Option.isNone(found)) return Option.none<ListedPlugin>()
  const file = found.value
  const list = yield* files.readFileString(file).pipe(Effect.flatMap(Schema.decode(List)), Effect.option)
  if (Option.isNone(list)) return Option.some(unusable(`${file}: expected a JSON object with a list of plugins`))
  const { metadata } = list.value
  const plugins = list.value.plugins.filter(isListed)
  const listed = plugins.find((plugin) => plugin.name === name)
  if (listed === undefined) {
    const names = plugins.map((plugin) => plugin.name)
    const suggestion = didYouMean(name, names) ?? `it has ${names.join(", ") || "none"}`
    return Option.some<ListedPlugin>({ _tag: "Absent", known: `${file} does not list ${name}; ${suggestion}` })
  }
  if (typeof listed.source !== "string") return Option.some(elsewhere(name, file))
  const folder = path.resolve(root, metadata?.pluginRoot ?? "", listed.source)
  const way = path.relative(root, folder)
  return Option.some<ListedPlugin>(
    way === ".." || way.startsWith(`..${path.sep}`) || path.isAbsolute(way)
      ? unusable(`${file} leads out of ${root} for the plugin ${name}`)
      : { _tag: "Inside", folder, file }
  )
})
