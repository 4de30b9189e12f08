/** Equality of scalars as the workflow language has it: `1` equals `1.0`, and nothing else crosses a type. */
import { Float, type Value } from "../domain/Value.ts"

const plain = (value: Value): Value => (value instanceof Float ? value.value : value)

export const sameValue = (left: Value, right: Value): boolean => plain(left) === plain(right)
