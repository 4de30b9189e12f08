/** An imported template: the macros and variables of its top level are attributes, names with `_` in front are private. */
import { HostObject, type Runtime, Undefined } from "../expression/Runtime.ts"

export class Module extends HostObject {
  constructor(
    readonly name: string,
    text: string,
    readonly values: ReadonlyMap<string, Runtime>
  ) {
    super("TemplateModule", text)
  }

  override attribute(name: string): Runtime | undefined {
    return name.startsWith("_") ? undefined : this.values.get(name)
  }

  override attributeNames(): ReadonlyArray<string> {
    return [...this.values.keys()].filter((name) => !name.startsWith("_"))
  }

  exported(name: string): Runtime {
    const value = this.attribute(name)
    if (value !== undefined) return value
    const reason = `the template '${this.name}' does not export the requested name '${name}'`
    return new Undefined(reason, name, "strict", () => this.attributeNames())
  }
}
