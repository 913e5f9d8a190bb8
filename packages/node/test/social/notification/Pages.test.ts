import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { PageCommentsLayer } from "../../../src/web-pages/data/PageCommentsLayer.ts"
import { layerServe } from "../../../src/platform/http/HttpServerLayer.ts"
import { PageInstanceLayer } from "../../../src/web-pages/data/PageInstanceLayer.ts"
import { PageSignupLayer } from "../../../src/web-pages/data/PageSignupLayer.ts"
import { NotificationTasks } from "../../../src/social/notification/NotificationTasks.ts"
import { PageUnsubscribeLayer } from "../../../src/web-pages/data/PageUnsubscribeLayer.ts"
import { PagesOnly } from "../../web-pages/support/PagesOnly.ts"
import { NotificationPageRoutes } from "../../../src/web-pages/NotificationPagesHttp.ts"
import { Pages } from "../../../src/web-pages/Pages.ts"
import { PageListsLayer } from "../../../src/web-pages/data/PageListsLayer.ts"
import { PagePlaylistsLayer } from "../../../src/web-pages/data/PagePlaylistsLayer.ts"
import { Sockets } from "../../../src/app/Sockets.ts"
import { PageActorsLayer } from "../../../src/web-pages/data/PageActorsLayer.ts"
import { PageVideosLayer } from "../../../src/web-pages/data/PageVideosLayer.ts"
import { VideoOrigins } from "../../../src/web-pages/VideoOrigins.ts"
import { login } from "../../instance/about/Client.ts"
import { baseUrl, testOptions, testRoutes, testServices } from "../../instance/about/TestNode.ts"
import { BuiltClient } from "../../web-pages/support/BuiltClient.ts"
import { Browser, newPage, sidewaysScroll, step, visit, waitFor } from "../../support/Browser.ts"
import { MailServer } from "../../support/MailServer.ts"
import { People } from "../../video/list/People.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { as, comment } from "./NotifiedNode.ts"

const pageServices = PagesOnly.pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      PageInstanceLayer,
      PageSignupLayer,
      PageActorsLayer,
      PageCommentsLayer,
      PageVideosLayer,
      VideoOrigins.layer,
      PageListsLayer,
      PagePlaylistsLayer,
      PageUnsubscribeLayer,
      BuiltClient
    )
  )
)

const routes = Layer.mergeAll(testRoutes, Sockets, Pages, NotificationPageRoutes).pipe(Layer.provide(pageServices))

const node = Layer.unwrap(
  Effect.map(MailServer, (server) =>
    People.layer.pipe(
      Layer.provideMerge(
        Layer.merge(layerServe(routes, testOptions), NotificationTasks).pipe(
          Layer.provideMerge(testServices(server.overrides))
        )
      )
    )
  )
).pipe(Layer.provideMerge(Layer.merge(MailServer.layer, Browser.layer)))

const phone = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }

/** Puts a session into the browser, as logging in does, and opens a page. */
const openAs = Effect.fnUntraced(function* (page: Page, username: string, path: string) {
  const { access_token, refresh_token } = yield* login(username, "password1")
  const base = yield* baseUrl
  yield* visit(page, `${base}/about`)
  const session = JSON.stringify({ access: access_token, refresh: refresh_token })
  yield* step("keep the session", () =>
    page.evaluate(`localStorage.setItem("kinora.session", ${JSON.stringify(session)})`)
  )
  yield* visit(page, base + path)
})

const count = "document.querySelector('.bell-count').textContent"

