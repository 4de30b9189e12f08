/** What somebody typed as the source of a registry, judged without looking at the disk. Pure. */
import { join, resolve } from "node:path"
import type { RegistryKind } from "./Registry.ts"

/** How the source of a `github` registry is written. */
export const repository = /^[A-Za-z0-9_.-]+\/[A-Za-z0-9_.-]+$/
const plainPath = /^(?:\.{1,2}$|\.{1,2}[\\/]|~$|~[\\/]|[\\/]|[A-Za-z]:[\\/])/

/**
 * The kind of a source whose kind was not given. Unlike the reference, which takes `./flows` for a repository, whatever
 * begins like a path or is a folder is one.
 */
export const inferKind = (source: string, found: "folder" | "no folder"): RegistryKind =>
  !plainPath.test(source) && found === "no folder" && repository.test(source) ? "github" : "path"

/** Absolute, because the reference's verbatim path means another folder in every working directory. */
export const absoluteSource = (source: string, workingDirectory: string, userHome: string): string =>
  /^~(?:[\\/]|$)/.test(source) ? join(userHome, source.slice(1)) : resolve(workingDirectory, source)
