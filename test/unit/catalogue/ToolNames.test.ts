import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { type NamedWorkflow, prefixOf, toolNames } from "../../../src/catalogue/ToolNames.ts"

const VALID = /^[a-z][a-z0-9_]{0,39}$/

const workflow = (name: string, registry = "official", key = "flow"): NamedWorkflow => ({
  registry,
  key,
  name,
  file: `/flows/${registry}/${key}.yaml`
})

const namesOf = (
  workflows: ReadonlyArray<NamedWorkflow>,
  options: { toolPrefix?: string; reservedNames?: ReadonlyArray<string> } = {}
) => {
  const names = toolNames(workflows, { reservedNames: [], ...options })
  return workflows.map(names.nameOf)
}

const nameOf = (name: string, options: { toolPrefix?: string; reservedNames?: ReadonlyArray<string> } = {}) =>
  namesOf([workflow(name)], options)[0] ?? ""

describe("the name of one workflow", () => {
  it.each([
    ["Review-PR", "review_pr"],
    ["WooCommerce: New Order!", "woocommerce_new_order"],
    ["a.b-c_d9", "a_b_c_d9"],
    ["  __review  pr__ ", "review_pr"],
    ["Café résumé", "cafe_resume"],
    ["Deploy 🚀", "deploy"],
    ["2fa", "run_2fa"],
    ["../../etc/x", "etc_x"],
    ["constructor", "constructor"],
    ["x".repeat(40), "x".repeat(40)]
  ])("%j is %s", (name, expected) => {
    expect(nameOf(name)).toBe(expected)
  })

  it.each([
    ["日本語", /^flow_[0-9a-f]{8}$/],
    ["🚀", /^flow_[0-9a-f]{8}$/],
    ["", /^flow_[0-9a-f]{8}$/],
    ["Review 日本語", /^review_[0-9a-f]{8}$/],
    ["Straße", /^stra_e_[0-9a-f]{8}$/],
    ["a".repeat(300), /^a{21}_[0-9a-f]{8}$/]
  ])("%j keeps a readable part and gets a digest", (name, expected) => {
    expect(nameOf(name)).toMatch(expected)
  })

  it("a shortened name is unique within its first 30 characters", () => {
    const [one = "", two = ""] = namesOf([workflow("a".repeat(300)), workflow("a".repeat(301))])
    expect(one.slice(0, 30)).not.toBe(two.slice(0, 30))
    expect(one.length).toBeLessThanOrEqual(30)
  })

  it("the operator's prefix stands before every name, and takes the place of the letter before a digit", () => {
    expect(nameOf("Review-PR", { toolPrefix: "Acme Inc." })).toBe("acme_inc_review_pr")
    expect(nameOf("2fa", { toolPrefix: "acme" })).toBe("acme_2fa")
  })

  it("a prefix of nothing but punctuation is none, and a long one is cut", () => {
    expect(prefixOf("---")).toBe("")
    expect(prefixOf("a".repeat(100))).toBe(`${"a".repeat(15)}_`)
    expect(prefixOf("9")).toBe("run_9_")
  })

  it("a workflow that takes the name of a built-in tool is qualified and reported", () => {
    const names = toolNames([workflow("conductor run status")], { reservedNames: ["conductor_run_status"] })
    expect(names.nameOf(workflow("conductor run status"))).toBe("official_conductor_run_status")
    expect(names.collisions).toEqual([
      {
        name: "conductor_run_status",
        tools: [{ tool: "official_conductor_run_status", registry: "official", key: "flow" }]
      }
    ])
  })
})

