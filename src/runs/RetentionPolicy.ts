/** How many runs are kept, from `[fleet.retention]` of `config.toml` (run files §1.7). The file is only ever read. */
import { Effect, Option, ParseResult, Schema } from "effect"
import { readFileIfExists } from "../platform/PrivateFiles.ts"

export interface RetentionPolicy {
  /** Runs that are kept, newest first; infinite when nothing may be removed. */
  readonly keepLast: number
  /** Why the file does not count, when it does not. */
  readonly warning?: string
}

const Settings = Schema.Struct({
  enabled: Schema.optionalWith(Schema.Boolean, { default: () => true }),
  keep_last: Schema.optionalWith(Schema.Int, { default: () => 200 })
})

const Configuration = Schema.Struct({
  fleet: Schema.optionalWith(
    Schema.Struct({ retention: Schema.optionalWith(Settings, { default: () => Settings.make({}) }) }),
    {
      default: () => ({ retention: Settings.make({}) })
    }
  )
})

const policyOf = ({ enabled, keep_last }: typeof Settings.Type): RetentionPolicy => ({
  // Less than one prunes nothing, as in the reference: a mistake in a number must not cost all runs.
  keepLast: enabled && keep_last >= 1 ? keep_last : Infinity
})

class NotToml extends Schema.TaggedError<NotToml>()("NotToml", { message: Schema.String }) {}

const decodeConfiguration = Effect.fnUntraced(function* (text: string) {
  const { parse } = yield* Effect.promise(() => import("smol-toml"))
  const document = yield* Effect.try({
    try: () => parse(text),
    catch: (cause) => new NotToml({ message: String(cause) })
  })
  const { fleet } = yield* Schema.decodeUnknown(Configuration)(document)
  return policyOf(fleet.retention)
})

const reasonOf = (error: Error): string =>
  ParseResult.isParseError(error)
    ? ParseResult.ArrayFormatter.formatErrorSync(error)
        .map(({ message, path }) => `${path.join(".")}: ${message}`)
        .join("; ")
    : error.message

/** A file that cannot be understood removes nothing: what its author wanted to keep is unknown. */
export const readRetentionPolicy = Effect.fn("RetentionPolicy.read")(function* (path: string) {
  return yield* readFileIfExists(path).pipe(
    Effect.flatMap((text) => decodeConfiguration(Option.getOrElse(text, () => ""))),
    Effect.catchAll((error) =>
      Effect.succeed<RetentionPolicy>({
        keepLast: Infinity,
        warning: `No old runs are removed, because [fleet.retention] of ${path} cannot be used: ${reasonOf(error)}`
      })
    )
  )
})
