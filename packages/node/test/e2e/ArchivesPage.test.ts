import { readFileSync } from "node:fs"
import { type Browser, chromium, type Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { browserFlags } from "../support/Browser.ts"
import { KinoraProcess, rootPassword } from "../support/KinoraProcess.ts"
import { accessible, logInAs, type Tokens } from "../web-pages/support/WorkingAreas.ts"

/** Where pictures of the page are put, when one wants to look at them: a folder. */
const pictures = process.env["KINORA_TEST_PICTURES"]

describe("the page of a user's data", () => {
  let node: KinoraProcess
  let browser: Browser

  beforeAll(async () => {
    node = await KinoraProcess.create({})
    await node.start()
    browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: browserFlags })
  })
  afterAll(async () => {
    await browser?.close()
    await node.remove()
  })

  const open = async (): Promise<Page> => {
    const client = await node.json<Record<string, string>>("/api/v1/oauth-clients/local")
    const form = { ...client, grant_type: "password", username: "root", password: rootPassword }
    const answer = await fetch(`${node.url}/api/v1/users/token`, { method: "POST", body: new URLSearchParams(form) })
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true })
    context.setDefaultTimeout(60_000)
    await logInAs(context, (await answer.json()) as Tokens)
    const page = await context.newPage()
    await page.goto(`${node.url}/my/settings?part=data`)
    await page.getByRole("heading", { name: "Export" }).waitFor()
    return page
  }

  it("makes an archive, gives it, takes it back, and says what became of each part", async () => {
    const page = await open()
    expect(await accessible(page)).toEqual([])
    await page.getByLabel("With the files of my videos").uncheck()
    await page.getByRole("button", { name: "Ask for an archive" }).click()
    const link = page.getByRole("link", { name: "Download" })
    await link.waitFor()
    await page.getByText(/^Ready: .*, kept until /).waitFor()
    // There is one at a time.
    expect(await page.getByRole("button", { name: "Ask for an archive" }).count()).toBe(0)
    const [download] = await Promise.all([page.waitForEvent("download"), link.click()])
    const file = await download.path()
    expect(readFileSync(file).subarray(0, 2).toString()).toBe("PK")

    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "mine.zip", mimeType: "application/zip", buffer: readFileSync(file) })
    await page.getByText(/^The archive of .* is imported\.$/).waitFor()
    await page.getByRole("rowheader", { name: "Profile" }).waitFor()
    expect(await accessible(page)).toEqual([])
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/data.png`, fullPage: true })

    await page.getByRole("button", { name: /^Remove the archive of / }).click()
    await page.getByRole("button", { name: "Ask for an archive" }).waitFor()
    expect(await link.count()).toBe(0)
  }, 180_000)

  it("refuses what is no archive, and ends the session from the navigation", async () => {
    const page = await open()
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "mine.zip", mimeType: "application/zip", buffer: Buffer.from("no archive at all") })
    await page.getByText(/^The import of .* failed\. \S/).waitFor()
    await page.locator(".side").getByRole("button", { name: "Log out" }).click()
    await page.waitForURL(`${node.url}/`)
    await page.getByRole("link", { name: "Log in" }).first().waitFor()
    expect(await page.evaluate<string | null>("localStorage.getItem('kinora.session')")).toBeNull()
  }, 180_000)
})
