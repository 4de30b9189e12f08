/**
 * The four promises of the template engine about input that means harm: it reads no prototype, calls nothing that is not
 * on its list, stays within its budgets, and throws nothing (the last is the first law in `Robustness.test.ts`).
 */
import { Either } from "effect"
import * as fc from "fast-check"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { evaluateCondition } from "../../../../src/language/Condition.ts"
import { renderTemplate, templateFaults } from "../../../../src/language/template/Template.ts"
import { TemplateError } from "../../../../src/language/template/TemplateError.ts"
import { context, limits, source } from "./TemplateArbitraries.ts"

/** Whatever an own property is looked up in could inherit from. */
const PROTOTYPES: ReadonlyArray<object> = [
  Object,
  Array,
  String,
  Number,
  Boolean,
  BigInt,
  Symbol,
  Function,
  Map,
  Set,
  WeakMap,
  RegExp,
  Error,
  RangeError,
  Date,
  Uint8Array
].map(({ prototype }) => prototype as object)

/** Ways to come to a value, of every kind that templates have. */
const root = fc.constantFrom(
  ..."a|a.items|b|output|nobody|'x'|1|2.5|10 ** 30|none|true|[]|[a]|(1, 2)|{}|{'k': a}|range(3)|dict(k=1)".split("|"),
  ..."namespace(k=1)|cycler(1, 2)|joiner('-')|loop|m|self|varargs|lipsum|'x'.upper|a.items().__class__".split("|"),
  "('<b>' | safe)",
  "(a | list)",
  "([a] | groupby('a') | first)",
  "({} | items)",
  "caller"
)

/** Everything with which the language reads something of a value by a name that the author chose. */
const reading = fc.constantFrom<(owner: string) => string>(
  (owner) => `${owner}.leak`,
  (owner) => `${owner}['leak']`,
  (owner) => `${owner}.leak()`,
  (owner) => `(${owner} | attr('leak'))`,
  (owner) => `(${owner} | leak)`,
  (owner) => `(${owner} is leak)`,
  (owner) => `([${owner}] | map(attribute='leak') | list)`,
  (owner) => `([${owner}] | map(attribute='leak.leak', default=0) | list)`,
  (owner) => `([${owner}] | map('leak') | list)`,
  (owner) => `([${owner}] | selectattr('leak') | list)`,
  (owner) => `([${owner}] | rejectattr('leak', 'defined') | list)`,
  (owner) => `([${owner}, ${owner}] | sort(attribute='leak'))`,
  (owner) => `([${owner}] | groupby('leak'))`,
  (owner) => `([${owner}] | sum(attribute='leak'))`,
  (owner) => `([${owner}] | unique(attribute='leak') | list)`,
  (owner) => `([${owner}] | min(attribute='leak'))`,
  (owner) => `('{0.leak}'.format(${owner}))`,
  (owner) => `('{x[leak]}'.format(x=${owner}))`,
  (owner) => `('%(leak)s' % ${owner})`,
  (owner) => `('%(leak)s' | format(${owner}))`,
  (owner) => `dict(${owner}).leak`,
  (owner) => `dict(leak=${owner}).get('leak')`,
  (owner) => `range(1, leak=${owner})`,
  (owner) => `(${owner} | tojson)`,
  (owner) => `(${owner} | pprint)`,
  (owner) => `(${owner} | xmlattr)`,
  (owner) => `('leak' in ${owner})`
)

const readings = fc
  .tuple(root, fc.array(reading, { minLength: 1, maxLength: 4 }))
  .map(([owner, steps]) => steps.reduce((text, read) => read(text), owner))

const around = fc.constantFrom<(expression: string) => string>(
  (expression) => `{{ ${expression} }}`,
  (expression) => `{% for x in [1] %}{{ ${expression} }}{% endfor %}`,
  (expression) => `{% for leak in ${expression} %}{{ leak }}{% endfor %}`,
  (expression) => `{% macro m(a) %}{{ a }}{% endmacro %}{{ ${expression} }}`,
  (expression) => `{% macro m(leak=1) %}{{ ${expression} }}{% endmacro %}{{ m() }}`,
  (expression) => `{% set n = namespace() %}{% set n.leak = 1 %}{{ n.other }}{{ ${expression} }}`,
  (expression) => `{% if (${expression}) is defined %}{{ ${expression} }}{% endif %}`,
  (expression) => `{% autoescape true %}{{ ${expression} | default('', true) }}{% endautoescape %}`
)

const thief = fc.tuple(around, readings).map(([wrap, expression]) => ({ expression, template: wrap(expression) }))

