import { Either, Option } from "effect"
import { describe, expect, it } from "vitest"
import { readMetadata } from "../../../src/language/Metadata.ts"

const complete = `
workflow:
  name: review
  description: Reviews \${SECRET}
  version: "1.2"
  entry_point: reader
  input:
    path: {type: string, description: "In \${HOME}", default: "\${SECRET}"}
  mcp: {expose: false, mode: sync, read_only: true}
agents:
  - name: reader
    prompt: !file prompts/reader.md
    output:
      score: {type: number}
output:
  score: "{{ reader.output.score }}"
`

describe("metadata", () => {
  it("gives every part of a readable workflow", () => {
    const metadata = readMetadata(complete)
    expect(metadata.name).toEqual(Option.some("review"))
    expect(metadata.version).toEqual(Option.some("1.2"))
    expect(metadata.mcp).toEqual(Either.right(Option.some({ expose: false, mode: "sync", read_only: true })))
    expect(metadata.outputs).toEqual(Either.right({ score: "{{ reader.output.score }}" }))
    expect(metadata.stepOutputs.get("reader")).toEqual({ score: { type: "number", required: true, nullable: false } })
  })

  it("shows variables as they are written, whatever they hold", () => {
    const { description, inputs } = readMetadata(complete)
    expect(description).toEqual(Option.some("Reviews ${SECRET}"))
    expect(Either.getOrThrow(inputs).path).toMatchObject({ description: "In ${HOME}", default: "${SECRET}" })
  })

  it("tells an absent mcp block, which means the defaults, from one that cannot be read", () => {
    const withMcp = (mcp: string) => readMetadata(`workflow:\n  name: t\n${mcp}`).mcp
    expect(withMcp("")).toEqual(Either.right(Option.none()))
    expect(withMcp("  mcp: {expos: false}")).toEqual(Either.left('workflow.mcp.expos: unknown key "expos"'))
    expect(withMcp("  mcp: {expose: '${X}'}")).toMatchObject({ _tag: "Left" })
    expect(withMcp("  mcp: !file mcp.yaml")).toEqual(Either.left("kept in another file (!file mcp.yaml)"))
  })

  it("loses only the part that is broken", () => {
    const metadata = readMetadata(
      "workflow:\n  name: t\n  mcp: {expose: false}\n  input: {q: {type: text}}\nsteps: 5\noutput: [x]\n"
    )
    expect(metadata.name).toEqual(Option.some("t"))
    expect(metadata.mcp).toMatchObject({ _tag: "Right" })
    expect(metadata.inputs).toMatchObject({ _tag: "Left", left: expect.stringContaining("workflow.input.q.type") })
    expect(metadata.outputs).toMatchObject({ _tag: "Left" })
  })

  it("knows nothing of what an included workflow section says, least of all its exposure", () => {
    const metadata = readMetadata("workflow: !file w.yaml\nagents: []\n")
    expect(metadata.inputs).toEqual(Either.left("kept in another file (!file w.yaml)"))
    expect(metadata.mcp).toEqual(Either.left("kept in another file (!file w.yaml)"))
  })

  it.each([
    ["", "the file is empty"],
    ["a: [", "workflow:1:5: YAML syntax error"],
    ["- x", "the file has no workflow section"],
    ["workflow: 5", "the file has no workflow section"]
  ])("of %j is unreadable in every part, with the reason", (text, reason) => {
    const { inputs, mcp, name, outputs } = readMetadata(text)
    expect(name).toEqual(Option.none())
    for (const part of [inputs, mcp, outputs]) {
      expect(part).toMatchObject({ _tag: "Left", left: expect.stringContaining(reason) })
    }
  })
})
