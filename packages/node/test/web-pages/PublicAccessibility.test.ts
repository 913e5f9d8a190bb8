import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { login } from "../instance/about/Client.ts"
import { baseUrl } from "../instance/about/TestNode.ts"
import { make, put } from "../social/playlist/PlaylistClient.ts"
import { Browser, newPage, step, visit } from "../support/Browser.ts"
import { People } from "../video/list/People.ts"
import { addVideo } from "../video/list/Videos.ts"
import { accountNode } from "./support/AccountNode.ts"
import { accessible, logInAs } from "./support/WorkingAreas.ts"

const node = People.layer.pipe(Layer.provideMerge(accountNode()), Layer.provideMerge(Browser.layer))

/** What axe finds on pages at these paths, as a visitor or as who is logged in. */
const look = Effect.fn("look")(function* (paths: ReadonlyArray<string>, tokens?: Parameters<typeof logInAs>[1]) {
  const base = yield* baseUrl
  const { page } = yield* newPage()
  if (tokens !== undefined) yield* step("log in", () => logInAs(page.context(), tokens))
  const found: Array<string> = []
  for (const path of paths) {
    yield* visit(page, `${base}${path}`)
    const problems = yield* step(`look at ${path}`, () => accessible(page))
    found.push(...problems.map((it) => `${path}: ${it}`))
  }
  return found
})

layer(node, { excludeTestServices: true, timeout: 120_000 })("axe finds nothing on public pages", (it) => {
  it.effect("of visitors", () =>
    Effect.gen(function* () {
      const { id, uuid } = yield* addVideo({ owner: "owner" })
      const list = yield* make({ displayName: "An evening", privacy: 2 })
      yield* put(list.id, id)
      const found = yield* look([
        "/",
        "/videos/browse?categoryOneOf=1",
        "/search?search=owner&type=channels",
        "/c/owner_channel/about",
        `/w/${uuid}`,
        `/w/p/${list.shortUUID}`,
        "/about",
        "/login",
        "/signup",
        "/reset-password",
        "/nothing/here"
      ])
      assert.deepStrictEqual(found, [])
    })
  )

  it.effect("of who is logged in", () =>
    Effect.gen(function* () {
      const found = yield* look(
        ["/my-account/notifications", "/my-library/video-playlists"],
        yield* login("owner", "password1")
      )
      assert.deepStrictEqual(found, [])
    })
  )
})
