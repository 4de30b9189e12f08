/** What a command is, and the type of a call of it. Loaded by every call, so it must not import Effect. */
import type { Argument, Flag } from "./Flag.ts"

export interface Verb {
  /** The words after `conductor`. */
  readonly path: readonly [string] | readonly [group: string, name: string]
  /** A sentence without its full stop. */
  readonly summary: string
  /** By name, in the order in which they are typed; optional ones come last. */
  readonly arguments: Readonly<Record<string, Argument>>
  /** By long name. */
  readonly flags: Readonly<Record<string, Flag<unknown>>>
}

type ArgumentValue<A extends Argument> = A["presence"] extends "required" ? string : string | undefined

/** What a handler gets: every argument and flag by its name, decoded. */
export type Call<V extends Verb> = {
  readonly [Name in keyof V["arguments"]]: ArgumentValue<V["arguments"][Name]>
} & {
  readonly [Name in keyof V["flags"]]: V["flags"][Name] extends Flag<infer A> ? A : never
}
