/**
 * The server of `TestTools` as a process. Its first argument is how it misbehaves: `silent` never answers, `exit` ends at
 * once, `garbage` prints what is no message, `stubborn` ignores every polite wish to end.
 */
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { makeTestServer } from "./TestTools.ts"

const mode = process.argv[2]

if (mode === "exit") {
  process.stderr.write("cannot find my database\n")
  process.exit(3)
}
if (mode === "garbage") process.stdout.write('Welcome!\n{"neither": "this"}\n[1, 2\n')
if (mode === "stubborn") {
  process.on("SIGTERM", () => {})
  setInterval(() => {}, 1000)
}
if (mode === "silent") process.stdin.resume()
else serveStdio(makeTestServer)
