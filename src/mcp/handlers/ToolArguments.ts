/** Arguments of the tools that are not workflows: decoded with all problems named at once. */
import { Effect, ParseResult, Schema } from "effect"
import { InvalidArguments } from "../ToolErrors.ts"
import type { JsonObject } from "../ToolSurface.ts"

const place = (path: ReadonlyArray<PropertyKey>): string =>
  path.length === 0 ? "" : `'${path.map(String).join(".")}' `

/** `null` counts as not given, since models write it so. */
const withoutNulls = (given: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))

export const decodeToolArguments = <A, I>(
  tool: string,
  schema: Schema.Schema<A, I>,
  given: JsonObject
): Effect.Effect<A, InvalidArguments> =>
  Schema.decodeUnknown(schema, { errors: "all", onExcessProperty: "error" })(withoutNulls(given)).pipe(
    Effect.mapError(
      (error) =>
        new InvalidArguments({
          tool,
          problems: ParseResult.ArrayFormatter.formatErrorSync(error).map(
            ({ path, message }) => `${place(path)}${message}`
          )
        })
    )
  )
