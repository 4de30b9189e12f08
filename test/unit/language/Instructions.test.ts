/** Files in which a workspace instructs agents. */
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { discoverInstructions } from "../../../src/language/instructions/DiscoverInstructions.ts"
import { instructionText } from "../../../src/language/instructions/InstructionText.ts"
import { languagePlatform } from "../../support/LanguagePlatform.ts"
import { workflowFolder } from "../../support/WorkflowFolder.ts"

const scoped = (applyTo: string) => `---\napplyTo: "${applyTo}"\n---\nText.\n`

/** Paths relative to the folder of the files. */
const discovered = (at: string, files: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const folder = yield* workflowFolder(files)
    const found = yield* discoverInstructions(join(folder, at))
    return found.map((file) => file.slice(folder.length + 1))
  }).pipe(Effect.scoped, Effect.provide(languagePlatform()))

describe("the instructions of a workspace", () => {
  it.effect("are looked for up to the root of the repository, and the nearest of a name counts", () =>
    Effect.gen(function* () {
      const files = {
        "AGENTS.md": "outside",
        "repo/.git/HEAD": "",
        "repo/AGENTS.md": "far",
        "repo/CLAUDE.md": "far",
        "repo/.github/copilot-instructions.md": "far",
        "repo/app/AGENTS.md": "near",
        "repo/app/src/x.txt": ""
      }
      expect(yield* discovered("repo/app/src", files)).toEqual([
        "repo/app/AGENTS.md",
        "repo/CLAUDE.md",
        "repo/.github/copilot-instructions.md"
      ])
    })
  )

  it.effect("are those of the folder alone outside of a repository", () =>
    Effect.gen(function* () {
      expect(yield* discovered("a", { "AGENTS.md": "", "a/CLAUDE.md": "" })).toEqual(["a/CLAUDE.md"])
    })
  )

  it.effect("with a scope hold where it meets the folder", () =>
    Effect.gen(function* () {
      const at = ".github/instructions"
      const files = {
        ".git/HEAD": "",
        [`${at}/all.instructions.md`]: scoped("**"),
        [`${at}/deep/app.instructions.md`]: scoped("docs/**, app/**/*.ts"),
        [`${at}/below.instructions.md`]: scoped("app/src/ui/**"),
        [`${at}/docs.instructions.md`]: scoped("docs/**/*.md"),
        [`${at}/application.instructions.md`]: scoped("application/**"),
        [`${at}/none.instructions.md`]: "No scope.",
        [`${at}/notes.md`]: scoped("**"),
        "app/src/x.txt": ""
      }
      expect(yield* discovered("app/src", files)).toEqual([
        `${at}/all.instructions.md`,
        `${at}/below.instructions.md`,
        `${at}/deep/app.instructions.md`
      ])
    })
  )

  it.effect("are put into prompts with their names and without their heads", () =>
    Effect.gen(function* () {
      const folder = yield* workflowFolder({ "sub/a.md": scoped("**") })
      expect(yield* instructionText(join(folder, "sub/a.md"), folder)).toBe("# Instructions from: sub/a.md\n\nText.")
      expect(yield* instructionText(join(folder, "sub/a.md"), join(folder, "other"))).toContain("from: a.md")
    }).pipe(Effect.scoped, Effect.provide(languagePlatform()))
  )
})
