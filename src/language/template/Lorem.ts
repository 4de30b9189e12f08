/** Filler text for drafts of templates; the words are random, as in the reference. */
const vocabulary = (
  "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna " +
  "aliqua ut enim ad minim veniam quis nostrud exercitation ullamco laboris nisi ut aliquip ex ea commodo consequat"
).split(" ")

const sentenceLength = 12

const capitalized = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

/** A paragraph of at least `least` and fewer than `most` words. */
export const lorem = (least: number, most: number): string => {
  const count = Math.max(1, least + Math.floor(Math.random() * Math.max(1, most - least)))
  const words = Array.from({ length: count }, (_, index) => {
    const word = vocabulary[Math.floor(Math.random() * vocabulary.length)] ?? "lorem"
    const shown = index % sentenceLength === 0 ? capitalized(word) : word
    return index % sentenceLength === sentenceLength - 1 || index === count - 1 ? `${shown}.` : shown
  })
  return words.join(" ")
}
