/** Workflows that need no model, for tests of what happens around them. */

/** Ends at once with what it was given. */
export const greeting = `
workflow:
  name: greeting
  entry_point: greet
  input:
    who: { type: string, required: true }
agents:
  - name: greet
    type: set
    value: "Hello {{ workflow.input.who }}"
    routes: [{ to: $end }]
output:
  text: "{{ greet.output }}"
`

/** One script step; `script` is text for \`sh -c\`. */
export const scripted = (script: string): string => `
workflow:
  name: scripted
  entry_point: work
agents:
  - name: work
    type: script
    command: sh
    args: ["-c", ${JSON.stringify(script)}]
    routes: [{ to: $end }]
output:
  said: "{{ work.output.stdout }}"
`

/** Says that it has begun, then takes a minute. */
export const long = scripted("echo begun; exec sleep 60")

/** Ends with what a person answered; step `after` is there to be led to. */
export const approval = `
workflow:
  name: approval
  entry_point: approve
agents:
  - name: approve
    type: human_gate
    prompt: Ship it?
    options:
      - { label: Ship, value: "yes", route: $end }
      - { label: Hold, value: "no", route: $end, prompt_for: why }
  - name: after
    type: set
    value: done
    routes: [{ to: $end }]
output:
  answer: "{{ approve.output.selected }}"
  why: "{{ approve.output.additional_input.why | default('') }}"
`

/** Two questions, one with choices. */
export const asking = `
workflow:
  name: asking
  entry_point: ask
agents:
  - name: ask
    type: questions
    questions:
      - { id: colour, text: Which colour?, choices: [red, blue] }
      - { id: how, text: How? }
    routes: [{ to: $end }]
output:
  answers: "{{ ask.output.answers | tojson }}"
`
