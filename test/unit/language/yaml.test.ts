import { Either } from "effect"
import * as fc from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { Float, type Value } from "../../../src/domain/Value.ts"
import { plainScalar, YamlDate } from "../../../src/language/yaml/PlainScalar.ts"
import { parseYaml } from "../../../src/language/yaml/ParseYaml.ts"
import { nodeAt, positionNear, toRaw, toValue } from "../../../src/language/yaml/YamlNode.ts"

const read = (text: string): Value => {
  const node = Either.getOrThrow(parseYaml(text, "w.yaml"))
  return node === null ? null : toValue(node)
}

const problemsOf = (text: string) => Either.getOrThrow(Either.flip(parseYaml(text, "w.yaml")))

describe("plain scalars", () => {
  it.each<[string, unknown]>([
    ["yes", "yes"],
    ["off", "off"],
    ["True", true],
    ["tRUE", "tRUE"],
    ["~", null],
    ["", null],
    ["None", "None"],
    ["010", 10],
    ["0o17", 15],
    ["0x1F", 31],
    ["-0b11", -3],
    ["1_000", 1000],
    ["_1", "_1"],
    ["1e3", new Float(1000)],
    ["1.0", new Float(1)],
    ["1.", new Float(1)],
    ["1.5", 1.5],
    [".5", 0.5],
    ["-.inf", -Infinity],
    [".nan", NaN],
    ["12:30", "12:30"],
    ["1.10.2", "1.10.2"],
    ["0o", "0o"],
    ["9007199254740993", 9007199254740993n],
    ["2024-01-01", new YamlDate("2024-01-01")],
    ["2024-1-1 10:00:00", new YamlDate("2024-1-1 10:00:00")],
    ["2024-1-1", "2024-1-1"]
  ])("%s", (source, meaning) => {
    expect(plainScalar(source)).toEqual(meaning)
  })

  it("means text when it is quoted, a block, or tagged as text", () => {
    expect(read(`a: "1"\nb: '2024-01-01'\nc: |\n  true\nd: !!str 5`)).toEqual({
      a: "1",
      b: "2024-01-01",
      c: "true\n",
      d: "5"
    })
  })
})

describe("documents", () => {
  it("resolves anchors and merge keys, own keys winning over merged ones, earlier merges over later", () => {
    const text = "x: &x {a: 1, b: 1}\ny: &y {b: 2, c: 2}\nz: {<<: [*x, *y], c: 3}"
    expect(read(text)).toMatchObject({ z: { a: 1, b: 1, c: 3 } })
  })

  it("keeps a quoted << as an ordinary key", () => {
    expect(read(`"<<": 1`)).toEqual({ "<<": 1 })
  })

  it("finds the position of a place, and of the nearest one when the place is not there", () => {
    const root = Either.getOrThrow(parseYaml("a:\n  - b: 1\n", "w.yaml"))
    if (root === null) throw new Error("the document is not empty")
    expect(nodeAt(root, ["a", 0, "b"])?.position).toEqual({ file: "w.yaml", line: 2, column: 8 })
    expect(positionNear(root, ["a", 0, "missing", 3])).toEqual({ file: "w.yaml", line: 2, column: 5 })
  })

  it("reads keys such as constructor as data", () => {
    expect(read("constructor: 1\ntoString: 2")).toEqual({ constructor: 1, toString: 2 })
  })

  it("still tells a date from text before it is decoded", () => {
    const root = Either.getOrThrow(parseYaml("a: 2024-01-01", "w.yaml"))
    expect(root && toRaw(root)).toEqual({ a: new YamlDate("2024-01-01") })
  })
})

/** Either a tree, or problems that all say where. */
const isAnswered = (text: string): void =>
  Either.match(parseYaml(text, "w.yaml"), {
    onLeft: (problems) => {
      for (const { column, line } of problems) {
        expect(line).toBeGreaterThan(0)
        expect(column).toBeGreaterThan(0)
      }
    },
    onRight: (node) => void (node && toRaw(node))
  })

