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
