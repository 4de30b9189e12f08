/** Paths that a workflow writes: relative to its file, with `~` for the home of the user. */
import { homedir } from "node:os"
import { resolve } from "node:path"
import type { Plan } from "../language/Plan.ts"
import { workflowFacts } from "./PlanFacts.ts"

const expandHome = (path: string): string => path.replace(/^~(?=$|\/)/, homedir())

/** Absolute. */
export const workflowPath = (plan: Plan, written: string): string =>
  resolve(workflowFacts(plan).directory ?? ".", expandHome(written))
