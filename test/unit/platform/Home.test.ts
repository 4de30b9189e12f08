import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync } from "node:fs"
import { Home } from "../../../src/platform/Home.ts"
import { homeOf, homeRoot } from "../../../src/platform/HomePaths.ts"

describe("the home folder", () => {
  it("is .conductor of the user unless CONDUCTOR_HOME replaces it", () => {
    expect(homeRoot({}, "/home/me")).toBe("/home/me/.conductor")
    expect(homeRoot({ CONDUCTOR_HOME: "" }, "/home/me")).toBe("/home/me/.conductor")
    expect(homeRoot({ CONDUCTOR_HOME: "/data/c" }, "/home/me")).toBe("/data/c")
  })

  it("expands a leading ~/, since hosts start servers without a shell", () => {
    expect(homeRoot({ CONDUCTOR_HOME: "~/c" }, "/home/me")).toBe("/home/me/c")
  })

  it("has everything below its root", () => {
    expect(homeOf("/c")).toEqual({
      root: "/c",
      registriesFile: "/c/registries.toml",
      configFile: "/c/config.toml",
      catalogueCache: "/c/cache/catalogue",
      repositories: "/c/cache/repositories",
      runs: "/c/store/runs",
      indexFile: "/c/store/index.sqlite"
    })
  })

  it.effect("is not made by asking where it is", () =>
    Effect.gen(function* () {
      const home = yield* Home
      expect(home.runs).toBe("/nowhere/at/all/store/runs")
      expect(existsSync("/nowhere")).toBe(false)
    }).pipe(Effect.provide(Home.layerAt("/nowhere/at/all")))
  )
})
