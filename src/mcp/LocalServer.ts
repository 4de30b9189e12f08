/**
 * The tools of one server behind the protocol, each part of it made as late as possible: the catalogue when the host asks
 * for tools, the session when it calls one or is done with its first questions.
 */
import type { CatalogueContents } from "../catalogue/CatalogueEntry.ts"
import { instructionsFor } from "./definitions/Instructions.ts"
import { toolList } from "./definitions/ToolList.ts"
import type { ServeOptions } from "./ServeFlags.ts"
import type { Session } from "./Session.ts"
import type { ToolDefinition, ToolSurface } from "./ToolSurface.ts"

/** Milliseconds after the first contact until the session is prepared: by then the host has its list of tools. */
const warmUpDelay = 100

/** Milliseconds after a call until the code that it may have loaded is kept: its answer goes first. */
const keepDelay = 1_000

export interface ServerParts {
  readonly options: ServeOptions
  readonly catalogue: () => Promise<CatalogueContents>
  readonly session: (contents: CatalogueContents) => Promise<Session>
  /** Hears what goes wrong while nobody waits for it. */
  readonly onError: (error: unknown) => void
  /** Code was loaded, and there is time to keep it for the next start. */
  readonly onLoaded: () => void
}

export interface LocalServer extends ToolSurface {
  /** Begins to make the list of tools, since a host will ask for it. */
  readonly prepare: () => void
  readonly close: () => Promise<void>
}

/** The promise of the first call, for all calls; a failure is forgotten, so that a later call tries again. */
const once = <A>(make: () => Promise<A>): (() => Promise<A>) => {
  let made: Promise<A> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}

export const makeLocalServer = (parts: ServerParts): LocalServer => {
  const catalogue = once(parts.catalogue)
  const tools = once(async (): Promise<ReadonlyArray<ToolDefinition>> =>
    toolList(await catalogue(), parts.options.toolsets)
  )
  let session: (() => Promise<Session>) | undefined
  const openSession = (): Promise<Session> => {
    session ??= once(async () => parts.session(await catalogue()))
    return session()
  }
  const warmUp = async (): Promise<void> => {
    await (await openSession()).warm()
    parts.onLoaded()
  }
  let contacted = false
  return {
    instructions: instructionsFor(parts.options.toolsets),
    tools,
    prepare: () => void tools().catch(parts.onError),
    call: async (call) => {
      const result = await (await openSession()).call(call)
      setTimeout(parts.onLoaded, keepDelay).unref()
      return result
    },
    connected: () => {
      if (contacted) return
      contacted = true
      setTimeout(() => void warmUp().catch(parts.onError), warmUpDelay)
    },
    close: async () => {
      if (session !== undefined) await (await session()).close()
    }
  }
}
