/**
 * The commands, as data: what they are called, take and are for. What they do is in `Handlers`, which a call loads only
 * for the one command it names.
 */
import { choice, count, optional, required, text, texts, toggle } from "./Flag.ts"
import type { Verb } from "./Verb.ts"

const json = toggle({ description: "Print JSON for programs" })
const following = {
  detach: toggle({ alias: "d", description: "Print the run's id and leave it running" }),
  quiet: toggle({ alias: "q", description: "Show no progress" }),
  json: toggle({ description: "Print events and the result as lines of JSON" })
}
const run = required("Id of a run, as in 'conductor runs list'")
const workflow = required("A workflow file, or a name in a registry: name or name@registry")

const statuses = ["running", "awaiting_gate", "paused", "completed", "failed", "cancelled", "lost"] as const

export const verbs = {
  run: {
    path: ["run"],
    summary: "Run a workflow and print its output as JSON",
    arguments: { workflow },
    flags: {
      input: texts({ alias: "i", placeholder: "NAME=VALUE", description: "An input" }),
      "input-json": texts({ placeholder: "JSON", description: "NAME=<json>, or all in one object" }),
      provider: text({ alias: "p", placeholder: "NAME", description: "Model provider, whatever the workflow says" }),
      "skip-gates": toggle({ description: "Ask nobody: take first options and defaults" }),
      "dry-run": toggle({ description: "Show what would run, and start nothing" }),
      "workspace-instructions": toggle({ description: "Give agents AGENTS.md and its like" }),
      instructions: texts({ placeholder: "FILE", description: "Give agents this file" }),
      ...following
    }
  },
  resume: {
    path: ["resume"],
    summary: "Go on with a run that did not complete",
    arguments: { run },
    flags: {
      "accept-change": toggle({ description: "Go on with the workflow file as it is now, not as it was" }),
      "restart-groups": toggle({ description: "Run all members of a group again, finished ones too" }),
      ...following
    }
  },
  status: { path: ["status"], summary: "Show what is known of a run", arguments: { run }, flags: { json } },
  stop: { path: ["stop"], summary: "End a run, and say what it took", arguments: { run }, flags: { json } },
  logs: {
    path: ["logs"],
    summary: "Show what happened in a run",
    arguments: { run },
    flags: {
      follow: toggle({ alias: "f", description: "Go on until the run ends" }),
      process: choice({
        choices: ["stdout", "stderr"],
        placeholder: "STREAM",
        description: "What the process wrote instead: stdout or stderr"
      }),
      json: toggle({ description: "Print one JSON object a line" })
    }
  },
  gateList: {
    path: ["gate", "list"],
    summary: "List the runs that wait for an answer",
    arguments: {},
    flags: { json }
  },
  gateRespond: {
    path: ["gate", "respond"],
    summary: "Answer the gate or question of a run",
    arguments: { run, value: required("The value of the option, as in 'conductor gate list'") },
    flags: {
      input: texts({ alias: "i", placeholder: "FIELD=TEXT", description: "The text that the option asks for" }),
      json
    }
  },
  guide: {
    path: ["guide"],
    summary: "Say something to a run that its models follow",
    arguments: { run },
    flags: { text: text({ alias: "t", placeholder: "TEXT", description: "What to say" }) }
  },
  runsList: {
    path: ["runs", "list"],
    summary: "List runs, newest first",
    arguments: {},
    flags: {
      status: choice({ choices: statuses, placeholder: "STATUS", description: "Only runs in this state" }),
      workflow: text({ placeholder: "NAME", description: "Only runs of this workflow, key or tool" }),
      limit: count({ fallback: 20, description: "How many to show" }),
      offset: count({ fallback: 0, description: "How many to skip" }),
      json
    }
  },
  runsFork: {
    path: ["runs", "fork"],
    summary: "Start a new run from a step of another one",
    arguments: { run },
    flags: {
      from: text({ placeholder: "STEP", description: "The step to begin with; what ran before it is taken over" }),
      ...following
    }
  },
  runsReindex: {
    path: ["runs", "reindex"],
    summary: "Make the index of runs anew from their logs",
    arguments: {},
    flags: { json }
  },
  validate: {
    path: ["validate"],
    summary: "Say all that is wrong with a workflow",
    arguments: { workflow },
    flags: { json }
  },
  show: {
    path: ["show"],
    summary: "Show the inputs, steps and outputs of a workflow",
    arguments: { workflow },
    flags: { json }
  },
  registryList: {
    path: ["registry", "list"],
    summary: "List registries, or the workflows of one",
    arguments: { name: optional("A registry, to list its workflows") },
    flags: { json }
  },
  registryAdd: {
    path: ["registry", "add"],
    summary: "Add a folder of workflows",
    arguments: { name: required("Name of the registry"), source: required("The folder") },
    flags: {
      type: choice({ alias: "t", choices: ["path", "github"], placeholder: "TYPE", description: "path or github" }),
      default: toggle({ alias: "d", description: "Make it the one where a bare name is looked up" })
    }
  },
  registryRemove: {
    path: ["registry", "remove"],
    summary: "Forget a registry; its folder stays",
    arguments: { name: required("Name of the registry") },
    flags: {}
  },
  registrySetDefault: {
    path: ["registry", "set-default"],
    summary: "Choose where a bare name is looked up",
    arguments: { name: required("Name of the registry") },
    flags: {}
  },
  doctor: {
    path: ["doctor"],
    summary: "Check that this machine has what runs need",
    arguments: {},
    flags: { json }
  }
} as const satisfies Readonly<Record<string, Verb>>

export type Verbs = typeof verbs
export type VerbName = keyof Verbs

/** Commands of one word that have others below them. */
export const groups: Readonly<Record<string, string>> = {
  gate: "Answer the gates and questions of runs",
  runs: "List and fork runs, and mend their index",
  registry: "Manage the folders of workflows",
  mcp: "Serve workflows as MCP tools"
}

/** Served by its own entry before the command line is loaded, since hosts wait for it; here for the help alone. */
export const serveVerb: Verb = {
  path: ["mcp", "serve"],
  summary: "Serve workflows as MCP tools over stdio",
  arguments: {},
  flags: {}
}

/** In the order of the help. */
export const allVerbs: ReadonlyArray<Verb> = [...Object.values<Verb>(verbs), serveVerb]
