import { describe, expect, it } from "@effect/vitest"
import { FastCheck, Option } from "effect"
import type { RunEvent } from "../../../src/domain/RunEvent.ts"
import { float, integer, type Value } from "../../../src/domain/Value.ts"
import { decodeEventLine, encodeEventLine } from "../../../src/runs/EventLine.ts"
import { event } from "../../support/runs/Specs.ts"

const leaf: FastCheck.Arbitrary<Value> = FastCheck.oneof(
  FastCheck.string({ unit: "binary" }),
  FastCheck.boolean(),
  FastCheck.constant(null),
  FastCheck.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(integer),
  FastCheck.integer().map((whole) => float(whole)),
  FastCheck.double({ noNaN: true, noDefaultInfinity: true }).map(float)
)

const values = FastCheck.letrec<{ value: Value }>((tie) => ({
  value: FastCheck.oneof(
    { depthSize: "small" },
    leaf,
    FastCheck.array(tie("value"), { maxLength: 4 }),
    FastCheck.dictionary(FastCheck.string(), tie("value"), { maxKeys: 4 })
  )
})).value

const withOutput = (output: Value): RunEvent =>
  event(7, "set_completed", {
    agent_name: "one",
    elapsed: 0.25,
    output_type: "str",
    output_keys: [],
    value_repr: "",
    output
  })

describe("a line of the log", () => {
  it("gives back every value with its kinds of numbers", () => {
    FastCheck.assert(
      FastCheck.property(values, (output) => {
        const line = encodeEventLine(withOutput(output))
        expect(line.indexOf("\n")).toBe(line.length - 1)
        expect(decodeEventLine(line.trimEnd())).toEqual(Option.some(withOutput(output)))
      })
    )
  })

  it.each([
    "",
    "{}",
    "[]",
    "null",
    "{",
    '{"seq":0,"type":"x","timestamp":1,"data":{}}',
    '{"seq":1,"type":"x","data":{}}'
  ])("is no event when it is %j", (line) => expect(decodeEventLine(line)).toEqual(Option.none()))
})
