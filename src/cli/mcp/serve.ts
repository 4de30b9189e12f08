/**
 * `conductor mcp serve` in the help of the command line. `main.ts` starts the server without loading this room, since a
 * host waits for it; only its place in the tree is here.
 */
import { Command } from "@effect/cli"
import { Effect } from "effect"
import { misused } from "../CliFailure.ts"

export const serve = Command.make("serve", {}, () =>
  Effect.fail(misused("Write 'conductor mcp serve' as the first words; its flags: 'conductor mcp serve --help'."))
).pipe(Command.withDescription("Serve over stdio; for its flags, 'conductor mcp serve --help'"))
