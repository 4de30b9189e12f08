/** How `git` is called for content that strangers wrote: what it may do, and with which words. Pure. */

/** A branch, a tag or a commit: no option, no pattern and no pair of two names. */
export const isRevision = (text: string): boolean =>
  /^[A-Za-z0-9_][A-Za-z0-9_./+-]*$/.test(text) && !text.includes("..")

export const isCommit = (text: string): boolean => /^[0-9a-f]{40}$/.test(text)

/** Variables that would turn git to another repository than the one it is called for. */
const ofAnotherRepository =
  /^GIT_(DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|PREFIX|CEILING_DIRECTORIES)$/

const protocolsFor = (base: string): string => (base.startsWith("file:") ? "https:ssh:file" : "https:ssh")

/** Nobody is there to be asked for a password, and no other protocol is spoken, wherever an address leads. */
export const gitEnvironment = (
  variables: ReadonlyMap<string, string>,
  base: string
): Readonly<Record<string, string>> => ({
  GIT_SSH_COMMAND: "ssh -o BatchMode=yes",
  ...Object.fromEntries([...variables].filter(([variable]) => !ofAnotherRepository.test(variable))),
  GIT_ALLOW_PROTOCOL: protocolsFor(base),
  GIT_ASKPASS: "",
  GIT_LFS_SKIP_SMUDGE: "1",
  GIT_TERMINAL_PROMPT: "0",
  GCM_INTERACTIVE: "never"
})

/** No hooks, no submodules, no background work, and files with the bytes that were committed. */
export const gitSettings: ReadonlyArray<string> = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["core.autocrlf", "false"],
  ["submodule.recurse", "false"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"]
].flatMap(([key, value]) => ["-c", `${key}=${value}`])
