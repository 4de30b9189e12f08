/**
 * `conductor mcp serve` from its first instruction to its last. Everything that a start does not need is behind an
 * `import()`: a host waits for the list of tools, and with a snapshot of the catalogue that takes no Effect, no YAML and
 * no database.
 */
import { statSync } from "node:fs"
import { readSnapshot } from "../catalogue/CatalogueSnapshot.ts"
import type { CatalogueContents } from "../catalogue/CatalogueEntry.ts"
import { flushCodeCache } from "../platform/CodeCache.ts"
import { type CatalogueRequest, catalogueRequest } from "./CatalogueRequest.ts"
import { endWith } from "./Ending.ts"
import { makeLocalServer } from "./LocalServer.ts"
import { serveProtocol } from "./Sdk.ts"
import type { ServeOptions } from "./ServeFlags.ts"
import { serveHelp } from "./ServeFlagsText.ts"
import { decodeServeOptions } from "./ServeOptions.ts"
import { reportStrayLines } from "./StrayLines.ts"
import { takeStdout } from "./Stdout.ts"

const usageError = 2

const say = (text: string): void => {
  process.stderr.write(text)
}

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

const longestReport = 400

/** One line: some errors of the SDK are whole documents. */
const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\s+/g, " ").slice(0, longestReport)

const mostReports = 20

/** A host, or a person's pipe, may send nonsense without end: each problem is said once, and only so many of them. */
const makeReport = (): ((error: unknown) => void) => {
  const said = new Set<string>()
  return (error) => {
    const message = messageOf(error)
    if (said.has(message) || said.size >= mostReports) return
    said.add(message)
    say(`conductor: ${message}\n`)
  }
}

const catalogueOf = async ({ key, file, options }: CatalogueRequest): Promise<CatalogueContents> => {
  const snapshot = readSnapshot(file, key)
  if (snapshot !== undefined) return snapshot.contents
  const { buildAndKeep } = await import("./BuildServer.ts")
  return buildAndKeep({ key, file, options })
}

/** Milliseconds: the answer to the host goes first. */
const summaryDelay = 20

const saySummary = async (contents: CatalogueContents, options: ServeOptions): Promise<void> => {
  const { startupSummary } = await import("./Summary.ts")
  say(startupSummary(contents, options))
}

const start = (options: ServeOptions, output: NodeJS.WriteStream): void => {
  const report = makeReport()
  const request = catalogueRequest(options, process.env)
  const server = makeLocalServer({
    options,
    catalogue: async () => {
      const contents = await catalogueOf(request)
      setTimeout(() => void saySummary(contents, options).catch(report), summaryDelay)
      return contents
    },
    session: async (contents) => (await import("./LiveSession.ts")).openLiveSession(contents, options),
    onError: report,
    onLoaded: flushCodeCache
  })
  const streams = { input: process.stdin, output }
  endWith(streams, server.close)
  serveProtocol(server, streams, report)
  reportStrayLines(process.stdin, report)
  // The host's first message comes first: it must not wait for a catalogue.
  setImmediate(server.prepare)
}

/** `argv` is what follows `conductor mcp serve`. */
export const serve = (argv: ReadonlyArray<string>): void => {
  const output = takeStdout()
  const request = decodeServeOptions(argv, {
    environment: process.env,
    workingDirectory: process.cwd(),
    isDirectory
  })
  switch (request._tag) {
    case "Help":
      output.write(serveHelp())
      return
    case "Invalid":
      say(request.problems.map((problem) => `conductor mcp serve: ${problem}\n`).join(""))
      process.exitCode = usageError
      return
    case "Serve":
      if (process.stdin.isTTY) {
        say(serveHelp())
        process.exitCode = usageError
        return
      }
      start(request.options, output)
  }
}
