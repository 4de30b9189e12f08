/** Every test (`value is name`). */
import { binder, type Parameters } from "../expression/Arguments.ts"
import { compare, contains, equals } from "../expression/Comparison.ts"
import { Dict } from "../expression/Dict.ts"
import { isIterable } from "../expression/Iteration.ts"
import { isFloat, isInteger, numeric } from "../expression/Numbers.ts"
import { binary } from "../expression/Operators.ts"
import { show } from "../expression/PythonText.ts"
import {
  type Arguments,
  HostObject,
  List,
  Markup,
  Range,
  type Runtime,
  textOf,
  Tuple,
  Undefined
} from "../expression/Runtime.ts"
import { isLower, isUpper } from "../expression/TextCase.ts"
import { type Host, needText } from "./Filter.ts"
import { filters } from "./Filters.ts"

type Test = (value: Runtime, args: Arguments, host: Host) => boolean

const test = (
  name: string,
  parameters: Parameters,
  holds: (value: Runtime, argument: Runtime, host: Host) => boolean
): readonly [string, Test] => {
  const bind = binder(name, parameters)
  return [name, (value, args, host) => holds(value, bind(args)[0] ?? null, host)]
}

const simple = (name: string, holds: (value: Runtime, host: Host) => boolean): readonly [string, Test] =>
  test(name, [], (value, _, host) => holds(value, host))

const relation = (names: ReadonlyArray<string>, operator: string, holds: (order: number) => boolean) =>
  names.map((name) =>
    test(name, ["other"], (value, other, { budget }) => holds(compare(value, other, operator, budget)))
  )

const equality = (names: ReadonlyArray<string>, expected: boolean) =>
  names.map((name) => test(name, ["other"], (value, other, { budget }) => equals(value, other, budget) === expected))

const remainder = (value: Runtime, divisor: Runtime, wanted: number, { budget }: Host): boolean =>
  equals(binary("%", value, divisor, budget), wanted, budget)

const isIterableValue = (value: Runtime): boolean => {
  if (value instanceof Undefined && value.mode === "strict") throw value.fault()
  return isIterable(value)
}

const isSequence = (value: Runtime): boolean =>
  textOf(value) !== undefined ||
  value instanceof List ||
  value instanceof Tuple ||
  value instanceof Dict ||
  value instanceof Range

/** Everything undefined counts as callable in the reference; calling it fails all the same. */
const isCallable = (value: Runtime): boolean =>
  value instanceof Undefined || (value instanceof HostObject && value.call !== undefined)

export const tests: ReadonlyMap<string, Test> = new Map<string, Test>([
  simple("defined", (value) => !(value instanceof Undefined)),
  simple("undefined", (value) => value instanceof Undefined),
  simple("none", (value) => value === null),
  simple("boolean", (value) => typeof value === "boolean"),
  simple("true", (value) => value === true),
  simple("false", (value) => value === false),
  simple("integer", isInteger),
  simple("float", isFloat),
  simple("number", (value) => numeric(value) !== undefined),
  simple("string", (value) => textOf(value) !== undefined),
  simple("mapping", (value) => value instanceof Dict),
  simple("sequence", isSequence),
  simple("iterable", isIterableValue),
  simple("callable", isCallable),
  simple("escaped", (value) => value instanceof Markup),
  simple("lower", (value, { budget }) => isLower(show(value, budget))),
  simple("upper", (value, { budget }) => isUpper(show(value, budget))),
  simple("odd", (value, host) => remainder(value, 2, 1, host)),
  simple("even", (value, host) => remainder(value, 2, 0, host)),
  test("divisibleby", ["num"], (value, divisor, host) => remainder(value, divisor, 0, host)),
  test("sameas", ["other"], (value, other) => value === other),
  test("in", ["seq"], (value, container, { budget }) => contains(container, value, budget)),
  simple("filter", (value) => filters.has(needText(value, "the name of a filter"))),
  simple("test", (value) => tests.has(needText(value, "the name of a test"))),
  ...equality(["eq", "equalto", "=="], true),
  ...equality(["ne", "!="], false),
  ...relation(["gt", "greaterthan", ">"], ">", (order) => order > 0),
  ...relation(["ge", ">="], ">=", (order) => order >= 0),
  ...relation(["lt", "lessthan", "<"], "<", (order) => order < 0),
  ...relation(["le", "<="], "<=", (order) => order <= 0)
])
