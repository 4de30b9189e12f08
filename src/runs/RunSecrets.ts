/**
 * Keeps the secrets of the environment out of the files of a run: its log, its inputs and what its process says. In memory
 * they are clear, so a run does not behave differently; whoever goes on with it restores them from the environment.
 */
import { Effect, Either } from "effect"
import { makeSecretPlaceholders, type SecretPlaceholders } from "../boundary/SecretPlaceholders.ts"
import { credentialIn } from "../domain/RepositoryAddress.ts"
import type { RunEvent } from "../domain/RunEvent.ts"
import type { Value } from "../domain/Value.ts"
import type { Plan } from "../language/Plan.ts"
import { Environment } from "../platform/Environment.ts"
import type { EventWriter } from "./EventLog.ts"
import { LaunchError } from "./RunErrors.ts"

/** The secrets of this process's environment as it is when it is asked. */
export const presentSecrets: Effect.Effect<SecretPlaceholders> = Effect.map(Environment, ({ variables }) =>
  makeSecretPlaceholders(variables)
).pipe(Effect.provide(Environment.layerProcess))

const providerKeys = ({ runtime: { provider } }: Plan): ReadonlyArray<readonly [name: string, key: string]> =>
  Object.entries({
    api_key: provider.api_key,
    auth_token: provider.auth_token,
    bearer_token: provider.bearer_token,
    runtime_token: provider.runtime_token
  }).flatMap(([name, key]) => (key === undefined ? [] : [[`runtime.provider.${name}`, key]]))

/** What addresses of plugin sources give away. */
const sourceKeys = ({ runtime: { plugin_sources } }: Plan): ReadonlyArray<readonly [name: string, key: string]> =>
  Object.entries(plugin_sources).flatMap(([name, { source }]) => {
    const key = credentialIn(source)
    return key === undefined ? [] : [[`runtime.plugin_sources.${name}`, key]]
  })

/** The secrets of the environment and the keys that the workflow has, which are in a variable or in the file itself. */
export const runSecrets = (variables: ReadonlyMap<string, string>, plan: Plan): SecretPlaceholders => {
  const keys = [...providerKeys(plan), ...sourceKeys(plan)]
  return makeSecretPlaceholders(
    new Map([...variables, ...keys]),
    keys.map(([, key]) => key)
  )
}

/** What is on disk has placeholders, what is answered has not. */
export const hidingWriter = ({ append, settled }: EventWriter, { hide }: SecretPlaceholders): EventWriter => ({
  append: (type, data) => {
    const hidden = hide(data as unknown as Value) as unknown as typeof data
    return hidden === data
      ? append(type, data)
      : Effect.map(append(type, hidden), (event) => ({ ...event, data }) as unknown as RunEvent)
  },
  settled
})

/** Data of a run as it was before it was written; fails when a variable is not there any more, before anything runs. */
export const restoreSecrets = (
  { restore }: SecretPlaceholders,
  runId: string,
  written: Value
): Either.Either<Value, LaunchError> =>
  Either.mapLeft(restore(written), (missing) => {
    const names = missing.join(", ")
    const message =
      `Run ${runId} needs secrets that it does not keep, and whose environment variables are not set: ${names}. ` +
      "Set them as they were when the run was started, and try again."
    return new LaunchError({ reason: "environment", message, runId })
  })
