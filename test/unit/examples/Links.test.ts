/** Links within the documents lead somewhere. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("../../../", import.meta.url))
const documents = ["README.md", ...readdirSync(join(root, "docs")).map((name) => join("docs", name))]

/** As GitHub makes the anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-")

const withoutCode = (text: string): string => text.replace(/^```.*?^```$/gms, "").replace(/`[^`\n]*`/g, "")

const textOf = (path: string): string => readFileSync(path, "utf8")

const anchorsOf = (path: string): ReadonlyArray<string> =>
  [
    ...textOf(path)
      .replace(/^```.*?^```$/gms, "")
      .matchAll(/^#+ (.+)$/gm)
  ].map(([, heading = ""]) => anchorOf(heading))

const linksOf = (path: string): ReadonlyArray<string> =>
  [...withoutCode(textOf(path)).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^\w+:/.test(target))

const leadsSomewhere = (document: string, link: string): boolean => {
  const [file = "", anchor] = link.split("#")
  const target = file === "" ? document : resolve(dirname(document), file)
  if (relative(root, target).startsWith("..") || !existsSync(target)) return false
  return anchor === undefined || anchorsOf(target).includes(anchor)
}

describe("the documents", () => {
  it.each(documents)("%s has no dead link", (name) => {
    const document = join(root, name)
    expect(linksOf(document).filter((link) => !leadsSomewhere(document, link))).toEqual([])
  })
})
