/** What opens a repository of plugins is in no log, and is no part of what a run remembers of it. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fetchSources } from "../../../src/language/plugins/FetchSources.ts"
import { PluginSources } from "../../../src/language/plugins/PluginSources.ts"
import { withPinnedSources } from "../../../src/runs/PinnedSources.ts"
import { runSecrets } from "../../../src/runs/RunSecrets.ts"
import { languagePlatform } from "../../support/LanguagePlatform.ts"
import { planOf } from "../engine/RunText.ts"

const planWith = (credentials: string) =>
  planOf(
    "workflow: {name: w, entry_point: a, runtime: {plugins: [p@m], plugin_sources: " +
      `{m: "https://${credentials}@git.example/p#main"}}}\nagents: [{name: a, prompt: x}]\n`
  ).pipe(Effect.provide(languagePlatform()))

const fetching = (asked: Array<string>) => ({
  fetch: ({ name }: { readonly name: string }) =>
    Effect.sync(() => {
      asked.push(name)
      return { _tag: "Found" as const, folder: `/cache/${asked.length}` }
    })
})

describe("the credentials of a plugin source", () => {
  it.effect("may be others when a run goes on, which keeps where it led", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const first = yield* fetchSources([yield* planWith("x:first-token")]).pipe(
        Effect.provideService(PluginSources, fetching(asked))
      )
      expect(first).toEqual([{ source: "https://git.example/p#main", folder: "/cache/1" }])
      const pinned = yield* withPinnedSources(first).pipe(Effect.provideService(PluginSources, fetching(asked)))
      const again = yield* fetchSources([yield* planWith("x:second-token")]).pipe(
        Effect.provideService(PluginSources, pinned)
      )
      expect(again).toEqual(first)
      expect(asked).toHaveLength(1)
    })
  )

  it.effect.each(["me:correct-horse", "x:ghp_0123456789abcdefghij", "ghp_0123456789abcdefghij", "me:with@sign-in-it"])(
    "are hidden in the files of a run: %s",
    (credentials) =>
      Effect.gen(function* () {
        const { hideText, restore } = runSecrets(new Map(), yield* planWith(credentials))
        const secret = credentials.replace(/^(?:me|x):/, "")
        const hidden = hideText(`it was ${secret}.`)
        expect(hidden).toContain("plugin_sources")
        expect(hidden).not.toContain(secret)
        expect(restore(hidden)).toMatchObject({ right: `it was ${secret}.` })
      })
  )

  it.effect("are only what is none of a person: a name stays", () =>
    Effect.gen(function* () {
      const { hideText } = runSecrets(new Map(), yield* planWith("somebody"))
      expect(hideText("somebody came")).toBe("somebody came")
    })
  )
})
