/** What a text under `plugin_sources` leads to (workflow language §7.7). By its form alone; nothing is looked at. */
import { Either, Record } from "effect"
import { resolve } from "node:path"
import { isRepositoryAddress, isRepositoryName, withoutCredentials } from "../../domain/RepositoryAddress.ts"
import type { Runtime } from "../document/Runtime.ts"

interface InGit {
  /** What it is called in messages and in logs: the text of the workflow without credentials. */
  readonly name: string
  /** A branch, a tag or a commit; left out, what the repository calls its default. */
  readonly ref?: string
}

/** `owner/repository[#ref]`. */
interface NamedSource extends InGit {
  readonly _tag: "Repository"
  readonly owner: string
  readonly repository: string
}

/** `https://…`, `ssh://…` or `user@host:path`, with `#ref`. */
interface AddressedSource extends InGit {
  readonly _tag: "Address"
  readonly address: string
}

export type RemoteSource = NamedSource | AddressedSource

/** `path` is relative to the workflow file, to the home folder (`~`), or absolute. */
interface FolderSource {
  readonly _tag: "Folder"
  readonly path: string
}

export type PluginSource = FolderSource | RemoteSource

const folder = /^(?:[.~]|[\\/]|[A-Za-z]:[\\/])/
const FORMS =
  "write owner/repository, https://…, ssh://… or user@host:path, each with #ref if need be, or a path like ./plugins"

const splitRef = (text: string): readonly [address: string, ref?: string] => {
  const at = text.lastIndexOf("#")
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

/** As git takes it; undefined when it is none, or none that a workflow may name: this machine is named by paths. */
const addressOf = (text: string): string | undefined => {
  const lower = text.replace(/^[^:]*:\/\//, (scheme) => scheme.toLowerCase())
  return isRepositoryAddress(lower) && !lower.startsWith("file:") ? lower : undefined
}

/** `Left` says what is wrong, and what to write. */
export const parsePluginSource = (text: string): Either.Either<PluginSource, string> => {
  if (folder.test(text)) return Either.right({ _tag: "Folder", path: text })
  const name = withoutCredentials(text)
  const [written, ref] = splitRef(text)
  if (ref === "") return Either.left(`nothing follows the # of "${name}"; name a branch, a tag or a commit`)
  const inGit = { name, ...(ref === undefined ? {} : { ref }) }
  const [owner = "", repository = "", ...rest] = written.split("/")
  if (isRepositoryName(owner) && isRepositoryName(repository) && rest.length === 0) {
    return Either.right({ _tag: "Repository", owner, repository, ...inGit })
  }
  const address = addressOf(written)
  return address === undefined
    ? Either.left(`"${name}" is no place that plugins can be taken from; ${FORMS}`)
    : Either.right({ _tag: "Address", address, ...inGit })
}

/** With folders that are relative to `directory`, that of the workflow file, made absolute: for workflows elsewhere. */
export const anchoredSources = (sources: Runtime["plugin_sources"], directory: string): Runtime["plugin_sources"] =>
  Record.map(sources, (declared) =>
    declared.source.startsWith(".") ? { ...declared, source: resolve(directory, declared.source) } : declared
  )

/** Equal for sources that lead to the same: what two workflows call one name may be two places. */
export const sourcesKey = (sources: Runtime["plugin_sources"]): string =>
  JSON.stringify(Object.entries(sources).toSorted(([left], [right]) => (left < right ? -1 : 1)))
