/**
 * The containers of the file format as schemas: mappings with known keys, dictionaries, lists, and what "absent" means.
 * A key that may be absent may also be written as `null`; a key with a default may not.
 */
import { Schema } from "effect"
import { describe } from "./Describe.ts"

const isMapping = (input: unknown): boolean => describe(input) === "a mapping"

/** Guards a struct from class instances such as floats and dates, which would pass for mappings. */
const Mapping = Schema.Unknown.pipe(
  Schema.filter((input) => (isMapping(input) ? undefined : `expected a mapping, got ${describe(input)}`))
)

type UnknownKeys = "error" | "ignore"

const keyed =
  (unknownKeys: UnknownKeys) =>
  <Fields extends Schema.Struct.Fields>(fields: Fields): Schema.Schema<Schema.Struct.Type<Fields>, unknown> => {
    const struct = Schema.Struct(fields).annotations({ parseOptions: { onExcessProperty: unknownKeys } })
    return Schema.compose(Mapping, Schema.make<Schema.Struct.Type<Fields>, unknown>(struct.ast))
  }

/** A mapping in which an unknown key is an error. */
export const closed = keyed("error")

/** A mapping in which the reference ignores unknown keys (workflow language §1.1); `ignoredKeys` finds them. */
export const open = keyed("ignore")

/** A mapping from names that the author chooses. */
export const dictionary = <A, I>(value: Schema.Schema<A, I>): Schema.Schema<Readonly<Record<string, A>>, unknown> =>
  Schema.compose(Mapping, Schema.Record({ key: Schema.String, value }), { strict: false })

export const list = <A, I>(item: Schema.Schema<A, I>) => Schema.Array(item)

const made = new WeakMap<object, unknown>()

const optionalOf = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { nullable: true, exact: true })

/**
 * Absent or `null` leaves the property out. Most optional keys hold one of a few scalars, and each start builds all of this:
 * so one is made for each schema, not for each key.
 */
export const optional = <A, I>(schema: Schema.Schema<A, I>): ReturnType<typeof optionalOf<A, I>> => {
  const known = made.get(schema) as ReturnType<typeof optionalOf<A, I>> | undefined
  const property = known ?? optionalOf(schema)
  made.set(schema, property)
  return property
}

/** Absent gives the default; `null` is refused. */
export const withDefault = <A, I>(schema: Schema.Schema<A, I>, value: A) =>
  Schema.optionalWith(schema, { default: () => value })

/** The short form of an object that is written as one scalar: `provider: copilot` for `provider: {name: copilot}`. */
export const orShortForm = <A>(schema: Schema.Schema<A, unknown>, key: string): Schema.Schema<A, unknown> =>
  Schema.compose(
    Schema.transform(Schema.Unknown, Schema.Unknown, {
      strict: true,
      decode: (input) => (typeof input === "string" ? { [key]: input } : input),
      encode: (output) => output
    }),
    schema,
    { strict: false }
  )
