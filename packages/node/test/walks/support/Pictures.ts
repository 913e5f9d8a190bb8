import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import pixelmatch from "pixelmatch"
import type { Page } from "playwright-core"
import sharp from "sharp"

/** The pictures that pages are compared with, which somebody looked at and accepted. */
const kept = join(import.meta.dirname, "../pictures")

/** `KINORA_ACCEPT_PICTURES=yes` keeps the pictures of now instead. */
const accepts = process.env["KINORA_ACCEPT_PICTURES"] === "yes"

/** Where the pictures of a page that has changed are put. */
const changed = join(import.meta.dirname, "../../../../../.cache/pictures")

/** Whether this machine draws texts with the font of the kept pictures; with another one, every page differs. */
export const hasFontOfPictures = (): boolean => {
  try {
    return execFileSync("fc-match", ["--format=%{family}", "system-ui"], { encoding: "utf8" }) === "DejaVu Sans"
  } catch {
    return false
  }
}

/** Part of the pixels that may differ: a text that is drawn another way, not one that is elsewhere. */
const tolerance = 0.001

export const looks = [
  ["light", 1280],
  ["dark", 1280],
  ["light", 390],
  ["dark", 390]
] as const

/** Texts that differ from run to run, with what stands for them. */
const varying = [
  [/127\.0\.0\.1:\d+/g, "films.example"],
  [/\b\d+ (second|minute)s? ago\b|\bjust now\b/g, "1 hour ago"],
  [/\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d{1,2}, \d{4}(, \d{1,2}:\d\d\s[AP]M)?/g, "Jan 1, 2026"],
  [/\b[\d.,]+ (B|kB|MB|GB)\b/g, "1.2 MB"]
] as const

/** Puts a text in place of each that varies, and hides what has no other. */
const makeStable = (page: Page, hidden: ReadonlyArray<string>): Promise<void> =>
  page.evaluate<void>(`(() => {
    const varying = [${varying.map(([pattern, text]) => `[${String(pattern)}, ${JSON.stringify(text)}]`).join()}]
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const text = varying.reduce((text, [pattern, other]) => text.replace(pattern, other), node.data)
      if (text !== node.data) node.data = text
    }
    for (const it of document.querySelectorAll(${JSON.stringify(hidden.join() || "nothing")})) it.style.visibility = "hidden"
  })()`)

/** As small as it can be kept: 64 colours are enough to see a change. */
const compress = (png: Buffer): Promise<Buffer> =>
  sharp(png).png({ palette: true, colours: 64, dither: 0, effort: 4 }).toBuffer()

const pixels = (png: Buffer) => sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true })

const write = async (folder: string, name: string, png: Buffer): Promise<void> => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), png)
}

/** What is wrong with a picture when it is compared with the one that is kept; nothing when they are the same. */
const compare = async (name: string, actual: Buffer): Promise<string | undefined> => {
  const file = `${name}.png`
  if (accepts) return void (await write(kept, file, actual))
  let expected: Buffer
  try {
    expected = readFileSync(join(kept, file))
  } catch {
    await write(changed, `${name}-actual.png`, actual)
    return `${file} is not kept yet: look at ${changed}/${name}-actual.png`
  }
  const [a, b] = [await pixels(actual), await pixels(expected)]
  const { height, width } = a.info
  const isSameSize = width === b.info.width && height === b.info.height
  const difference = Buffer.alloc(a.data.length)
  const count = isSameSize ? pixelmatch(a.data, b.data, difference, width, height, { threshold: 0.2 }) : width * height
  if (count <= tolerance * width * height) return undefined
  await write(changed, `${name}-actual.png`, actual)
  await write(changed, `${name}-expected.png`, expected)
  if (isSameSize) {
    const raw = { width, height, channels: 4 } as const
    await write(changed, `${name}-difference.png`, await sharp(difference, { raw }).png().toBuffer())
  }
  return `${file}: ${isSameSize ? `${count} pixels differ` : "another size"}, see ${changed}/${name}-*.png`
}

/**
 * Compares a page with the pictures that are kept of it, at both widths in both schemes; answers what differs. `hidden`
 * selects what cannot be the same twice.
 */
export const differences = async (
  page: Page,
  name: string,
  hidden: ReadonlyArray<string> = []
): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  for (const [colorScheme, width] of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
    await page.setViewportSize({ width, height: width === 390 ? 780 : 720 })
    await page.evaluate("scrollTo(0, 0)")
    await makeStable(page, hidden)
    await page.evaluate("document.fonts.ready")
    await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    const png = await page.screenshot({ animations: "disabled", caret: "hide" })
    const wrong = await compare(`${name}-${colorScheme}-${width}`, await compress(png))
    if (wrong !== undefined) found.push(wrong)
  }
  return found
}