describe("refusals", () => {
  it.each([
    ["a key that is given twice, naming both lines", "a: 1\nb: 2\na: 3", ["a"], 3, /line 3, first given at line 1/],
    ["a key that is not text", "a:\n  1: x", ["a", "1"], 2, /the key 1 is not a string/],
    ["a key that is a collection", "{[a]: x}", ["a collection"], 1, /the key a collection is not a string/],
    ["a key that would reach the prototype", "__proto__: {a: 1}", ["__proto__"], 1, /__proto__/],
    ["an unknown tag", "a: !nope x", ["a"], 1, /unknown tag !nope/],
    ["a tag that contradicts its value", "a: !!int x", ["a"], 1, /unknown tag !!int/],
    ["!file on a mapping", "a: !file {b: c}", ["a"], 1, /!file needs a path/],
    ["an alias without an anchor", "a: *nope", ["a"], 1, /no anchor &nope/],
    ["an anchor that contains itself", "a: &a [*a]", ["a", "0"], 1, /contains its own alias/],
    ["a merge of something else than mappings", "a: {<<: 1}", ["a", "<<"], 1, /merge key needs a mapping/],
    ["two documents", "a: 1\n---\nb: 2", [], 2, /a second document begins/],
    ["tabs as indentation", "a:\n\tb: 1", [], 2, /YAML syntax error at line 2/]
  ] as const)("%s", (_, text, place, line, message) => {
    const [problem] = problemsOf(text)
    expect(problem).toMatchObject({ path: place.join("."), line, message: expect.stringMatching(message) })
  })

  it("a document whose aliases multiply, before it is expanded", () => {
    const levels = Array.from(
      { length: 12 },
      (_, level) => `l${level + 1}: &l${level + 1} [${`*l${level},`.repeat(9)}]`
    )
    const [problem] = problemsOf(["l0: &l0 [x]", ...levels].join("\n"))
    expect(problem.message).toMatch(/aliases expand/)
  })

  it("a document whose aliases nest it ever deeper", () => {
    const nest = (inner: string) => "[".repeat(60) + inner + "]".repeat(60)
    const [problem] = problemsOf(`a: &a ${nest("x")}\nb: ${nest("*a")}`)
    expect(problem).toMatchObject({ line: 2, message: expect.stringMatching(/aliases nest this document too deeply/) })
  })

  it.each([300, 20_000])("a document that is nested %i levels deep", (depth) => {
    expect(problemsOf("[".repeat(depth) + "]".repeat(depth))[0].message).toMatch(/nested too deeply/)
  })

  it("a file of more than a mebibyte, before it is parsed", () => {
    const text = "a: 1 # comment\n".repeat(70_000)
    expect(problemsOf(text)).toMatchObject([{ line: 1, column: 1, message: expect.stringMatching(/1050000 bytes/) }])
  })

  it.each([
    ["lists", "["],
    ["maps", "{"],
    ["items", "- "],
    ["keys", "? "],
    ["keys in keys", "a: "],
    ["closing brackets", "]"],
    ["aliases", "*a\n"],
    ["directives", "%a\n"],
    ["tags", "! "],
    ["anchors", "&a "],
    ["documents", "---\n"]
  ])("a file full of %s, in seconds at most", (_, mark) => {
    const text = mark.repeat(Math.floor(1_000_000 / mark.length))
    const started = process.cpuUsage()
    expect(problemsOf(text)[0].line).toBeGreaterThan(0)
    const { system, user } = process.cpuUsage(started)
    expect((user + system) / 1e6).toBeLessThan(5)
  })

  it("any byte soup, with a position and without a crash", () => {
    const alphabet = [
      ..."ab:-[]{}&*!|>'\"%@#,?\n\t ~0.\u0000\uFEFF",
      "<<",
      "!file ",
      "---\n",
      "\n  ",
      "*a",
      "&a ",
      "${X}"
    ]
    const few = fc.array(fc.constantFrom(...alphabet)).map((parts) => parts.join(""))
    fc.assert(fc.property(fc.oneof(fc.string(), few), isAnswered), { numRuns: 2_000 })
    // A few pieces, repeated up to 64 KiB: whatever grows faster than the text shows here.
    const much = fc
      .array(fc.constantFrom(...alphabet), { minLength: 1, maxLength: 6 })
      .map((parts) => parts.join(""))
      .map((piece) => piece.repeat(Math.floor(65_536 / piece.length)))
    fc.assert(fc.property(much, isAnswered), { numRuns: 40 })
  })
})
