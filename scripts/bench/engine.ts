// One measurement of the engine in a process of its own: `engine.cjs <case> <size> <home>` prints it as one line of JSON.
import * as NodeContext from "@effect/platform-node/NodeContext"
import { Effect, Either, Layer } from "effect"
import { spawn } from "node:child_process"
import { open } from "node:fs/promises"
import { join } from "node:path"
import type { ValueMap } from "../../src/domain/Value.ts"
import { loadWorkflowText } from "../../src/language/Loader.ts"
import { compilePlan } from "../../src/language/Plan.ts"
import { renderTemplate } from "../../src/language/template/Template.ts"
import { validateWorkflow } from "../../src/language/validate/Validate.ts"
import { Environment } from "../../src/platform/Environment.ts"
import { measureRun } from "./engine/engineRun.ts"
import { chainOfSets, chainOfSteps, scripts, setPerItem, twoStepLoop } from "./engine/workflows.ts"

const timed = async <A>(work: () => A | Promise<A>): Promise<{ readonly result: A; readonly milliseconds: number }> => {
  const begun = performance.now()
  const result = await work()
  return { result, milliseconds: performance.now() - begun }
}

const platform = Layer.merge(NodeContext.layer, Environment.layerProcess)

/** What a log of this many events costs that does nothing but write and force, as often as the engine does. */
const bareLog = async (events: number, home: string) => {
  const line = Buffer.alloc(180, "x")
  const handle = await open(join(home, "bare.log"), "w")
  const { milliseconds } = await timed(async () => {
    for (let event = 0; event < events; event += 1) {
      await handle.write(line, 0, line.length, event * line.length)
      // One event in four ends a step.
      if (event % 4 === 3) await handle.datasync()
    }
  })
  await handle.close()
  return { milliseconds }
}

const bareSpawns = (count: number) =>
  timed(async () => {
    for (let index = 0; index < count; index += 1) {
      await new Promise((done) =>
        spawn("true", [], { detached: true, stdio: ["ignore", "pipe", "pipe"] }).on("close", done)
      )
    }
  })

const loadAndValidate = async (steps: number) => {
  const text = chainOfSteps(steps)
  const load = () => Effect.runPromise(Effect.provide(loadWorkflowText(text), platform))
  const once = async () => {
    const { milliseconds: loading, result: loaded } = await timed(load)
    const { milliseconds: compiling } = await timed(() => compilePlan(loaded))
    const { milliseconds: validating, result: findings } = await timed(() => validateWorkflow(loaded))
    return { loading, compiling, validating, findings: findings.length }
  }
  // Thousands of steps have been through it by then, so that the work is measured and not the compiler of JavaScript.
  for (let warm = 0; warm < 4000; warm += steps) await once()
  return once()
}

/** About four kilobytes of text: a report over a list, with conditions, filters and nested values. */
const template = `# {{ title | upper }}

${"The parts below were looked at one after the other, and what was found is told with each of them. ".repeat(20)}

{% for part in parts %}{% if part.ok %}- {{ part.name }}: fine after {{ part.seconds | round(1) }} s
{% else %}- {{ part.name }}: {{ part.faults | length }} faults, first {{ part.faults[0] }}
{% endif %}{% endfor %}
${"Whatever is not named here was not asked for. ".repeat(30)}
In all {{ parts | length }} parts for {{ workflow.input.target }}.
`

interface Part {
  readonly name: string
  readonly ok: boolean
  readonly seconds: number
  readonly faults: ReadonlyArray<string>
}

const parts: ReadonlyArray<Part> = Array.from({ length: 10 }, (_, index) => ({
  name: `part ${index}`,
  ok: index % 3 !== 0,
  seconds: index * 1.37 + 0.05,
  faults: index % 3 === 0 ? ["broken", "late"] : []
}))

const [prose = "", remarks = ""] = [template.split("\n")[2], template.split("\n").at(-3)]

/** The same text from the same values, as a program would make it. */
const plainReport = (title: string, parts: ReadonlyArray<Part>, target: string): string => {
  const lines = parts.map(({ faults, name, ok, seconds }) =>
    ok ? `- ${name}: fine after ${seconds.toFixed(1)} s\n` : `- ${name}: ${faults.length} faults, first ${faults[0]}\n`
  )
  return `# ${title.toUpperCase()}\n\n${prose}\n\n${lines.join("")}\n${remarks}\nIn all ${parts.length} parts for ${target}.\n`
}

const renders = async (count: number) => {
  const rounds = 9
  const engine: Array<number> = []
  const plain: Array<number> = []
  let characters = 0
  for (let round = 0; round < rounds; round += 1) {
    const rendered = await timed(() => {
      for (let index = 0; index < count; index += 1) {
        const context = {
          title: `Report ${index}`,
          parts,
          workflow: { input: { target: "all" } }
        } as unknown as ValueMap
        characters += Either.getOrThrow(renderTemplate(template, context)).length
      }
    })
    const made = await timed(() => {
      for (let index = 0; index < count; index += 1) characters -= plainReport(`Report ${index}`, parts, "all").length
    })
    engine.push(rendered.milliseconds)
    plain.push(made.milliseconds)
  }
  if (characters !== 0) throw new Error(`The two texts differ by ${characters} characters`)
  return { engine, plain, templateBytes: template.length }
}

const run = (text: string, home: string) => Effect.runPromise(measureRun(text, home))

const cases: Readonly<Record<string, (size: number, home: string) => Promise<unknown>>> = {
  loop: (iterations, home) => run(twoStepLoop(iterations), home),
  "for-each": (items, home) => run(setPerItem(items), home),
  scripts: (count, home) => run(scripts(count), home),
  chain: (steps, home) => run(chainOfSets(steps), home),
  "bare-log": bareLog,
  "bare-spawn": bareSpawns,
  plan: loadAndValidate,
  renders
}

const [name = "", size = "", home = ""] = process.argv.slice(2)
void cases[name]?.(Number(size), home).then((measured) => process.stdout.write(`${JSON.stringify(measured)}\n`))
