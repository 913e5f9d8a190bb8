import type { Browser, BrowserContext, Page } from "playwright-core"

/** A page as a browser with an empty cache opens it. */
export interface Opened {
  /** Bytes of scripts as they came, brotli counted. */
  readonly scripts: number
  /** Sum of the layout shifts that nobody asked for (CLS). */
  readonly shifts: number
}

/** Adds up layout shifts from the beginning of every page of the context. */
const countShifts = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(`window.shifted = 0; new PerformanceObserver((list) => {
    for (const it of list.getEntries()) if (!it.hadRecentInput) shifted += it.value
  }).observe({ type: "layout-shift", buffered: true })`)

/** Opens an address with an empty cache, until nothing more is fetched. */
export const openFresh = async (
  browser: Browser,
  address: string,
  { session, width = 1280 }: { readonly session?: string; readonly width?: number } = {}
): Promise<Opened> => {
  const context = await browser.newContext({ viewport: { width, height: 800 } })
  try {
    await countShifts(context)
    if (session !== undefined) {
      await context.addInitScript(`localStorage.setItem("kinora.session", ${JSON.stringify(session)})`)
    }
    const page = await context.newPage()
    let scripts = 0
    page.on("response", (it) => {
      if (it.request().resourceType() === "script") scripts += Number(it.headers()["content-length"] ?? 0)
    })
    await page.goto(address)
    await page.waitForLoadState("networkidle")
    return { scripts, shifts: await page.evaluate<number>("window.shifted") }
  } finally {
    await context.close()
  }
}

/** Milliseconds from the beginning of the navigation to the first picture of the video that is shown. */
export const firstPicture = async (browser: Browser, address: string): Promise<number> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    const page = await context.newPage()
    await page.addInitScript(`window.pictured = new Promise((resolve) => {
      const look = () => {
        const video = document.querySelector("[data-video] > video")
        if (video === null) return requestAnimationFrame(look)
        video.requestVideoFrameCallback((now) => resolve(now))
      }
      look()
    })`)
    await page.goto(address)
    return await page.evaluate<number>("window.pictured")
  } finally {
    await context.close()
  }
}

/** Milliseconds from a jump in the video to the picture there. */
export const seekTime = (page: Page, seconds: number): Promise<number> =>
  page.evaluate<number>(`new Promise((resolve) => {
    const video = document.querySelector("[data-video] > video")
    const from = performance.now()
    const look = (now, { mediaTime }) =>
      mediaTime >= ${seconds} - 0.2 && mediaTime < ${seconds} + 5
        ? resolve(now - from)
        : video.requestVideoFrameCallback(look)
    video.requestVideoFrameCallback(look)
    video.currentTime = ${seconds}
  })`)
