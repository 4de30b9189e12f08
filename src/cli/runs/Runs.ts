/** `conductor runs`: the runs of this machine. */
import { Command } from "@effect/cli"
import { list } from "./list.ts"
import { reindex } from "./reindex.ts"

export const runs = Command.make("runs").pipe(
  Command.withDescription("List runs and mend their index"),
  Command.withSubcommands([list, reindex])
)
