import { Effect } from "effect"
import type { Page } from "playwright-core"
import { login } from "../../instance/about/Client.ts"
import { baseUrl, rootPassword } from "../../instance/about/TestNode.ts"
import { Users } from "../../../src/people/user/Users.ts"
import { newPage, step, visit } from "../../support/Browser.ts"
import { logInAs } from "./WorkingAreas.ts"

/** Looking for what is inaccessible takes long on a busy machine. */
export const minutes = 300_000

const password = "password1"

/** A user of the test, who gets a channel. */
export const addUser = (username: string, role: 0 | 1 | 2 = 2) =>
  Users.use((users) => users.create({ username, email: `${username}@example.com`, password, role }))

export const tokenOf = (username: string) =>
  Effect.map(login(username, username === "root" ? rootPassword : password), (it) => it.access_token)

/** A page of the working areas as a user sees it; `root` is the administrator. */
export const openAs = Effect.fnUntraced(function* (username: string, path: string, options = {}) {
  const watched = yield* newPage(options)
  const tokens = yield* login(username, username === "root" ? rootPassword : password)
  yield* step("log in", () => logInAs(watched.page.context(), tokens))
  yield* visit(watched.page, (yield* baseUrl) + path)
  return watched
})

/** Text of the heading of the page. */
export const heading = "document.querySelector('main h1')?.textContent"

/** Whether the page has a text somewhere. */
export const says = (text: string) => `document.querySelector("main").textContent.includes(${JSON.stringify(text)})`

/** Where pictures of pages are put, when one wants to look at them: a folder. */
const pictures = process.env["KINORA_TEST_PICTURES"]

/** Takes pictures of a page at both widths in both schemes, where a folder for them is named. */
export const takePictures = (page: Page, name: string) =>
  step(`take pictures of ${name}`, async () => {
    if (pictures === undefined) return
    for (const [scheme, width] of [
      ["light", 1280],
      ["dark", 1280],
      ["light", 390]
    ] as const) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" })
      await page.setViewportSize({ width, height: 800 })
      await page.screenshot({ path: `${pictures}/${name}-${scheme}-${width}.png`, fullPage: true })
    }
    await page.setViewportSize({ width: 1280, height: 800 })
  })
