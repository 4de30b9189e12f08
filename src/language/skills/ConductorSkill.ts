/** The text of the built-in skill `conductor`: what a model has to know to write a workflow file. */
export const CONDUCTOR_SKILL = `# Writing workflows for conductor

A workflow is one YAML file. \`workflow\` says how it is called and where it begins, \`agents\` lists its steps, and
\`output\` says what a run gives back. This one is complete:

\`\`\`yaml
workflow:
  name: review
  description: Reviews a text and improves it until it is good
  entry_point: reviewer
  runtime: { provider: openai }
  input:
    text: { type: string, description: What to review }
  limits: { max_iterations: 10 }
agents:
  - name: reviewer
    prompt: |
      Grade this text from 0 to 10 and say what to improve:
      {{ writer.output.text if writer is defined else workflow.input.text }}
    output:
      score: { type: number, minimum: 0, maximum: 10 }
      advice: { type: string }
    routes:
      - { to: writer, when: "{{ output.score < 8 }}" }
      - { to: $end }
  - name: writer
    prompt: |
      Rewrite the text as advised. Text: {{ workflow.input.text }}. Advice: {{ reviewer.output.advice }}
    output:
      text: { type: string }
    routes:
      - { to: reviewer }
output:
  score: "{{ reviewer.output.score }}"
  advice: "{{ reviewer.output.advice }}"
\`\`\`

## Steps

\`type\` is one of: \`agent\` (a model; the default), \`script\` (\`command\`, \`args\`, \`stdin\`, \`env\`), \`set\` (\`value\` or
\`values\`), \`wait\` (\`duration\`), \`human_gate\` (\`prompt\` and \`options\` with \`label\`, \`value\`, \`route\`), \`questions\`,
\`workflow\` (another file, with \`input_mapping\`), \`terminate\` (\`status\`, \`reason\`). Unknown keys are errors.

- An agent without \`output\` gives \`{{ name.output.result }}\`, its text. With \`output\` it gives those fields, checked.
- A script gives \`stdout\`, \`stderr\`, \`exit_code\`, and the fields of a JSON object that it prints.
- Side by side: \`parallel\` (\`name\`, \`agents\`) and \`for_each\` (\`name\`, \`type: for_each\`, \`source\`, \`as\`, \`agent\`) are
  lists beside \`agents\`. Results are \`{{ group.outputs }}\` and \`{{ group.errors }}\`. Members have no routes.

## Routes

The first route whose \`when\` holds is taken; one without \`when\` always holds. A step without routes ends the run, a step
none of whose routes holds fails it. Write conditions as templates: \`"{{ output.score >= 8 }}"\`, where \`output\` is what the
step has just given. End with \`$end\`.

## Templates

Jinja2, strict: a name that does not exist is an error, so guard steps that may not have run with \`is defined\`. Inputs are
\`{{ workflow.input.name }}\`. Print lists and objects with \`| json\`. Values of \`output\` become numbers, booleans and
structures again where they read like them.

## Check

\`conductor validate FILE\` names every mistake with its place; \`conductor run FILE -i name=value\` runs it.
`
