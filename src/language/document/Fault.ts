/** Something wrong at a place of the document, before the place is tied to a position in a file. */
import type { Place } from "../Problem.ts"

export interface Fault {
  readonly place: Place
  readonly message: string
  readonly suggestion?: string
  /** Given when the key itself is wrong and not its value. */
  readonly subject?: "key"
}
