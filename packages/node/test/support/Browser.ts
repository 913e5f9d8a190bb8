import { Context, Data, Effect, Layer, Predicate } from "effect"
import {
  type Browser as Chromium,
  type BrowserContextOptions,
  chromium,
  type ConsoleMessage,
  type Page
} from "playwright-core"

/** A step in the browser did not come to what was expected. */
export class BrowserError extends Data.TaggedError("BrowserError")<{ readonly step: string; readonly cause: unknown }> {
  override get message(): string {
    return `${this.step}: ${Predicate.hasProperty(this.cause, "message") ? this.cause.message : "failed"}`
  }
}

/** Runs one step in the browser. */
export const step = <A>(name: string, action: () => Promise<A>): Effect.Effect<A, BrowserError> =>
  Effect.tryPromise({ try: action, catch: (cause) => new BrowserError({ step: name, cause }) })

/** What Chromium is started with in tests. */
export const browserFlags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--autoplay-policy=no-user-gesture-required"
]

let launched: Promise<Chromium> | undefined

/** One Chromium for all files that a worker runs: each page has a context of its own. It ends with the process. */
const chromiumOfWorker = (): Promise<Chromium> => {
  launched ??= chromium.launch({ executablePath: "/usr/bin/chromium", args: browserFlags }).then((browser) => {
    browser.on("disconnected", () => (launched = undefined))
    return browser
  })
  return launched
}

/** Debian's Chromium. */
export class Browser extends Context.Service<Browser, Chromium>()("test/Browser") {
  static readonly layer = Layer.effect(Browser, step("launch Chromium", chromiumOfWorker))
}

/** A page and what went wrong on it: console errors and warnings (content security policy included), thrown errors. */
export interface Watched {
  readonly page: Page
  readonly problems: Array<string>
}

const isProblem = (message: ConsoleMessage) => message.type() === "error" || message.type() === "warning"

/** A new page in a context of its own, closed with the scope. */
export const newPage = Effect.fn("Browser.newPage")(function* (options: BrowserContextOptions = {}) {
  const browser = yield* Browser
  const context = yield* Effect.acquireRelease(
    step("open a context", () => browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })),
    (it) => Effect.promise(() => it.close())
  )
  const page = yield* step("open a page", () => context.newPage())
  page.setDefaultTimeout(45_000)
  const problems: Array<string> = []
  page.on("console", (message) => {
    if (isProblem(message)) problems.push(`${message.type()}: ${message.text()}`)
  })
  page.on("pageerror", ({ message }) => problems.push(`thrown: ${message}`))
  return { page, problems } satisfies Watched
})

/** Opens an address and answers the status. */
export const visit = (page: Page, address: string) =>
  step(`visit ${address}`, async () => (await page.goto(address, { waitUntil: "load" }))?.status() ?? 0)

/** What the player's video element says of itself. */
export interface Playback {
  readonly time: number
  readonly paused: boolean
  readonly width: number
  readonly height: number
  readonly volume: number
  readonly muted: boolean
  readonly rate: number
  readonly ready: number
}

export const playback = (page: Page): Effect.Effect<Playback, BrowserError> =>
  step("read the video", () =>
    page.evaluate<Playback>(`(() => {
      const video = document.querySelector("[data-video] > video")
      return {
        time: video.currentTime,
        paused: video.paused,
        width: video.videoWidth,
        height: video.videoHeight,
        volume: video.volume,
        muted: video.muted,
        rate: video.playbackRate,
        ready: video.readyState
      }
    })()`)
  )

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/**
 * Waits until a JavaScript expression is true in the page. Asked from outside again and again: what Playwright itself
 * would put into the page is refused by the content security policy.
 */
export const waitFor = (page: Page, expression: string, timeout = 45_000) =>
  step(`wait for ${expression}`, async () => {
    const end = performance.now() + timeout
    const holds = () =>
      page.evaluate<boolean>(`Boolean(${expression})`).catch((cause: Error) => {
        // The page is loading another one, and is asked again when that is there.
        if (cause.message.includes("Execution context was destroyed")) return false
        throw cause
      })
    while (!(await holds())) {
      if (performance.now() > end) throw new Error(`not so within ${timeout} ms`)
      await pause(50)
    }
  })

/** Waits until a JavaScript expression over `video`, the player's element, is true. */
export const waitForVideo = (page: Page, holds: string, timeout = 45_000) =>
  waitFor(
    page,
    `(() => { const video = document.querySelector("[data-video] > video"); return video !== null && (${holds}) })()`,
    timeout
  )

/** The picture on screen, drawn small on a canvas: the mean brightness of each of 64 fields. */
export const picture = (page: Page): Effect.Effect<ReadonlyArray<number>, BrowserError> =>
  step("draw the picture", () =>
    page.evaluate<ReadonlyArray<number>>(`(() => {
      const canvas = document.createElement("canvas")
      canvas.width = 8
      canvas.height = 8
      const context = canvas.getContext("2d")
      context.drawImage(document.querySelector("[data-video] > video"), 0, 0, 8, 8)
      const { data } = context.getImageData(0, 0, 8, 8)
      return Array.from({ length: 64 }, (_, i) => (data[i * 4] + data[i * 4 + 1] + data[i * 4 + 2]) / 3)
    })()`)
  )

/** Mean difference of two pictures, from 0 (same) to 255. */
export const pictureDistance = (a: ReadonlyArray<number>, b: ReadonlyArray<number>): number =>
  a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] ?? 0)), 0) / a.length

/** How much wider the content is than the window, in CSS pixels. */
export const sidewaysScroll = (page: Page) =>
  step("measure the width", () =>
    page.evaluate<number>("document.documentElement.scrollWidth - document.documentElement.clientWidth")
  )
