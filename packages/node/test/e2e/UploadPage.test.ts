import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { browserFlags } from "../support/Browser.ts"
import { KinoraProcess, rootPassword, until } from "../support/KinoraProcess.ts"
import { bigBuckBunny } from "../support/Uploads.ts"
import { accessible, logInAs, type Tokens } from "../web-pages/support/WorkingAreas.ts"

const chunk = 2 * 1024 * 1024

describe("the page where videos are uploaded", () => {
  let node: KinoraProcess
  let browser: Browser
  let tokens: Tokens

  beforeAll(async () => {
    const small = ["1080P", "720P", "480P", "360P"].map((it) => [`KINORA_TRANSCODING_RESOLUTIONS_${it}`, "false"])
    node = await KinoraProcess.create({
      ...Object.fromEntries(small),
      KINORA_TRANSCODING_ALWAYS_TRANSCODE_ORIGINAL_RESOLUTION: "false",
      KINORA_CLIENT_VIDEOS_RESUMABLE_UPLOAD_MAX_CHUNK_SIZE: String(chunk)
    })
    await node.start()
    browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: browserFlags })
  })
  afterAll(async () => {
    await browser?.close()
    await node.remove()
  })

  /** A browser of its own, in which root is logged in. */
  const newBrowser = async (): Promise<BrowserContext> => {
    const client = await node.json<Record<string, string>>("/api/v1/oauth-clients/local")
    const form = { ...client, grant_type: "password", username: "root", password: rootPassword }
    const answer = await fetch(`${node.url}/api/v1/users/token`, { method: "POST", body: new URLSearchParams(form) })
    tokens = (await answer.json()) as Tokens
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    context.setDefaultTimeout(60_000)
    await logInAs(context, tokens)
    return context
  }

  const open = async (context: BrowserContext): Promise<Page> => {
    const page = await context.newPage()
    page.on("dialog", (dialog) => void dialog.accept())
    await page.goto(`${node.url}/my/upload`)
    await page.getByText("Drop videos here").waitFor()
    return page
  }

  const choose = (page: Page, files: string | Array<{ name: string; mimeType: string; buffer: Buffer }>) =>
    page.getByLabel("Choose files").setInputFiles(files)

  /** Lets so many pieces through, and holds the next ones back for ever, as a lost connection does. */
  const letThrough = async (page: Page, pieces: number): Promise<() => number> => {
    let passed = 0
    let held = 0
    await page.route(/upload-resumable\?.*upload_id=/, async (route) => {
      const isPiece = /bytes \d+-/.test(route.request().headers()["content-range"] ?? "")
      if (isPiece && passed >= pieces) held++
      else {
        if (isPiece) passed++
        await route.continue()
      }
    })
    return () => held
  }

  it("goes on after a reload where it was, keeps the form, and publishes what has arrived", async () => {
    const context = await newBrowser()
    const page = await open(context)
    const held = await letThrough(page, 3)
    await choose(page, bigBuckBunny)
    await page.getByRole("textbox", { name: "Name" }).fill("A rabbit")
    await page.getByRole("textbox", { name: "Description" }).fill("It wakes up at 0:05.")
    await page.getByRole("textbox", { name: "Tags" }).fill("rabbit")
    await page.keyboard.press("Enter")
    expect(await accessible(page)).toEqual([])
    await until("a piece that is held back", 60, async () => (held() > 0 ? true : undefined))

    // The tab is closed in the middle; another one is opened.
    await page.close({ runBeforeUnload: false })
    const again = await open(context)
    await again.getByText("choose the same file again").waitFor()
    expect(await again.getByRole("textbox", { name: "Name" }).inputValue()).toBe("A rabbit")
    expect(await again.getByRole("textbox", { name: "Description" }).inputValue()).toBe("It wakes up at 0:05.")
    expect(await accessible(again)).toEqual([])
    const ranges: Array<string> = []
    again.on("request", (request) => {
      const range = request.headers()["content-range"]
      if (request.method() === "PUT" && range !== undefined) ranges.push(range)
    })
    await choose(again, bigBuckBunny)
    await again.getByRole("button", { name: /^Publish/ }).click()
    await again.getByText("It appears as soon as the first rendition is ready").waitFor()
    expect(ranges[0]).toMatch(/^bytes \*\//)
    // Of the piece that was held back a part may have arrived while the tab was being closed.
    expect(Number(/^bytes (\d+)-/.exec(ranges[1] ?? "")?.[1])).toBeGreaterThanOrEqual(3 * chunk)
    expect(await again.evaluate("Object.keys(localStorage).filter((it) => it.startsWith('kinora.uploads'))")).toEqual(
      []
    )

    const auth = { authorization: `Bearer ${tokens.access_token}` }
    const list = await node.json<{ data: ReadonlyArray<Record<string, unknown>> }>("/api/v1/users/me/videos", auth)
    expect(list.data.map(({ name }) => name)).toEqual(["A rabbit"])
    expect(list.data[0]).toMatchObject({ privacy: { id: 1 } })

    // It is in the list, which shows the work on it until that is done.
    await again.getByRole("link", { name: "My videos" }).last().click()
    await again.getByRole("link", { name: "A rabbit" }).waitFor()
    expect(await accessible(again)).toEqual([])
    await until("the video", 120, async () => {
      const { data } = await node.json<{ data: ReadonlyArray<{ name: string }> }>("/api/v1/videos")
      return data.some(({ name }) => name === "A rabbit") ? true : undefined
    })
    await again.locator(".v-work").waitFor({ state: "detached" })
    await context.close()
  })

  it("goes on by itself when the connection is back, and can be paused", async () => {
    const context = await newBrowser()
    const page = await open(context)
    const held = await letThrough(page, 2)
    await choose(page, bigBuckBunny)
    await until("a piece that is held back", 60, async () => (held() > 0 ? true : undefined))
    await page.getByRole("button", { name: "Pause" }).click()
    await page.getByText(/^Paused at/).waitFor()
    await page.unroute(/upload-resumable\?.*upload_id=/)
    await context.setOffline(true)
    await page.getByRole("button", { name: "Go on" }).click()
    await page.getByText("No connection.").waitFor()
    await context.setOffline(false)
    await page.getByText("It stays private until you publish it").waitFor()
    await page.getByRole("textbox", { name: "Name" }).fill("x")
    await page.getByRole("button", { name: "Publish" }).click()
    await page.getByText("The name must have 3 to 120 characters.").waitFor()
    await page.getByRole("textbox", { name: "Name" }).fill("Another rabbit")
    await page.getByLabel("Who may see it").selectOption("Private")
    await page.getByRole("button", { name: "Publish" }).click()
    await page.getByText("It appears as soon as the first rendition is ready").waitFor()
    await context.close()
  })

  it("says what the server refuses, and takes several files at once", async () => {
    const context = await newBrowser()
    const page = await open(context)
    const buffer = Buffer.alloc(1000)
    await choose(page, [
      { name: "one.txt", mimeType: "text/plain", buffer },
      { name: "two.mp4", mimeType: "video/mp4", buffer }
    ])
    await until("two refusals", 60, async () =>
      (await page.locator(".upload[data-state=failed]").count()) === 2 ? true : undefined
    )
    for (const text of await page.locator(".upload-facts p").allTextContents()) expect(text.length).toBeGreaterThan(10)
    expect(await accessible(page)).toEqual([])
    await page.getByRole("button", { name: "Cancel the upload" }).first().click()
    await page.locator("dialog").getByRole("button", { name: "Cancel the upload" }).click()
    await until("one upload less", 60, async () => ((await page.locator(".upload").count()) === 1 ? true : undefined))
    await context.close()
  })

  it("is built for operators without the page of components", async () => {
    expect((await node.get("/dev/components")).status).toBe(404)
  })
})
