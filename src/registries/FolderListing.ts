/** Which workflows a folder without an index has: each workflow file among its direct children, by the stem of its name. */
import { Effect } from "effect"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { parseDocument } from "yaml"
import { type FileError, fileError } from "../platform/PrivateFiles.ts"
import { type EntryProblem, listingOf, type RegistryListing } from "./RegistrySource.ts"
import { readRootedFile } from "./RootedFile.ts"

/** Enough to keep a disk busy, few enough for the limit of open files. */
export const filesAtOnce = 8

const yamlFile = /^(.+)\.ya?ml$/is
const stemOf = (name: string): string => yamlFile.exec(name)?.[1] ?? name

/** A top-level `workflow` key in block style: nested keys are indented, and so are the lines of a block of text. */
const blockWorkflow = /^(?:workflow|"workflow"|'workflow')[ \t]*:(?:\s|$)/m
const flowStyle = /^\s*(?:#[^\n]*\n\s*)*(?:---\s+)?\{/

/** Parses only the rare file in flow style, since parsing costs milliseconds a file and a start has many. */
const isWorkflow = (text: string): boolean =>
  blockWorkflow.test(text) || (flowStyle.test(text) && parseDocument(text, { prettyErrors: false }).has("workflow"))

/** The names in a folder, but for those of folders, in the order of code units. */
export const listFolder = (root: string): Effect.Effect<ReadonlyArray<string>, FileError> =>
  Effect.tryPromise({ try: () => readdir(root, { withFileTypes: true }), catch: fileError("read", root) }).pipe(
    Effect.map((children) =>
      children
        .filter((child) => !child.isDirectory())
        .map((child) => child.name)
        .sort()
    )
  )

/** Names go into tables and terminals, where such a character would break a line or draw over another. */
const controlCharacters = /\p{Cc}/gu

const unprintable = (name: string): ReadonlyArray<EntryProblem> =>
  name.search(controlCharacters) < 0
    ? []
    : [
        {
          key: stemOf(name).replace(controlCharacters, "\ufffd"),
          reason: "its file name holds a control character; rename it"
        }
      ]

/** Of names with the same stem the first counts; the others become problems. */
const splitTwins = (names: ReadonlyArray<string>) => {
  const firsts = new Map<string, string>()
  const problems: Array<EntryProblem> = []
  for (const name of names) {
    const key = stemOf(name)
    const first = firsts.get(key)
    if (first === undefined) firsts.set(key, name)
    else problems.push({ key, reason: `${name} would have the key of ${first}, which is used; rename one of them` })
  }
  return { firsts, problems }
}

/**
 * `names` are the sorted names in `root`, a real path. YAML files without a top-level `workflow` are no workflows and
 * are left out; those that cannot be read are problems.
 */
export const listWorkflowFiles = Effect.fn("FolderListing.listWorkflowFiles")(function* (
  registry: string,
  root: string,
  names: ReadonlyArray<string>
) {
  const files = names.filter((name) => yamlFile.test(name))
  const [broken, inspected] = yield* Effect.partition(
    files.filter((name) => unprintable(name).length === 0),
    (name) =>
      Effect.mapBoth(readRootedFile(root, name), {
        onSuccess: (text) => ({ name, isWorkflow: isWorkflow(text) }),
        onFailure: (error): EntryProblem => ({ key: stemOf(name), reason: error.message })
      }),
    { concurrency: filesAtOnce }
  )
  const { firsts, problems } = splitTwins(inspected.filter((file) => file.isWorkflow).map((file) => file.name))
  const entries = Array.from(firsts, ([key, name]) => ({ registry, key, root, file: join(root, name) }))
  return listingOf(entries, [...files.flatMap(unprintable), ...problems, ...broken]) satisfies RegistryListing
})
