import { describe, expect, it } from "vitest"
import { History } from "../../../src/engine/History.ts"

describe("History", () => {
  it("an older version does not see what was appended to a newer one", () => {
    const one = History.empty().append("a")
    const two = one.append("b")
    expect(one.toArray()).toEqual(["a"])
    expect(two.toArray()).toEqual(["a", "b"])
  })

  it("two versions that grow from the same one stay apart", () => {
    const root = History.empty().append("a")
    const left = root.append("left")
    const right = root.append("right")
    expect(left.append("l").toArray()).toEqual(["a", "left", "l"])
    expect(right.append("r").toArray()).toEqual(["a", "right", "r"])
    expect(right.latest()).toBe("right")
  })

  it("gives at most the names that there are", () => {
    const history = History.empty().append("a").append("b").append("c")
    expect(history.last(2)).toEqual(["b", "c"])
    expect(history.last(9)).toEqual(["a", "b", "c"])
    expect(History.empty().latest()).toBeUndefined()
  })
})