describe("no prototype is read", () => {
  let read: Array<string> = []

  beforeEach(() => {
    read = []
    for (const prototype of PROTOTYPES) {
      const trap = { configurable: true, get: () => read.push(String(prototype.constructor.name)) }
      Object.defineProperty(prototype, "leak", trap)
    }
  })
  afterEach(() => {
    for (const prototype of PROTOTYPES) Reflect.deleteProperty(prototype, "leak")
  })

  it("the traps notice", () => {
    for (const owner of [{}, [], "x", 1, () => 1, new Map()]) Reflect.get(Object(owner), "leak")
    expect(read).toHaveLength(6)
  })

  it("by any template or condition, through any name that an author may choose", () => {
    fc.assert(
      fc.property(thief, context, ({ expression, template }, values) => {
        renderTemplate(template, values, { limits })
        evaluateCondition(expression, values, null)
        expect([template, read]).toEqual([template, []])
      }),
      { numRuns: 600 }
    )
  })

  it("or written to", () => {
    const before = PROTOTYPES.map((prototype) => Reflect.ownKeys(prototype))
    const key = fc.constantFrom("__proto__", "constructor", "prototype", "__defineGetter__")
    const writing = fc.constantFrom<(key: string) => string>(
      (key) => `{% set n = namespace() %}{% set n.${key} = {'polluted': 1} %}{{ n.${key} }}`,
      (key) => `{% set d = dict(${key}={'polluted': 1}) %}{{ d }}{{ d | tojson }}{{ d.${key} }}`,
      (key) => `{% set d = {'${key}': {'polluted': 1}} %}{% do d %}{{ d }}`,
      (key) => `{% set d = {} %}{{ d.update({'${key}': {'polluted': 1}}) }}{{ d.setdefault('${key}', 1) }}{{ d }}`,
      (key) => `{% set ${key} = {'polluted': 1} %}{{ ${key} }}`,
      (key) => `{% macro m(${key}) %}{{ ${key} }}{% endmacro %}{{ m(${key}=1) }}{{ m({'polluted': 1}) }}`
    )
    fc.assert(
      fc.property(writing, key, context, (write, name, values) => {
        renderTemplate(write(name), values, { limits })
        expect(Reflect.get({}, "polluted")).toBeUndefined()
        expect(PROTOTYPES.map((prototype) => Reflect.ownKeys(prototype))).toEqual(before)
      }),
      { numRuns: 100 }
    )
  })
})

describe("no function is called that is not on the list", () => {
  /** Names that both languages have; what they do is the template language's. */
  const shared: Readonly<Record<string, ReadonlyArray<string>>> = {
    "'x'": ["find", "join", "replace", "split"],
    "[1]": ["clear", "pop", "reverse", "sort"],
    "{'k': 1}": ["clear", "get", "keys", "pop", "values"],
    "(1, 2)": [],
    "range(3)": [],
    "1": [],
    "2.5": [],
    none: [],
    m: ["arguments", "caller", "name"],
    "'x'.upper": [],
    loop: ["length"]
  }
  const names = [
    ...new Set(
      [...PROTOTYPES, Object, Reflect, Promise.prototype, Function("return this")() as object]
        .flatMap((owner) => Object.getOwnPropertyNames(owner))
        .filter((name) => /^[A-Za-z_]\w*$/.test(name))
    )
  ]

  it.each(Object.entries(shared))("of %s, under any name that the host has", (owner, own) => {
    const found = `{% if (${owner} | attr(name)) is defined %}{{ name }} {% endif %}`
    const all = `{% macro m() %}{% endmacro %}{% for name in names %}${found}{% endfor %}`
    const rendered = Either.getOrThrow(renderTemplate(all, { names }))
    expect(rendered.split(" ").slice(0, -1).toSorted()).toEqual(own)
  })

  it("by itself, under any name that the host has", () => {
    expect(names.filter((name) => Either.isRight(renderTemplate(`{{ ${name}(1) }}`, {})))).toEqual([])
  })
})

describe("no budget is exceeded", () => {
  const tight = fc.record({
    steps: fc.integer({ min: 1, max: 500 }),
    output: fc.integer({ min: 0, max: 200 }),
    allocation: fc.integer({ min: 0, max: 2_000 }),
    depth: fc.integer({ min: 1, max: 50 })
  })

  it("a text is never longer than the limit of its output", () => {
    fc.assert(
      fc.property(source, context, tight, (template, values, limits) => {
        const rendered = renderTemplate(template, values, { limits })
        expect(Either.isRight(rendered) ? rendered.right.length : 0).toBeLessThanOrEqual(limits.output)
      }),
      { numRuns: 800 }
    )
  })

  it("whatever is inside of whatever, each turn of a loop costs a step, and so does each call", () => {
    const turns = fc.array(fc.tuple(fc.constantFrom("for", "macro"), fc.nat({ max: 12 })), {
      minLength: 1,
      maxLength: 5
    })
    fc.assert(
      fc.property(turns, fc.integer({ min: 1, max: 2_000 }), (loops, steps) => {
        const nested = loops.reduce((body, [kind, size], level) => {
          const loop = `{% for x${level} in range(${size}) %}${kind === "macro" ? `{{ m${level}() }}` : body}{% endfor %}`
          return kind === "macro" ? `{% macro m${level}() %}${body}{% endmacro %}${loop}` : loop
        }, "x")
        const rendered = renderTemplate(nested, {}, { limits: { ...limits, steps } })
        const turned = loops.reduce((product, [, size]) => product * size, 1)
        if (Either.isRight(rendered)) expect(rendered.right.length).toBe(turned)
        else expect(rendered.left.kind).toBe("budget")
        if (turned > steps) expect(Either.isLeft(rendered)).toBe(true)
      }),
      { numRuns: 200 }
    )
  })
})

it("looking for the faults of a template throws nothing either, and neither do templates in files", () => {
  fc.assert(
    fc.property(source, source, context, (template, other, values) => {
      for (const { error } of templateFaults(template)) expect(error).toBeInstanceOf(TemplateError)
      const loader = () => Either.right(other)
      for (const use of ["{% include 'o' %}", "{% import 'o' as o %}{{ o.a }}", "{% extends 'o' %}"]) {
        const rendered = renderTemplate(`${use}${template}`, values, { limits, loader, name: "t" })
        if (Either.isLeft(rendered)) expect(rendered.left).toBeInstanceOf(TemplateError)
      }
    }),
    { numRuns: 200 }
  )
})
