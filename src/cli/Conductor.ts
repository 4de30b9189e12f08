/** The tree of verbs. */
import { Command } from "@effect/cli"
import { doctor } from "./doctor.ts"
import { logs } from "./logs.ts"
import { serve } from "./mcp/serve.ts"
import { registry } from "./registry/Registry.ts"
import { run } from "./run.ts"
import { runs } from "./runs/Runs.ts"
import { show } from "./show.ts"
import { status } from "./status.ts"
import { stop } from "./stop.ts"
import { validate } from "./validate.ts"

const mcp = Command.make("mcp").pipe(
  Command.withDescription("Serve workflows as MCP tools"),
  Command.withSubcommands([serve])
)

export const conductor = Command.make("conductor").pipe(
  Command.withDescription("Workflows kept in files, run as governed runs and served as MCP tools"),
  Command.withSubcommands([run, status, stop, logs, runs, validate, show, registry, mcp, doctor])
)
