/** Every filter by name. */
import type { FilterTable } from "./Filter.ts"
import { higherOrderFilters } from "./HigherOrderFilters.ts"
import { jsonFilters } from "./JsonFilters.ts"
import { listFilters } from "./ListFilters.ts"
import { markupFilters } from "./MarkupFilters.ts"
import { numberFilters } from "./NumberFilters.ts"
import { textFilters } from "./TextFilters.ts"
import { valueFilters } from "./ValueFilters.ts"

export const filters: FilterTable = new Map([
  ...textFilters,
  ...listFilters,
  ...higherOrderFilters,
  ...numberFilters,
  ...jsonFilters,
  ...markupFilters,
  ...valueFilters
])
