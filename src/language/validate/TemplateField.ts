/** A text of the document that is a template, with its place. */
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
