import { describe, expect, it } from "vitest"
import { understand } from "../../../src/cli/CommandLine.ts"

const optionsOf = (...words: ReadonlyArray<string>) => {
  const understood = understand(words)
  return understood._tag === "Call" ? understood.call.options : understood
}

const misuseOf = (...words: ReadonlyArray<string>): string => {
  const understood = understand(words)
  return understood._tag === "Misuse" ? understood.text : `(${understood._tag})`
}

describe("a call", () => {
  it("has its arguments and flags by name, in whatever order they are typed", () => {
    const expected = {
      workflow: "a.yaml",
      input: ["x=1", "y=a=b"],
      "input-json": [],
      provider: "openai",
      "skip-gates": false,
      "dry-run": false,
      detach: false,
      quiet: false,
      json: false
    }
    expect(optionsOf("run", "a.yaml", "-i", "x=1", "--input", "y=a=b", "-p", "openai")).toEqual(expected)
    expect(optionsOf("run", "-i", "x=1", "--provider=openai", "a.yaml", "--input=y=a=b")).toEqual(expected)
  })

  it("has the defaults of what is left out", () => {
    expect(optionsOf("runs", "list")).toEqual({
      status: undefined,
      workflow: undefined,
      limit: 20,
      offset: 0,
      json: false
    })
  })

  it("takes what follows -- as it is", () => {
    expect(optionsOf("status", "--json", "--", "--help")).toEqual({ run: "--help", json: true })
  })

  it("takes a value that begins with a dash when it is written with =", () => {
    expect(optionsOf("run", "a.yaml", "--input=-x=1")).toMatchObject({ input: ["-x=1"] })
  })

  it("lets the last of a repeated flag win where only one can", () => {
    expect(optionsOf("runs", "list", "--limit", "1", "--limit", "2")).toMatchObject({ limit: 2 })
  })
})

describe("a mistake", () => {
  it("in the name of a command names the nearest one", () => {
    expect(misuseOf("runn")).toBe("There is no command 'runn'. Did you mean 'run'?\nSee 'conductor --help'.")
    expect(misuseOf("registry", "ad")).toContain("There is no command 'registry ad'. Did you mean 'add'?")
  })

  it("in the name of a flag names the nearest one", () => {
    expect(misuseOf("status", "x", "--jsn")).toContain("There is no flag --jsn. Did you mean '--json'?")
  })

  it("in a value names the flag and what would be right", () => {
    expect(misuseOf("runs", "list", "--limit", "-1")).toContain("--limit must be a whole number from 0 on, not '-1'")
    expect(misuseOf("runs", "list", "--status", "runing")).toContain("did you mean 'running'?")
    expect(misuseOf("runs", "list", "--workflow=")).toContain("--workflow is empty")
  })

  it("of a value that is not there is told, and the next flag is not eaten for it", () => {
    expect(misuseOf("runs", "list", "--limit")).toContain("--limit needs a value: --limit=N")
    expect(misuseOf("runs", "list", "--limit", "--json")).toContain("--limit needs a value: --limit=N")
    expect(misuseOf("status", "x", "--json=yes")).toContain("--json takes no value.")
  })

  it("of too few or too many words says which, and how to write the call", () => {
    expect(misuseOf("status")).toContain("<run> is missing")
    expect(misuseOf("status", "")).toContain("<run> is missing")
    expect(misuseOf("status", "a", "b")).toContain("'b' is one word too many.\nUsage: conductor status <run> [flags]")
  })

  it("comes with all others of the same call", () => {
    const text = misuseOf("runs", "list", "extra", "--limit", "x", "--nonsense")
    expect(text).toContain("'extra'")
    expect(text).toContain("--limit")
    expect(text).toContain("--nonsense")
  })

  it("that leaves out the command of a group shows the commands of the group", () => {
    expect(misuseOf("mcp")).toContain("mcp serve")
    expect(misuseOf("runs")).toContain("runs reindex")
  })

  it("is a flag of a command before the command", () => {
    expect(misuseOf("--json", "status", "x")).toContain("flags stand after it")
  })

  it("is never made by a name that JavaScript itself knows", () => {
    for (const word of ["constructor", "toString", "__proto__", "hasOwnProperty"]) {
      expect(misuseOf(word)).toContain(`There is no command '${word}'.`)
      expect(misuseOf("status", "x", `--${word}`)).toContain(`There is no flag --${word}.`)
    }
  })
})
