/** A text of the document that is a template, with its place. */
import { isList, isMap, type Value } from "../../domain/Value.ts"
import type { Place } from "../Problem.ts"

export interface TemplateField {
  readonly place: Place
  readonly template: string
}

export const one = (place: Place, template: string | undefined): ReadonlyArray<TemplateField> =>
  template === undefined ? [] : [{ place, template }]

export const list = (place: Place, templates: ReadonlyArray<string>): ReadonlyArray<TemplateField> =>
  templates.map((template, index) => ({ place: [...place, index], template }))

export const many = (place: Place, templates: Readonly<Record<string, string>> = {}): ReadonlyArray<TemplateField> =>
  Object.entries(templates).map(([key, template]) => ({ place: [...place, key], template }))

/** Every text in a value, at any depth. */
export const inValue = (place: Place, value: Value): ReadonlyArray<TemplateField> => {
  if (typeof value === "string") return one(place, value)
  if (isList(value)) return value.flatMap((entry, index) => inValue([...place, index], entry))
  return isMap(value) ? Object.entries(value).flatMap(([key, entry]) => inValue([...place, key], entry)) : []
}
