import { Effect } from "effect"
import type { BrowserContextOptions } from "playwright-core"
import { Users } from "../../../src/people/user/Users.ts"
import { login } from "../../instance/about/Client.ts"
import { baseUrl } from "../../instance/about/TestNode.ts"
import { newPage, step, visit } from "../../support/Browser.ts"
import { logInAs } from "./WorkingAreas.ts"

/** The password of every user of these tests. */
export const password = "password1"

/** Adds a user with a channel of the same name and "_channel". */
export const addUser = (username: string) =>
  Users.use((users) => users.create({ username, email: `${username}@example.com`, password, role: 2 }))

/** A page of the working areas as a user sees it. */
export const openAs = Effect.fnUntraced(function* (
  username: string,
  path: string,
  options: BrowserContextOptions = {}
) {
  const watched = yield* newPage(options)
  const tokens = yield* login(username, password)
  yield* step("log in", () => logInAs(watched.page.context(), tokens))
  yield* visit(watched.page, (yield* baseUrl) + path)
  return watched
})

/** An expression for the words of the page's heading. */
export const heading = "document.querySelector('main h1')?.textContent"

/** An expression for whether a message that something was done stands on the page. */
export const said = (words: string): string =>
  `[...document.querySelectorAll(".toast p")].some((it) => it.textContent === ${JSON.stringify(words)})`

/** How long a walk through a page may take, in milliseconds: machines that test much at once are slow. */
export const minutes = (count: number): number => count * 60_000
