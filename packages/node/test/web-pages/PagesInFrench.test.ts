import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { login } from "../instance/about/Client.ts"
import { baseUrl } from "../instance/about/TestNode.ts"
import { make, put } from "../social/playlist/PlaylistClient.ts"
import { Browser, newPage, step, visit, waitFor } from "../support/Browser.ts"
import { People } from "../video/list/People.ts"
import { addVideo } from "../video/list/Videos.ts"
import { accountNode } from "./support/AccountNode.ts"
import { accessible, logInAs } from "./support/WorkingAreas.ts"

const node = People.layer.pipe(Layer.provideMerge(accountNode()), Layer.provideMerge(Browser.layer))

/** Everything a page says: its texts, and what stands in attributes that people see or hear. Names of languages are Intl's. */
const said = `(() => {
  const found = new Set([document.title])
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode() !== null) {
    const { data, parentElement } = walker.currentNode
    if (parentElement.closest("script, style, [lang], select[name=languageOneOf]") === document.documentElement)
      found.add(parentElement.localName === "noscript" ? data.replaceAll(/<[^>]*>/g, " ") : data)
  }
  for (const it of document.querySelectorAll("[aria-label], [title], [placeholder], [alt]"))
    for (const name of ["aria-label", "title", "placeholder", "alt"]) found.add(it.getAttribute(name) ?? "")
  return [...found].map((it) => it.replaceAll(/\\s+/g, " ").trim()).filter((it) => /\\p{L}{2}/u.test(it))
})()`

/** What is the same in both languages: names of people and things, and words that French shares. */
const names =
  /owner|visitor|127\.0\.0\.1|localhost|^An evening$|^A video|^Video \d|^Kinora|^NodeInfo$|^RSS$|^curl|^ORIGIN|PeerTube|^About it$|^A place for videos$|^nothing/i
const shared = new Set([
  "Films",
  "Art",
  "Notifications",
  "Description",
  "Contact",
  "Sports",
  "Pause (k)",
  "Pause",
  "Volume",
  "Auto",
  "Position"
])

/** Opens pages in both languages, and gives what both say. */
const sameIn = Effect.fn("sameIn")(function* (paths: ReadonlyArray<string>, tokens?: Parameters<typeof logInAs>[1]) {
  const base = yield* baseUrl
  const { page } = yield* newPage()
  if (tokens !== undefined) yield* step("log in", () => logInAs(page.context(), tokens))
  const same: Array<string> = []
  for (const path of paths) {
    const texts: Array<ReadonlyArray<string>> = []
    for (const value of ["en", "fr"]) {
      yield* step("choose", () => page.context().addCookies([{ name: "clientLanguage", value, url: base }]))
      yield* visit(page, `${base}${path}`)
      yield* waitFor(
        page,
        `document.documentElement.lang === "${value}" && document.querySelector("[role=status]:not([hidden])")?.textContent !== "${value === "en" ? "One moment…" : "Un instant…"}"`
      )
      texts.push(yield* step("read", () => page.evaluate<ReadonlyArray<string>>(said)))
    }
    const [english = [], french = []] = texts
    assert.isAbove(french.length, 5, path)
    same.push(
      ...french.filter((it) => english.includes(it) && !names.test(it) && !shared.has(it)).map((it) => `${path}: ${it}`)
    )
  }
  return same
})

layer(node, { excludeTestServices: true, timeout: 120_000 })("public pages in French", (it) => {
  it.effect("say nothing in English to visitors", () =>
    Effect.gen(function* () {
      const { id, uuid } = yield* addVideo({ owner: "owner" })
      const list = yield* make({ displayName: "An evening", privacy: 2 })
      yield* put(list.id, id)
      const same = yield* sameIn([
        "/",
        "/videos/trending",
        "/videos/browse?categoryOneOf=1&length=short",
        "/search?search=owner&type=channels",
        "/search?search=nothing",
        "/c/owner_channel",
        "/c/owner_channel/about",
        "/a/owner/video-channels",
        `/w/${uuid}`,
        `/videos/embed/${uuid}`,
        `/w/p/${list.shortUUID}`,
        "/about",
        "/about/contact",
        "/login",
        "/signup",
        "/reset-password",
        "/verify-account/ask-send-email",
        "/verify-account/email",
        "/unsubscribe",
        "/videos/test-embed",
        "/remote-interaction?uri=nothing",
        "/offline",
        "/nothing/here"
      ])
      assert.deepStrictEqual(same, [])
    })
  )

  it.effect("say nothing in English to who is logged in", () =>
    Effect.gen(function* () {
      const { uuid } = yield* addVideo({ owner: "owner" })
      const same = yield* sameIn(
        [`/w/${uuid}`, "/my-account/notifications", "/my-library/video-playlists", "/c/owner_channel"],
        yield* login("owner", "password1")
      )
      assert.deepStrictEqual(same, [])
    })
  )

  it.effect("are changed by the choice below them, and are accessible", () =>
    Effect.gen(function* () {
      const base = yield* baseUrl
      const { uuid } = yield* addVideo({ owner: "owner" })
      const { page, problems } = yield* newPage()
      yield* visit(page, `${base}/search?search=owner&type=channels`)
      yield* step("choose French", () => page.getByRole("button", { name: "Français" }).click())
      yield* waitFor(
        page,
        `document.documentElement.lang === "fr" && location.search === "?search=owner&type=channels"`
      )
      assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
      yield* visit(page, `${base}/w/${uuid}`)
      yield* waitFor(page, `document.querySelector(".kp-settings")?.title === "Réglages"`)
      assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
      assert.deepStrictEqual(problems, [])
    })
  )
})
