// The workflows that the engine is measured with, as YAML (of which JSON is a part).

const document = (name: string, entry: string, rest: object): string =>
  JSON.stringify({ workflow: { name, entry_point: entry, limits: { max_iterations: 500 } }, ...rest })

/** `turn` and `check` take turns until they were round so many times. */
export const twoStepLoop = (iterations: number): string =>
  document("two-step-loop", "turn", {
    agents: [
      {
        name: "turn",
        type: "set",
        value: "{{ (turn.output if turn is defined else 0) + 1 }}",
        routes: [{ to: "check" }]
      },
      {
        name: "check",
        type: "set",
        values: { turn: "{{ turn.output }}", even: "{{ turn.output % 2 == 0 }}" },
        routes: [{ to: "$end", when: `{{ turn.output >= ${iterations} }}` }, { to: "turn" }]
      }
    ],
    output: { turns: "{{ turn.output }}" }
  })

/** Lists so many numbers, and computes a value for each of them, ten at a time. */
export const setPerItem = (items: number): string =>
  document("set-per-item", "list", {
    agents: [
      {
        name: "list",
        type: "set",
        values: { numbers: `{{ range(${items}) | list | tojson }}` },
        routes: [{ to: "each" }]
      }
    ],
    for_each: [
      {
        name: "each",
        type: "for_each",
        source: "list.output.numbers",
        as: "item",
        max_concurrent: 10,
        agent: { name: "one", type: "set", value: "{{ item * 2 }}" },
        routes: [{ to: "$end" }]
      }
    ],
    output: { done: "{{ each.count }}" }
  })

const chain = (length: number, step: (index: number) => object): ReadonlyArray<object> =>
  Array.from({ length }, (_, index) => ({
    name: `step_${index}`,
    ...step(index),
    routes: [{ to: index + 1 < length ? `step_${index + 1}` : "$end" }]
  }))

export const scripts = (count: number): string =>
  document("scripts", "step_0", {
    agents: chain(count, () => ({ type: "script", command: "true" })),
    output: { exit_code: `{{ step_${count - 1}.output.exit_code }}` }
  })

/** Steps of several kinds, each with a template that names the step before it. */
export const chainOfSteps = (count: number): string =>
  document("chain-of-steps", "step_0", {
    agents: chain(count, (index) => {
      const before = index === 0 ? "nothing" : `{{ step_${index - 1}.output }}`
      return index % 3 === 2
        ? { type: "script", command: "echo", args: [before] }
        : index % 3 === 1
          ? { type: "set", value: before }
          : { prompt: `Go on from this: ${before}`, output: { result: { type: "string" } } }
    }),
    output: { last: `{{ step_${count - 1}.output }}` }
  })

export const chainOfSets = (count: number): string =>
  document("chain-of-sets", "step_0", {
    agents: chain(count, (index) => ({
      type: "set",
      value: index === 0 ? "0" : `{{ step_${index - 1}.output + 1 }}`
    })),
    output: { last: `{{ step_${count - 1}.output }}` }
  })
