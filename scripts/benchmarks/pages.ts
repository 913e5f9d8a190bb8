/**
 * What the pages weigh and how fast they are in Debian's Chromium: scripts, layout shifts, the first picture of a video,
 * jumps within one of half an hour. Beside it: the same browser with an empty page, and the file alone in a `<video>`.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { chromium } from "playwright-core"
import { browserFlags } from "../../packages/node/test/support/Browser.ts"
import { freshDataDir, login, root, start } from "./lib/Instance.ts"
import { firstPicture, openFresh, seekTime } from "./lib/Pages.ts"
import { type Figure, write } from "./lib/Report.ts"
import { bigBuckBunny, upload, waitForFiles } from "./lib/Videos.ts"

const runs = Number(process.env["KINORA_BENCH_RUNS"] ?? 5)
const minutes = 30
const ffmpeg = join(root, `node_modules/@ffmpeg-binary/${process.platform}-${process.arch}/ffmpeg`)

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

const data = freshDataDir()
const clips = mkdtempSync(join(tmpdir(), "kinora-clips-"))
const small = join(clips, "small.mp4")
execFileSync(ffmpeg, [
  ...["-v", "error", "-i", bigBuckBunny, "-vf", "scale=-2:360", "-preset", "veryfast", "-g", "48", "-c:a", "copy"],
  small
])
const long = join(clips, "long.mp4")
execFileSync(ffmpeg, ["-v", "error", "-stream_loop", `${minutes * 2 - 1}`, "-i", small, "-c", "copy", long])
const instance = await start(data.dir, 9470, { KINORA_TRANSCODING_RESOLUTIONS_720P: "false" })
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: browserFlags })
try {
  const { url } = instance
  const token = await login(url)
  const session = JSON.stringify({ access: token, refresh: "" })
  for (let i = 0; i < 7; i++) await upload(url, token, small, `A short one, number ${i + 1}`)
  const { shortUUID, uuid } = await upload(url, token, long, "A long one")
  await waitForFiles(url, uuid, 1)
  const fileAddress = (await waitForFiles(url, uuid, 1)).streamingPlaylists[0]?.files[0]?.fileUrl ?? ""

  const pages: ReadonlyArray<readonly [name: string, path: string, limit: number, isUser: boolean]> = [
    ["home", "/", 20_000, false],
    ["watch, playing at once", `/w/${shortUUID}`, 110_000, false],
    ["channel", "/c/root_channel", 20_000, false],
    ["search", "/search?search=one", 20_000, false],
    ["my videos", "/my/videos", 90_000, true],
    ["upload", "/my/upload", 90_000, true],
    ["statistics of a video", `/my/statistics/${uuid}`, 120_000, true],
    ["overview of the administration", "/admin", 90_000, true],
    ["configuration", "/admin/config", 120_000, true]
  ]
  const figures: Array<Figure> = []
  for (const [name, path, limit, isUser] of pages) {
    const wide = await openFresh(browser, url + path, isUser ? { session } : {})
    const narrow = await openFresh(browser, url + path, { width: 390, ...(isUser ? { session } : {}) })
    figures.push(
      {
        name: `scripts, ${name}`,
        value: wide.scripts / 1000,
        unit: "KB",
        goal: { kind: "at most", value: limit / 1000 }
      },
      {
        name: `layout shifts, ${name}`,
        value: Math.max(wide.shifts, narrow.shifts),
        unit: "",
        goal: { kind: "at most", value: 0.02 },
        note: "the worse of 1280 and 390 px"
      }
    )
  }

  const pictures: Array<number> = []
  const alone: Array<number> = []
  for (let i = 0; i < runs; i++) {
    pictures.push(await firstPicture(browser, `${url}/w/${shortUUID}?muted=1`))
    alone.push(await firstPicture(browser, `${url}/videos/embed/${shortUUID}?autoplay=1&muted=1`))
  }
  figures.push({
    name: `first picture of a video, median of ${runs}`,
    value: median(pictures),
    unit: "ms",
    goal: { kind: "at most", value: 700 },
    beside: { name: "the embed (ms)", value: median(alone) },
    note: `worst ${Math.max(...pictures).toFixed(0)} ms`
  })

  // What waits in the page is evaluated there.
  const page = await browser.newPage({ bypassCSP: true })
  await page.goto(`${url}/w/${shortUUID}?muted=1`)
  await page.waitForFunction(`document.querySelector("[data-video] > video")?.currentTime > 0.5`)
  const jumps = [900, 120, 1500, 300, 1700, 600, 1200, 30, 1000, 400]
  const seeks: Array<number> = []
  for (const seconds of jumps) seeks.push(await seekTime(page, seconds))
  await page.goto(`${url}/about`)
  await page.setContent(`<div data-video><video muted autoplay src="${new URL(fileAddress).pathname}"></video></div>`)
  await page.waitForFunction(`document.querySelector("video").currentTime > 0.5`)
  const plain: Array<number> = []
  for (const seconds of jumps) plain.push(await seekTime(page, seconds))
  figures.push({
    name: `jump in a video of ${minutes} minutes, median of ${jumps.length}`,
    value: median(seeks),
    unit: "ms",
    goal: { kind: "at most", value: 300 },
    beside: { name: "the file in a video element (ms)", value: median(plain) },
    note: `worst ${Math.max(...seeks).toFixed(0)} ms`
  })
  write("pages", figures, { what: "pages in Chromium on loopback, bundle as scripts/start runs it" })
} finally {
  await browser.close()
  await instance.stop()
  data.remove()
  rmSync(clips, { recursive: true, force: true })
}
