import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core"
import { browserFlags } from "../../support/Browser.ts"
import { findings } from "../../web-pages/support/WorkingAreas.ts"

/** The two sizes at which each person walks. */
export const sizes = [
  { size: "desk", width: 1280, height: 800, scheme: "light" },
  { size: "phone", width: 390, height: 844, scheme: "dark" }
] as const
export type Size = (typeof sizes)[number]

/** Where a picture of each step is put, when one wants to look at them: a folder. */
const pictures = process.env["KINORA_TEST_PICTURES"]

/** Answers that a page counts on, and that browsers print as errors. */
const knownAnswers = [
  // A video is asked for as anybody first: that refusal says more than that of a user.
  [/\b40[13]\b/, /\/api\/v1\/videos\/[^/]+$/],
  // Nothing was imported yet.
  [/\b404\b/, /\/imports\/latest$/]
] as const

/** With everything, each page is looked at in the other scheme as well. */
const bothSchemes = process.env["TEST_EVERYTHING"] !== undefined

export const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: "/usr/bin/chromium", args: browserFlags })

/** One person at one size: walks from page to page, and looks at each. */
export class Walker {
  /** What is wrong with the pages of this walk. */
  readonly problems: Array<string> = []
  readonly page: Page
  readonly url: string
  readonly person: string
  readonly size: Size
  private steps = 0
  /** What is asked with a session that is just being ended is refused. */
  private leaving = false

  private constructor(page: Page, url: string, person: string, size: Size) {
    this.page = page
    this.url = url
    this.person = person
    this.size = size
    page.on("console", (message) => {
      if (message.type() !== "error" && message.type() !== "warning") return
      const [text, about] = [message.text(), message.location().url]
      const isKnown = this.leaving || knownAnswers.some(([status, path]) => status.test(text) && path.test(about))
      if (!isKnown) this.problems.push(`${page.url()}: ${message.type()}: ${text} ${about}`)
    })
    page.on("pageerror", ({ message }) => this.problems.push(`${page.url()}: thrown: ${message}`))
  }

  static async start(browser: Browser, url: string, person: string, size: Size): Promise<Walker> {
    const isPhone = size.size === "phone"
    const context = await browser.newContext({
      viewport: { width: size.width, height: size.height },
      colorScheme: size.scheme,
      reducedMotion: "reduce",
      locale: "en-GB",
      acceptDownloads: true,
      permissions: ["clipboard-read", "clipboard-write"],
      ...(isPhone ? { hasTouch: true, isMobile: true } : {})
    })
    context.setDefaultTimeout(45_000)
    return new Walker(await context.newPage(), url, person, size)
  }

  get context(): BrowserContext {
    return this.page.context()
  }

  get isPhone(): boolean {
    return this.size.size === "phone"
  }

  /** Types an address. */
  async open(path: string): Promise<void> {
    await this.page.goto(this.url + path, { waitUntil: "load" })
  }

  /** Shows the navigation of the working areas, which a phone folds below the name of the page. */
  private async unfold(): Promise<void> {
    if (!this.isPhone) return
    const menu = this.page.locator("details.side-menu")
    await menu.locator("summary").waitFor()
    if ((await menu.getAttribute("open")) === null) await menu.locator("summary").click()
  }

  /** Opens a page by its link in the navigation of the working areas. */
  async navigate(name: string): Promise<void> {
    await this.unfold()
    await this.page.getByRole("navigation", { name: "Working areas" }).getByRole("link", { name, exact: true }).click()
  }

  /** Logs in by the form, from whatever page one comes. */
  async logIn(username: string, password: string, step?: string): Promise<void> {
    const { page } = this
    if (!page.url().endsWith("/login")) await this.open("/login")
    await page.getByLabel("User name or e-mail address").fill(username)
    await page.getByLabel("Password").fill(password)
    if (step !== undefined) await this.look(step)
    await page.locator("main").getByRole("button", { name: "Log in" }).click()
    await page.waitForURL((it) => it.pathname !== "/login")
  }

  /** Logs out by the navigation of the working areas. */
  async leave(): Promise<void> {
    await this.unfold()
    this.leaving = true
    await this.page.getByRole("button", { name: "Log out" }).click()
    await this.page.waitForURL(`${this.url}/`)
    await this.page.getByRole("link", { name: "Log in" }).first().waitFor()
  }

  /** Waits for a heading of the page. */
  async heading(name: string | RegExp): Promise<void> {
    await this.page.getByRole("heading", { name, level: 1 }).waitFor()
  }

  /** Waits for the message that something was done. */
  async toast(words: string | RegExp): Promise<void> {
    await this.page.locator(".toast").getByText(words).last().waitFor()
  }

  /** Looks at the page as it is: what axe finds, whether it scrolls sideways. Takes a picture where a folder is named. */
  async look(step: string): Promise<void> {
    const { page } = this
    await page.locator(".skeleton").first().waitFor({ state: "detached" })
    this.steps++
    const where = `${this.person}, ${this.size.size}, ${step}`
    if (pictures !== undefined) {
      mkdirSync(pictures, { recursive: true })
      const number = String(this.steps).padStart(2, "0")
      const name = `${this.person}-${this.size.size}-${number}-${step.replaceAll(/\W+/g, "-")}.png`
      await page.screenshot({ path: join(pictures, name) })
    }
    // What is scrolled below the header is no target there.
    const from = await page.evaluate<number>("scrollY")
    await page.evaluate("scrollTo(0, 0)")
    for (const scheme of bothSchemes ? (["light", "dark"] as const) : [this.size.scheme]) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" })
      await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
      this.problems.push(...(await findings(page, `${where}, ${scheme}`)))
    }
    await page.emulateMedia({ colorScheme: this.size.scheme, reducedMotion: "reduce" })
    await page.evaluate(`scrollTo(0, ${from})`)
  }

  async end(): Promise<void> {
    await this.context.close()
  }
}

/** Walks one person's day at one size, and answers what is wrong with its pages. */
export const walk = async (
  browser: Browser,
  url: string,
  person: string,
  size: Size,
  day: (walker: Walker) => Promise<void>
): Promise<ReadonlyArray<string>> => {
  const walker = await Walker.start(browser, url, person, size)
  try {
    await day(walker)
    return walker.problems
  } catch (cause) {
    const problems = walker.problems.join("\n")
    throw new Error(`${person}, ${size.size}, at ${walker.page.url()}\n${problems}`, { cause })
  } finally {
    await walker.end()
  }
}
