/** `routes[]`: where the run goes after a node. The first route whose condition holds is taken. */
import { closed, dictionary, list, optional } from "./Keyed.ts"
import { NonEmptyText, Text } from "./Scalars.ts"

/** The target that ends the run. */
export const END = "$end"

export const Route = closed({
  to: NonEmptyText,
  when: optional(Text),
  output: optional(dictionary(Text))
})
export type Route = typeof Route.Type

export const Routes = list(Route)
