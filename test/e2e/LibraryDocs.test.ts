import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeTemporaryProject, root, type TemporaryProject } from "./TemporaryProject.ts"

/** Code blocks whose first line is a comment with the name of a file. */
const filesIn = (markdown: string): ReadonlyArray<{ readonly name: string; readonly text: string }> =>
  [...markdown.matchAll(/^```\w+\n(?:#|\/\/) ([\w.-]+)\n(.*?)^```$/gms)].map(([, name = "", text = ""]) => ({
    name,
    text
  }))

const files = filesIn(readFileSync(join(root, "docs/testing.md"), "utf8"))

const run = (folder: string, script: string, ...args: ReadonlyArray<string>) => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [join(root, "node_modules", script), ...args], {
    cwd: folder,
    encoding: "utf8",
    timeout: 100_000
  })
  return { status, text: stdout + stderr }
}

describe("the example in docs/testing.md", () => {
  let project: TemporaryProject
  beforeAll(() => {
    project = makeTemporaryProject(["effect", "vitest", "@types/node"])
    for (const { name, text } of files) project.write(name, text)
  })
  afterAll(() => project.remove())

  it("has a workflow and a test of it", () => {
    expect(files.map(({ name }) => name)).toEqual(["announce.yaml", "announce.test.ts"])
  })

  it("fits the published types under strict settings", () => {
    project.write(
      "tsconfig.json",
      JSON.stringify({
        // Without `skipLibCheck` the types of vitest itself do not pass; LibraryPackage checks those of this package.
        compilerOptions: {
          strict: true,
          skipLibCheck: true,
          noEmit: true,
          module: "NodeNext",
          target: "ES2022",
          types: ["node"]
        },
        include: ["*.test.ts"]
      })
    )
    expect(run(project.folder, "typescript7/bin/tsc", "-p", ".")).toEqual({ status: 0, text: "" })
  })

  it("passes with the built package", () => {
    const { status, text } = run(project.folder, "vitest/vitest.mjs", "run", "--root", project.folder)
    expect(text).toContain("2 passed")
    expect(status).toBe(0)
  })
})
