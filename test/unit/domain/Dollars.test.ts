import { expect, it } from "vitest"
import { dollars } from "../../../src/domain/Dollars.ts"

it.each([
  [0, "$0.00"],
  [1.2, "$1.20"],
  [0.1, "$0.10"],
  [0.0999, "$0.0999"],
  [0.0042, "$0.0042"],
  [0.000031, "$0.000031"],
  [1234.5, "$1234.50"]
])("%d dollars are %s", (usd, text) => {
  expect(dollars(usd)).toBe(text)
})
