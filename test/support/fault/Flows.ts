/** Workflows of the fault tests, which need no model. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Place } from "../../e2e/mcp/ServerProcess.ts"

/** Puts a workflow into the folder that the servers of the place serve, under a name that is also that of its tool. */
export const addFlow = ({ folder }: Place, name: string, text: string): void =>
  writeFileSync(join(folder, `${name}.yaml`), text.replace(/^ {2}name: .*$/m, `  name: ${name}`))

/** Repeats one script as often as it is told (`rounds`), and says how often that was. `script` is text for `sh -c`. */
export const looping = (script: string): string => `workflow:
  name: looping
  entry_point: work
  limits: { max_iterations: 500 }
  input:
    rounds: { type: number }
agents:
  - name: work
    type: script
    command: sh
    args: ["-c", ${JSON.stringify(script)}]
    routes:
      - { to: work, when: "{{ context.iteration < workflow.input.rounds }}" }
      - { to: $end }
output:
  rounds: "{{ context.iteration }}"
`

/** Gives back what it is given, of one type. */
export const echoing = (type: string): string => `workflow:
  name: echoing
  entry_point: nothing
  input:
    given: { type: ${type} }
  mcp: { mode: sync }
agents:
  - name: nothing
    type: set
    value: "1"
    routes: [{ to: $end }]
output:
  given: "{{ workflow.input.given | tojson }}"
`