layer(node, { excludeTestServices: true, timeout: "120 seconds" })("Pages of notifications", (it) => {
  it.effect("a comment rings the bell of an open page within a second, while a mail lands", () =>
    Effect.gen(function* () {
      const server = yield* MailServer
      yield* as("owner", "PUT", "/api/v1/users/me/notification-settings", { newCommentOnMyVideo: 3 })
      const video = yield* addVideo({ owner: "owner" })
      const { page, problems } = yield* newPage(phone)
      yield* openAs(page, "owner", "/about")
      yield* waitFor(page, "!document.querySelector('[data-bell]').hidden")
      // The socket is there when it has asked for the count twice: once for itself, once when it is connected.
      yield* waitFor(
        page,
        "performance.getEntriesByType('resource').filter(({ name }) => name.includes('unread=true')).length > 1"
      )
      assert.strictEqual(yield* sidewaysScroll(page), 0)
      yield* comment("other", video.id, "Well done")
      yield* waitFor(page, `${count} === '1'`)
      const mail = yield* server.waitFor((it) => it.subject.includes("commented on"))
      assert.deepStrictEqual([...mail.to], ["owner@example.com"])

      yield* step("open the bell", () => page.getByRole("link", { name: "Notifications, 1 unread" }).click())
      yield* waitFor(page, "document.querySelectorAll('.bell-panel .unread').length === 1")
      assert.strictEqual(yield* sidewaysScroll(page), 0)
      yield* comment("other", video.id, "Really")
      yield* waitFor(page, "document.querySelectorAll('.bell-panel .unread').length === 2")
      yield* step("leave it", () => page.keyboard.press("Escape"))
      yield* waitFor(page, "document.querySelector('.bell-panel').hidden")
      yield* step("open it again", () => page.locator("[data-bell]").click())
      yield* waitFor(page, "document.querySelectorAll('.bell-panel .unread').length === 2")
      yield* step("follow the first", () => page.locator(".bell-panel .notice").first().click())
      yield* waitFor(page, "location.pathname.startsWith('/w/')")
      yield* waitFor(page, `${count} === '1'`)
      assert.deepStrictEqual(
        problems.filter((it) => it.includes("Content Security Policy")),
        []
      )
    }).pipe(Effect.scoped)
  )

  it.effect("the list is read, and what to be told of is chosen", () =>
    Effect.gen(function* () {
      const video = yield* addVideo({ owner: "owner" })
      for (let n = 0; n < 22; n++) yield* comment("other", video.id, `number ${n} <img src=x onerror=alert(1)>`)
      const { page, problems } = yield* newPage(phone)
      yield* openAs(page, "owner", "/my-account/notifications")
      yield* waitFor(page, "document.querySelectorAll('[data-notices] > li').length === 20")
      assert.strictEqual(yield* sidewaysScroll(page), 0)
      yield* step("more", () => page.getByRole("button", { name: "Show more" }).click())
      yield* waitFor(page, "document.querySelectorAll('[data-notices] > li').length > 21")
      yield* step("read all", () => page.getByRole("button", { name: "Mark all as read" }).click())
      yield* waitFor(
        page,
        "document.querySelectorAll('.unread').length === 0 && document.querySelector('.bell-count').hidden"
      )
      yield* step("choose", () => page.getByLabel("New followers: by mail").check())
      yield* waitFor(page, "document.querySelector('[data-settings-outcome]').textContent === 'Saved.'")
      const me = (yield* as("owner", "GET", "/api/v1/users/me")).json.notificationSettings
      assert.deepStrictEqual([me.newFollow, me.newCommentOnMyVideo], [3, 3])
      yield* comment("other", video.id, "at last")
      yield* waitFor(page, "document.querySelectorAll('[data-notices] .unread').length === 1")
      assert.deepStrictEqual(problems, [])
    }).pipe(Effect.scoped)
  )

  it.effect("a channel is followed beside its name, and its videos come", () =>
    Effect.gen(function* () {
      const { page, problems } = yield* newPage(phone)
      yield* openAs(page, "other", "/c/owner_channel")
      const button = page.getByRole("button", { name: "Subscribe", exact: true })
      yield* step("subscribe", () => button.click())
      yield* waitFor(page, "document.querySelector('button.subscribe').textContent === 'Subscribed'")
      assert.isTrue(
        (yield* as("other", "GET", "/api/v1/users/me/subscriptions/exist?uris=owner_channel")).json.owner_channel
      )
      const video = yield* addVideo({ owner: "owner" })
      yield* waitFor(page, `${count} === '1'`)
      const listed = (yield* as("other", "GET", "/api/v1/users/me/subscriptions/videos")).json
      assert.strictEqual(listed.data[0].uuid, video.uuid)
      yield* visit(page, `${yield* baseUrl}/w/${video.uuid}`)
      yield* step("unsubscribe", () => page.getByRole("button", { name: "Subscribed" }).click())
      yield* waitFor(page, "document.querySelector('button.subscribe').textContent === 'Subscribe'")
      assert.isFalse(
        (yield* as("other", "GET", "/api/v1/users/me/subscriptions/exist?uris=owner_channel")).json.owner_channel
      )
      assert.deepStrictEqual(
        problems.filter((it) => it.includes("Content Security Policy") || it.includes("thrown")),
        []
      )

      const stranger = yield* newPage({ viewport: { width: 1280, height: 800 } })
      yield* visit(stranger.page, `${yield* baseUrl}/c/owner_channel`)
      assert.strictEqual(yield* step("look", () => stranger.page.locator("a.subscribe").getAttribute("href")), "/login")
      assert.isFalse(yield* step("look", () => stranger.page.locator("[data-bell]").isVisible()))
    }).pipe(Effect.scoped)
  )
})
