/** Makes a workflow `Value` usable in an expression; containers are copied lazily, so changes never reach the original. */
import { Float, get, isList, isMap, type Value } from "../../domain/Value.ts"
import { Dict } from "./Dict.ts"
import { List, type Runtime } from "./Runtime.ts"

export const thaw = (value: Value): Runtime => {
  if (value === null || typeof value !== "object" || value instanceof Float) return value
  if (isList(value)) return List.lazy(() => value.map(thaw))
  return isMap(value) ? Dict.lazy(() => Object.keys(value).map((key) => [key, thaw(get(value, key) ?? null)])) : null
}
