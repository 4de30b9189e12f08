/** Ranks workflows by the words of a query. Pure, and the same for the same catalogue: hosts compare answers. */
import type { CatalogueEntry } from "../catalogue/CatalogueEntry.ts"

const wordsOf = (text: string): ReadonlyArray<string> =>
  text
    .toLowerCase()
    .normalize("NFKC")
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** What an entry is searched by, and how much a hit there counts. */
const fieldsOf = (entry: CatalogueEntry): ReadonlyArray<readonly [weight: number, words: ReadonlyArray<string>]> => [
  [4, wordsOf(entry.tool)],
  [3, wordsOf(`${entry.title} ${entry.key}`)],
  [2, wordsOf(entry.registry)],
  [1, wordsOf(entry.description)],
  [1, wordsOf(Object.keys(entry.inputSchema["properties"] ?? {}).join(" "))]
]

/** A whole word counts most, then a word's beginning (which also finds plurals, either way), then a part of a word. */
const likeness = (asked: string, word: string): number => {
  if (word === asked) return 4
  if (word.startsWith(asked) || (word.length >= 4 && asked.startsWith(word))) return 2
  return asked.length >= 3 && word.includes(asked) ? 1 : 0
}

interface Match {
  readonly entry: CatalogueEntry
  readonly words: number
  readonly score: number
}

const match = (entry: CatalogueEntry, asked: ReadonlyArray<string>): Match => {
  const fields = fieldsOf(entry)
  const scores = asked.map((token) =>
    Math.max(...fields.map(([weight, words]) => weight * Math.max(0, ...words.map((word) => likeness(token, word)))))
  )
  return {
    entry,
    words: scores.filter((score) => score > 0).length,
    score: scores.reduce((sum, score) => sum + score, 0)
  }
}

/** The entries that match a word of the query: those that match more words first. Without words all entries by name. */
export const searchWorkflows = (
  entries: ReadonlyArray<CatalogueEntry>,
  query: string
): ReadonlyArray<CatalogueEntry> => {
  const asked = [...new Set(wordsOf(query))]
  if (asked.length === 0) return entries
  return entries
    .map((entry) => match(entry, asked))
    .filter(({ words }) => words > 0)
    .sort((a, b) => b.words - a.words || b.score - a.score || (a.entry.tool < b.entry.tool ? -1 : 1))
    .map(({ entry }) => entry)
}
