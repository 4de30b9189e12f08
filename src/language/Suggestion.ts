/** "Did you mean …", in the words that all problems of a workflow file use. */
import { nearest } from "../domain/NearMatch.ts"

/** Undefined when no known name is near. */
export const didYouMean = (name: string, known: Iterable<string>): string | undefined => {
  const near = nearest(name, known)
  return near === undefined ? undefined : `did you mean "${near}"?`
}