describe("workflows that want the same name", () => {
  it("all of them are qualified by their registry, and reported together", () => {
    const two = [workflow("read-file", "team"), workflow("read_file", "official")]
    expect(namesOf(two)).toEqual(["team_read_file", "official_read_file"])
    expect(toolNames(two, { reservedNames: [] }).collisions).toEqual([
      {
        name: "read_file",
        tools: [
          { tool: "official_read_file", registry: "official", key: "flow" },
          { tool: "team_read_file", registry: "team", key: "flow" }
        ]
      }
    ])
  })

  it("a third one changes nothing for the other two", () => {
    const three = [workflow("review", "a"), workflow("review", "b"), workflow("review", "dir:c")]
    expect(namesOf(three)).toEqual(["a_review", "b_review", "dir_c_review"])
    expect(namesOf(three.slice(0, 2))).toEqual(["a_review", "b_review"])
  })

  it("twins of one registry are told apart by a digest of their key", () => {
    const [one = "", two = ""] = namesOf([workflow("review", "a", "one"), workflow("review", "a", "two")])
    expect(one).toMatch(/^review_[0-9a-f]{8}$/)
    expect(two).toMatch(/^review_[0-9a-f]{8}$/)
    expect(one).not.toBe(two)
  })

  it("twins of two folders that have the same name are told apart by their path", () => {
    const [one, two] = ["/x/flows/a.yaml", "/y/flows/a.yaml"].map((file) => ({
      registry: "dir:flows",
      key: "a",
      name: "a",
      file
    }))
    const names = namesOf([one, two].flatMap((twin) => (twin === undefined ? [] : [twin])))
    expect(new Set(names).size).toBe(2)
    for (const name of names) expect(name).toMatch(VALID)
  })

  it("a qualified name that meets a workflow of that very name gives both another one", () => {
    const names = namesOf([workflow("review", "a"), workflow("review", "b"), workflow("a review", "c")])
    expect(names).toEqual([expect.stringMatching(/^review_[0-9a-f]{8}$/), "b_review", "c_a_review"])
  })

  it("a name that nobody got is not given to a third", () => {
    const contested = [workflow("x y", "r1"), workflow("x y", "r2"), workflow("y", "x"), workflow("y", "r3")]
    expect(namesOf(contested)).not.toContain("x_y")
  })
})

const anyWorkflow: fc.Arbitrary<NamedWorkflow> = fc
  .record({
    registry: fc.oneof(fc.constantFrom("a", "b", "a_b", "dir:a"), fc.string({ unit: "binary" })),
    key: fc.oneof(fc.constantFrom("a", "b_c", "c"), fc.string()),
    name: fc.oneof(
      fc.constantFrom("a", "b", "b c", "B-C", "a b", "a_b_c", "日本語", "status"),
      fc.string({ unit: "binary" }),
      fc.string({ unit: "grapheme", maxLength: 80 })
    )
  })
  .chain((named) => fc.constantFrom("/1", "/2").map((root) => ({ ...named, file: `${root}/${named.key}` })))

const anyOptions = fc.record({
  toolPrefix: fc.oneof(fc.constant(""), fc.string()),
  reservedNames: fc.constant(["status", "a_status"])
})
const identity = (named: NamedWorkflow) => JSON.stringify(named)
const anyRegistries = fc.uniqueArray(anyWorkflow, { maxLength: 25, selector: identity })

describe("the names of any set of registries", () => {
  it("are valid, unique and never those of built-in tools", () => {
    fc.assert(
      fc.property(anyRegistries, anyOptions, (workflows, options) => {
        const names = namesOf(workflows, options)
        expect(new Set(names).size).toBe(workflows.length)
        for (const name of names) {
          expect(name).toMatch(VALID)
          expect(options.reservedNames).not.toContain(name)
        }
      }),
      { numRuns: 300 }
    )
  })

  it("do not depend on the order in which the workflows come", () => {
    fc.assert(
      fc.property(
        anyRegistries.chain((workflows) =>
          fc.tuple(fc.constant(workflows), fc.shuffledSubarray(workflows, { minLength: workflows.length }))
        ),
        anyOptions,
        ([workflows, shuffled], options) => {
          const [names, again] = [toolNames(workflows, options), toolNames(shuffled, options)]
          for (const one of workflows) expect(again.nameOf(one)).toBe(names.nameOf(one))
          expect(again.collisions).toEqual(names.collisions)
        }
      )
    )
  })

  it("stay as they are when a registry is added, except where the newcomer wants the same name", () => {
    fc.assert(
      fc.property(anyRegistries, anyWorkflow, (workflows, newcomer) => {
        const options = { reservedNames: [] }
        const [before, after] = [toolNames(workflows, options), toolNames([...workflows, newcomer], options)]
        const contested = new Set(after.collisions.map(({ name }) => name))
        for (const one of workflows) {
          const name = before.nameOf(one)
          if (!contested.has(name)) expect(after.nameOf(one)).toBe(name)
        }
      })
    )
  })

  it("are qualified the same way whoever the other claimants are", () => {
    const [withB] = namesOf([workflow("review", "a"), workflow("review", "b")])
    const [withC] = namesOf([workflow("review", "a"), workflow("review", "c"), workflow("review", "d")])
    expect(withB).toBe(withC)
  })
})
