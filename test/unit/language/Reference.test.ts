import { describe, expect, it } from "@effect/vitest"
import { Either } from "effect"
import { parseReference } from "../../../src/language/Reference.ts"

const parse = (text: string, disk: "is-file" | "no-file" = "no-file") => Either.getOrThrow(parseReference(text, disk))
const file = (path: string) => ({ _tag: "File", path })

describe("a reference", () => {
  it.each(["x/y", "flow.yaml", "FLOW.YML", "a\\b", "./qa", "dir/with#hash/x"])(
    "%s is a file, whether or not it exists",
    (text) => {
      expect(parse(text)).toEqual(file(text))
    }
  )

  it.each([
    "node_modules/@scope/flows/qa.yaml",
    "node_modules/@scope/flows/qa",
    "/home/me@work/qa.yaml",
    "/home/me@work/qa",
    "./qa@team",
    "~/me@work/qa",
    "C:\\me@work\\qa",
    "me@work/qa.yaml"
  ])("%s is a file although it has an @", (text) => {
    expect(parse(text)).toEqual(file(text))
  })

  it("that names an existing file is that file, whatever it looks like", () => {
    expect(parse("qa@team", "is-file")).toEqual(file("qa@team"))
    expect(parse("qa", "is-file")).toEqual(file("qa"))
  })

  it.each([
    ["qa", { workflow: "qa" }],
    ["qa@", { workflow: "qa" }],
    ["qa#v1", { workflow: "qa", ref: "v1" }],
    ["qa@team", { workflow: "qa", registry: "team" }],
    ["qa@team#main", { workflow: "qa", registry: "team", ref: "main" }],
    ["deep/qa@team", { workflow: "deep/qa", registry: "team" }],
    ["qa@team#a/b", { workflow: "qa", registry: "team", ref: "a/b" }]
  ])("%s is a workflow of a registry", (text, expected) => {
    expect(parse(text)).toEqual({ _tag: "Registered", ...expected })
  })

  it("with a repository after @ needs no registry", () => {
    expect(parse("qa@acme/flows#v2")).toEqual({
      _tag: "AdHoc",
      workflow: "qa",
      owner: "acme",
      repository: "flows",
      ref: "v2"
    })
  })

  it.each([
    ["", "empty"],
    ["qa@a@b", "more than one '@'"],
    ["qa#a#b", "more than one '#'"],
    ["qa#", "nothing after '#'"],
    ["@team", "name of the workflow is missing"],
    ["qa@/x", "owner/repository"],
    ["qa@a/b/c", "owner/repository"]
  ])("%s is refused with a reason", (text, reason) => {
    const message = Either.match(parseReference(text, "no-file"), { onLeft: String, onRight: () => "accepted" })
    expect(message).toContain(reason)
  })
})
