/**
 * How long one call may stay open in each host (mcp hosts §4.1). Beyond its limit a host drops the answer, so a wait
 * ends well before, and the model is told to ask again.
 */

interface HostLimit {
  /** Of the name by which the client introduces itself, in lower case. */
  readonly name: RegExp
  /** Seconds that one call may wait. */
  readonly seconds: number
}

const unknownHost = 45

const hosts: ReadonlyArray<HostLimit> = [
  // Has no limit worth the name, but moves a call into the background after 120 s, where its answer may get lost.
  { name: /^claude[- ]code/, seconds: 110 },
  // Claude Desktop and claude.ai: about 60 s, not configurable.
  { name: /^claude/, seconds: 45 },
  // 300 s by default.
  { name: /^codex/, seconds: 240 },
  // 600 s by default.
  { name: /gemini/, seconds: 480 },
  // 180 s by default.
  { name: /copilot/, seconds: 140 },
  // Cancels after 5 minutes.
  { name: /^cursor/, seconds: 240 },
  // Has no documented limit, and no setting for one.
  { name: /^visual studio code|^vscode/, seconds: 110 }
]

/** Seconds that one call of this client may wait. */
export const hostLimit = (clientName: string | undefined): number => {
  const name = clientName?.toLowerCase() ?? ""
  return hosts.find((host) => host.name.test(name))?.seconds ?? unknownHost
}
