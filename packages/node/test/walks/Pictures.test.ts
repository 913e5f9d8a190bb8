import { type Browser, chromium, type Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { browserFlags } from "../support/Browser.ts"
import { type Instance, send, startInstance } from "../support/Federating.ts"
import { rootPassword } from "../support/KinoraProcess.ts"
import { logInAs, type Tokens } from "../web-pages/support/WorkingAreas.ts"
import { burrow, lilies, meadow } from "./support/Films.ts"
import { differences, hasFontOfPictures } from "./support/Pictures.ts"
import { addUser, uploadVideo } from "./support/Scene.ts"

/** Name and address of a page, and selectors of what cannot be the same twice. */
type Pictured = readonly [string, string, (ReadonlyArray<string> | undefined)?]

/** Main pages look as somebody accepted them: `KINORA_ACCEPT_PICTURES=yes` keeps what they look like now (docs/testing.md). */
describe.runIf(hasFontOfPictures())("pictures of the main pages", () => {
  let here: Instance
  let browser: Browser
  let film: string

  beforeAll(async () => {
    ;[here, browser] = await Promise.all([
      startInstance(),
      chromium.launch({ executablePath: "/usr/bin/chromium", args: [...browserFlags, "--font-render-hinting=none"] })
    ])
    await uploadVideo(here, burrow(), { name: "Whose burrow is this?", category: "16" })
    await uploadVideo(here, lilies(), { name: "Water lilies in the stream", category: "16" })
    const description = "A scene of an open movie.\n\nMade by the Peach open movie project."
    const fields = { name: "A walk down to the meadow", description, category: "2", licence: "1", "tags[]": "meadow" }
    const { id, uuid } = await uploadVideo(here, meadow(), fields)
    film = uuid
    const reader = await addUser(here, "reader")
    await send(reader, "POST", `/api/v1/videos/${uuid}/comment-threads`, { text: "What a bird!" })
    await send(reader, "POST", "/api/v1/abuses", {
      reason: "The bird is very loud.",
      predefinedReasons: ["serverRules"],
      video: { id, startAt: 5 }
    })
  })
  afterAll(async () => {
    await browser?.close()
    await here?.node.remove()
  })

  const open = async (path: string, asRoot: boolean): Promise<Page> => {
    const context = await browser.newContext({ locale: "en-US", timezoneId: "UTC", deviceScaleFactor: 1 })
    context.setDefaultTimeout(60_000)
    if (asRoot) {
      const client = await here.node.json<Record<string, string>>("/api/v1/oauth-clients/local")
      const form = { ...client, grant_type: "password", username: "root", password: rootPassword }
      const body = new URLSearchParams(form)
      const answer = await fetch(`${here.node.url}/api/v1/users/token`, { method: "POST", body })
      await logInAs(context, (await answer.json()) as Tokens)
    }
    const page = await context.newPage()
    await page.goto(`${here.node.url}${path}`)
    await page.waitForLoadState("networkidle")
    return page
  }

  const publicPages = (): ReadonlyArray<Pictured> => [
    ["home", "/"],
    // Nothing plays.
    ["watch", `/w/${film}?autoplay=0`],
    ["channel", "/c/root_channel"],
    ["search", "/search?search=meadow&categoryOneOf=2"]
  ]
  const ownPages = [
    ["upload", "/my/upload"],
    ["my-videos", "/my/videos"],
    ["admin-overview", "/admin", ["main table", "main dl dd"]],
    ["configuration", "/admin/config"],
    ["reports", "/admin/reports"]
  ] as const

  const compare = async ([name, path, hidden]: Pictured, asRoot: boolean): Promise<void> => {
    const page = await open(path, asRoot)
    expect(await differences(page, name, hidden)).toEqual([])
    await page.context().close()
  }

  it("for everybody", { timeout: 300_000 }, async () => {
    for (const it of publicPages()) await compare(it, false)
  })

  it.each(ownPages)("of %s", { timeout: 300_000 }, async (...it) => {
    await compare(it, true)
  })
})
