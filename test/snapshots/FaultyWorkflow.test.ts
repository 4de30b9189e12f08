/** What `conductor validate` says about a workflow that is wrong in as many ways as it knows, as a person sees it. */
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, expect, it } from "vitest"
import { validate } from "../../src/cli/validate.ts"
import { type CommandWorld, last, makeCommandWorld } from "../unit/cli/CommandWorld.ts"

const folder = fileURLToPath(new URL("./cli/faults/", import.meta.url))
const workflow = `${folder}workflow.yaml`

let world: CommandWorld
beforeAll(async () => {
  world = await makeCommandWorld()
})
afterAll(() => world.remove())

it("a faulty workflow is told about whole, each fault with its place, rule and remedy", async () => {
  const { code, stderr, stdout } = last(await world.perform(validate({ workflow, json: false })))
  await expect(`${stdout}${stderr}`.replaceAll(folder, "")).toMatchFileSnapshot("./cli/faults.txt")
  expect(code).toBe(1)
})

it("programs are told the same", async () => {
  const [person, program] = await world.perform(validate({ workflow, json: false }), validate({ workflow, json: true }))
  const { diagnostics, valid } = JSON.parse(program?.stdout ?? "")
  expect(valid).toBe(false)
  expect(program?.code).toBe(1)
  // A text of several lines is one diagnostic.
  expect(diagnostics).toHaveLength(person?.stdout.split("\n").filter((line) => line.endsWith("]")).length ?? 0)
  for (const diagnostic of diagnostics) {
    expect(diagnostic).toMatchObject({
      severity: expect.stringMatching(/^(?:error|warning)$/),
      rule: expect.stringMatching(/^[a-z-]+$/),
      line: expect.any(Number),
      column: expect.any(Number)
    })
  }
})
