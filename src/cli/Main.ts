/** The command line. What needs no service (help, the version, a mistyped command) is answered without loading any. */
import { version } from "../platform/Version.ts"
import { understand } from "./CommandLine.ts"
import { styleFor } from "./output/Style.ts"

const misused = 2

/** Node throws for a reader that went away (`conductor --help | head -1`). */
const forgiveClosedPipe = (stream: NodeJS.WriteStream): void => {
  stream.on("error", () => undefined)
}

/** `argv` as Node gives it: the program and its script come first. */
export const main = (argv: ReadonlyArray<string>): void => {
  const understood = understand(argv.slice(2))
  if (understood._tag === "Call") {
    void import("./Execute.ts").then(({ execute }) => execute(understood.call))
    return
  }
  forgiveClosedPipe(process.stdout)
  forgiveClosedPipe(process.stderr)
  switch (understood._tag) {
    case "Help":
      process.stdout.write(`${understood.text}\n`)
      return
    case "Version":
      process.stdout.write(`${version}\n`)
      return
    case "Misuse": {
      const { red } = styleFor(process.stderr.isTTY, process.env)
      const [first = "", ...rest] = understood.text.split("\n")
      process.stderr.write(`${[red(first), ...rest].join("\n")}\n`)
      process.exitCode = misused
    }
  }
}
