/** Which sessions are in use in this process: two steps that talk in one at the same time would not know of each other. */
import { Effect, HashSet, Ref } from "effect"
import { ExecutionError } from "./EngineErrors.ts"

export interface OpenSessions {
  /** Fails when somebody else has the session. */
  readonly hold: (
    name: string,
    step: string
  ) => <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | ExecutionError, R>
}

const inUse = (name: string, step: string): ExecutionError =>
  new ExecutionError({
    message:
      `Step '${step}': its session ${name} is in use by a step that runs at the same time. ` +
      "Give each a session_key or working_dir of its own, or run them one after another."
  })

/** One for all workflows of a run. */
export const makeOpenSessions: Effect.Effect<OpenSessions> = Effect.map(Ref.make(HashSet.empty<string>()), (open) => ({
  hold: (name, step) => (work) =>
    Effect.acquireUseRelease(
      Effect.filterOrFail(
        Ref.modify(open, (names) => [!HashSet.has(names, name), HashSet.add(names, name)]),
        (isFree) => isFree,
        () => inUse(name, step)
      ),
      () => work,
      () => Ref.update(open, HashSet.remove(name))
    )
}))
