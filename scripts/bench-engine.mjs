// `npm run bench:engine`: what the engine costs per event, and that it costs the same in a long run as in a short one.
// Writes docs/benchmarks-engine.md. Every measurement is a process of its own with a home of its own; what is compared is
// measured in turns. `--rounds N` sets the number of turns (five unless said otherwise).
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { rolldown } from "rolldown"

const { values } = parseArgs({ options: { rounds: { type: "string", default: "5" } } })
const rounds = Math.max(1, Number(values.rounds))
const root = mkdtempSync(join(tmpdir(), "conductor-bench-"))

/** As the program is built: one bundle. */
const buildProgram = async () => {
  const bundle = await rolldown({
    input: { engine: "scripts/bench/engine.ts" },
    platform: "node",
    external: [/^better-sqlite3/],
    transform: { define: { __VERSION__: JSON.stringify("bench") } },
    onLog: () => undefined
  })
  await bundle.write({ dir: join(root, "program"), format: "cjs", entryFileNames: "[name].cjs", comments: false })
  return join(root, "program", "engine.cjs")
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1]
const count = (number) => Math.round(number).toLocaleString("en")
const milliseconds = (number) => `${number.toFixed(number < 10 ? 1 : 0)} ms`
const times = (number) => `${number.toFixed(number < 10 ? 2 : 0)} ×`

const measure = (program, name, size, home) =>
  JSON.parse(execFileSync(process.execPath, [program, name, String(size), home], { encoding: "utf8" }))

/** All of them once in each round, so that a busy moment of the machine meets all alike. */
const inTurns = (program, cases) => {
  const measured = cases.map(() => [])
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, [name, size]] of cases.entries()) {
      const home = mkdtempSync(join(root, "home-"))
      measured[index].push(measure(program, name, size, home))
      rmSync(home, { recursive: true, force: true })
    }
  }
  return measured
}

const last = ({ samples }) => samples.at(-1)
const eventsPerSecond = (run) => (1000 * last(run).events) / last(run).wallMilliseconds
const microsecondsPerEvent = (run) => (1000 * last(run).cpuMilliseconds) / last(run).events

/** Processor time of an event between two places in a run, in microseconds. */
const costBetween = ({ samples }, from, to) => {
  const [begin, end] = [from, to].map((events) => samples.find((sample) => sample.events === events))
  return (1000 * (end.cpuMilliseconds - begin.cpuMilliseconds)) / (to - from)
}

const runRow = (what, runs) => [
  what,
  count(last(runs[0]).events),
  count(median(runs.map(eventsPerSecond))),
  `${count(median(runs.map(microsecondsPerEvent)))} µs`,
  `${count(median(runs.map((run) => run.bytes / last(run).events)))}`,
  `${count(median(runs.map((run) => run.residentMebibytes)))} MiB`
]

const table = (head, rows) => [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n")

const report = (program) => {
  const [loop, bare, items, steps, scripts, spawns, smallPlan, largePlan, renders] = inTurns(program, [
    ["loop", 12_500],
    ["bare-log", 20_000],
    ["for-each", 10_000],
    ["chain", 2_000],
    ["scripts", 500],
    ["bare-spawn", 500],
    ["plan", 200],
    ["plan", 2_000],
    ["renders", 1_000]
  ])
  const growth = (runs, early, late) =>
    median(runs.map((run) => costBetween(run, ...late) / costBetween(run, ...early)))
  const lateCost = (runs, ...late) => `${count(median(runs.map((run) => costBetween(run, ...late))))} µs`
  const looped = median(loop.map((run) => 1000 / eventsPerSecond(run)))
  const durable = median(bare.map((run) => run.milliseconds)) / 20_000
  const scripted = median(scripts.map((run) => last(run).wallMilliseconds)) / 500
  const spawned = median(spawns.map((run) => run.milliseconds)) / 500
  const planned = (plans) => median(plans.map(({ compiling, loading, validating }) => loading + compiling + validating))
  const rendered = median(renders.flatMap(({ engine }) => engine)) / 1000
  const written = median(renders.flatMap(({ plain }) => plain)) / 1000

  return `# Benchmarks of the engine

Measured by \`npm run bench:engine\` in turns, ${rounds} of each, on Node ${process.versions.node}, ${cpus().length} cores
(${cpus()[0]?.model.trim()}). Medians. The engine runs with its real event log: every event is written before the
next one, and every end of a step is forced to the disk. The machine was shared, so the ratios are the result.

## Runs

${table(
  ["what", "events", "events per second", "processor time per event", "log bytes per event", "peak memory (RSS)"],
  [
    runRow("a loop of two steps, 12,500 times", loop),
    runRow("a for_each of 10,000 `set` items, 10 at once", items),
    runRow("2,000 different `set` steps, one after the other", steps),
    runRow("500 script steps", scripts)
  ]
)}

## Ratios

${table(
  ["what", "measured", "ratio", "goal"],
  [
    [
      "loop: an event of the last 10,000 against one of the second 10,000 (processor time)",
      lateCost(loop, 90_000, 100_000),
      times(growth(loop, [10_000, 20_000], [90_000, 100_000])),
      "≤ 1.2"
    ],
    [
      "for_each: an event of the last quarter against one of the second quarter (processor time)",
      lateCost(items, 30_000, 40_000),
      times(growth(items, [10_000, 20_000], [30_000, 40_000])),
      "≤ 1.2"
    ],
    [
      "different steps, each of which sees all before it: the last quarter against the second quarter",
      lateCost(steps, 6_000, 8_000),
      times(growth(steps, [2_000, 4_000], [6_000, 8_000])),
      ""
    ],
    [
      "an event of the loop against a line that is only written and as often forced",
      milliseconds(looped),
      times(looped / durable),
      ""
    ],
    ["a script step against a bare start of the same command", milliseconds(scripted), times(scripted / spawned), ""],
    [
      "a plan of 2,000 steps, loaded, compiled and validated, against ten of 200",
      milliseconds(planned(largePlan)),
      times(planned(largePlan) / (10 * planned(smallPlan))),
      "≤ 1.2"
    ],
    [
      `a render of a template of ${(renders[0].templateBytes / 1024).toFixed(1)} KB against the same text by JavaScript`,
      milliseconds(rendered),
      times(rendered / written),
      ""
    ]
  ]
)}
`
}

try {
  const text = report(await buildProgram())
  writeFileSync("docs/benchmarks-engine.md", text)
  console.log(text)
} finally {
  rmSync(root, { recursive: true, force: true })
}
