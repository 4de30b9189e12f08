/** The session over the real runs of this machine. */
import { Layer } from "effect"
import { Boundary } from "../boundary/Boundary.ts"
import { Redactor } from "../boundary/Redactor.ts"
import type { CatalogueContents } from "../catalogue/CatalogueEntry.ts"
import { Environment } from "../platform/Environment.ts"
import { RunsLive } from "../runs/RunsLive.ts"
import type { ServeOptions } from "./ServeFlags.ts"
import { openSession, type Session } from "./Session.ts"

const services = Layer.merge(RunsLive, Boundary.layer.pipe(Layer.provide(Redactor.layer))).pipe(
  Layer.provideMerge(Environment.layerProcess)
)

export const openLiveSession = (contents: CatalogueContents, options: ServeOptions): Session =>
  openSession(services, contents, options)
