import { assert, layer } from "@effect/vitest"
import { toShortUuid } from "@kinora/domain/ids/ShortUuid"
import { Sitemap } from "@kinora/storage/instance/installation/Sitemap"
import { InstanceProfile } from "@kinora/storage/federation/activitypub/InstanceProfile"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomUUID } from "node:crypto"
import { sitemapXml } from "../../../src/instance/discovery/SitemapXml.ts"
import { bearer, login, send } from "../../instance/about/Client.ts"
import { Outbox } from "../../../src/federation/outbox/Outbox.ts"
import { rootPassword } from "../../instance/about/TestNode.ts"
import { sendJson } from "../../people/me/Changes.ts"
import { addVideo, type TestVideo } from "../../video/list/Videos.ts"
import { federatedNode, readableNode } from "./FederatedNode.ts"
import { activityJson, addComment, addStranger, headOf, origin, pathOf, read } from "./Reading.ts"
import { rate, rateByAll } from "../../../../storage/test/support/Ratings.ts"
import { approveComment } from "../../../../storage/test/support/LocalComments.ts"
import { refreshSearch } from "@kinora/storage/video/read/SearchUpkeep"

const watch = ({ uuid }: TestVideo): string => `/videos/watch/${uuid}`
const parts = ["activity", "chapters", "player-settings", "announces", "likes", "dislikes", "comments"]

const status = (path: string) => Effect.map(read(path), (answer) => answer.status)

/** A public playlist of root's, or one of another privacy outside of the channel; gives its UUID and path. */
const addPlaylist = Effect.fn("addPlaylist")(function* (privacy: number, videos: ReadonlyArray<number>) {
  const sql = yield* SqlClient
  const uuid = randomUUID()
  const position = (yield* sql`select 1 from video_playlist where channel_id is not null`).length + 1
  yield* sql`
    insert into video_playlist (uuid, url, name, privacy, owner_account_id, channel_id, channel_position)
    select ${uuid}, ${`${origin}/video-playlists/${uuid}`}, 'List', ${privacy}, account_id,
      case when ${privacy} = 1 then id end, case when ${privacy} = 1 then ${position}::int end from video_channel`
  yield* sql`
    insert into video_playlist_element (playlist_id, video_id, position, start_timestamp)
    select p.id, v.id, v.n, 3 from video_playlist p, unnest(${videos}::int[]) with ordinality v (id, n)
    where p.uuid = ${uuid}`
  const elements = yield* sql<{ id: number }>`
    select e.id from video_playlist_element e join video_playlist p on p.id = e.playlist_id
    where p.uuid = ${uuid} order by position`
  return { uuid, path: `/video-playlists/${uuid}`, elements: elements.map(({ id }) => id) }
}, Effect.orDie)

layer(federatedNode(), { excludeTestServices: true })("What others may read", (it) => {
  it.effect("says what people want to be found by, and they are found by nothing else (FEP-5feb)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const video = yield* addVideo({ owner: "root" })
      const watched = `/w/${toShortUuid(video.uuid)}`
      yield* sql`update video set name = 'Quetzalcoatl' where id = ${video.id}`
      const follower = yield* addStranger("listener")
      yield* sql`
        insert into actor_follow (actor_id, target_actor_id, state, url)
        select ${follower.actor}, id, 'accepted', 'https://elsewhere.example/f' from actor where preferred_username = 'root'`
      const { access_token } = yield* login("root", rootPassword)
      const put = (path: string, body: unknown) => sendJson("PUT", `/api/v1${path}`, access_token, body)
      const get = (path: string) => Effect.map(send(`/api/v1${path}`, bearer(access_token)), ({ json }) => json.total)
      const page = (path: string) => Effect.map(send(path, { headers: { accept: "text/html" } }), ({ text }) => text)
      const flags = (path: string) => Effect.map(read(path), ({ json }) => [json.indexable, json.discoverable] as const)
      const found = get("/search/videos?search=quetzalcoatl")
      /** As the task of read models does, within seconds. */
      const settle = refreshSearch(sql)(100)
      const all = [found, get("/users/me/videos?search=quetzalcoatl"), get("/search/video-channels?search=root")]
      const counts = Effect.andThen(settle, Effect.all([...all, get("/accounts"), get("/video-channels")]))
      const sitemap = yield* Effect.provide(Sitemap, Sitemap.layer)
      const shown = Effect.gen(function* () {
        // As the site map is made: it is kept for a while.
        const text = sitemapXml(origin, yield* sitemap.rows(100))
        const noindex = (html: string) => html.includes('<meta name="robots" content="noindex"')
        const pages = yield* Effect.forEach([watched, "/a/root", "/c/root_channel"], page)
        return [
          ...pages.map(noindex),
          text.includes(watched),
          text.includes("/a/root/videos<"),
          text.includes("/c/root_channel/videos<")
        ]
      })
      const accounts = yield* get("/accounts")
      const open = [1, 1, 1, accounts, 1]
      assert.deepStrictEqual(yield* counts, open)
      const shownToAll = [false, false, false, true, true, true]
      assert.deepStrictEqual(yield* shown, shownToAll)

      assert.strictEqual((yield* put("/users/me", { indexable: "perhaps" })).status, 400)
      assert.strictEqual((yield* put("/users/me", { indexable: false, discoverable: false })).status, 204)
      assert.deepStrictEqual(yield* flags("/accounts/root"), [false, false])
      assert.deepStrictEqual(yield* flags("/video-channels/root_channel"), [true, true])
      yield* (yield* Outbox).drain
      const [told] = yield* sql<{ type: string; indexable: boolean }>`
        select type, (body -> 'object' ->> 'indexable')::boolean as indexable from activity where type = 'Update'
          and body ->> 'actor' = ${`${origin}/accounts/root`} order by id desc limit 1`
      assert.deepStrictEqual(told, { type: "Update", indexable: false })
      assert.deepStrictEqual(yield* counts, [0, 1, 1, accounts - 1, 1])
      assert.deepStrictEqual(yield* shown, [true, true, false, false, false, true])
      assert.strictEqual(yield* get(`/search/videos?search=${encodeURIComponent(`${origin}${watch(video)}`)}`), 1)
      assert.strictEqual(yield* get("/videos"), 1, "lists are no search")

      assert.strictEqual((yield* put("/users/me", { indexable: true, discoverable: true })).status, 204)
      const channel = "/video-channels/root_channel"
      assert.strictEqual((yield* put(channel, { indexable: 3 })).status, 400)
      assert.strictEqual((yield* put(channel, { indexable: false, discoverable: false })).status, 204)
      assert.deepStrictEqual(yield* flags(channel), [false, false])
      assert.deepStrictEqual(yield* counts, [0, 1, 0, accounts, 0])
      assert.strictEqual(yield* get("/search/video-channels?search=@root_channel@localhost:9000"), 1)
      assert.deepStrictEqual(yield* shown, [true, false, true, false, true, false])
      assert.strictEqual((yield* put(channel, { indexable: true, discoverable: true, support: "Thanks" })).status, 204)
      assert.deepStrictEqual([yield* counts, yield* shown], [open, shownToAll])
      yield* sql`delete from video where id = ${video.id}`
    })
  )

  it.effect("tells of the instance what it is configured to be", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const profile = yield* Effect.provide(InstanceProfile, InstanceProfile.layer)
      yield* profile.set({ name: "Our films", description: "By all of us" })
      yield* sql`
        insert into actor_image (actor_id, type, filename, width, height)
        select id, t, 'sign' || t || '.png', 120, 120 from actor, generate_series(1, 2) t where preferred_username = 'peertube'`
      const { json } = yield* read("/accounts/peertube")
      assert.deepInclude(json, { type: "Application", name: "Our films", summary: "By all of us" })
      assert.deepStrictEqual(
        [json.icon[0].url, json.image[0].url],
        [`${origin}/lazy-static/avatars/sign1.png`, `${origin}/lazy-static/banners/sign2.png`]
      )
      yield* profile.set({ name: "peertube", description: "" })
      assert.deepInclude((yield* read("/accounts/peertube")).json, { name: "peertube", summary: null })
    })
  )

  it.effect("is chosen by what they accept", () =>
    Effect.gen(function* () {
      const video = yield* addVideo({ owner: "root" })
      const comment = yield* addComment(video.id, "Hello")
      const playlist = yield* addPlaylist(1, [video.id])
      const shared = [
        ["/accounts/root", 200],
        ["/accounts/root/video-channels", 200],
        ["/a/root", 200],
        ["/a/root@localhost:9000", 200],
        ["/account/root", 302],
        ["/@root", 200],
        ["/@root_channel@localhost:9000", 200],
        ["/video-channels/root_channel", 200],
        ["/video-channels/root_channel/videos", 200],
        ["/c/root_channel", 200],
        [watch(video), 200],
        [`/w/${video.uuid}`, 200],
        [`/w/${video.uuid};threadId=${comment}`, 200],
        [`${watch(video)}/comments/${comment}`, 302],
        [playlist.path, 302],
        [`/videos/watch/playlist/${playlist.uuid}`, 200],
        [`/w/p/${playlist.uuid}`, 200]
      ] as const
      for (const [path, asPage] of shared) {
        const object = yield* read(path)
        assert.strictEqual(object.status, 200, path)
        assert.strictEqual(object.headers.get("content-type"), `${activityJson}; charset=utf-8`, path)
        assert.match(object.headers.get("vary") ?? "", /^Accept(?:,|$)/, path)
        assert.strictEqual(object.headers.get("access-control-allow-origin"), "*", path)
        const page = yield* read(path, "text/html")
        assert.strictEqual(page.status, asPage, path)
        assert.match(page.headers.get("vary") ?? "", /^Accept(?:,|$)/, path)
        assert.notInclude(page.headers.get("content-type") ?? "", "activity")
      }
      assert.strictEqual((yield* read(`/w/${video.uuid};threadId=${comment}`)).json.type, "Note")
      assert.strictEqual(
        (yield* read(playlist.path, "text/html")).headers.get("location"),
        `/w/p/${playlist.uuid}`,
        "people get the page"
      )

      const table: ReadonlyArray<readonly [accept: string, activity: boolean]> = [
        [activityJson, true],
        ["application/ld+json", true],
        ['application/ld+json; profile="https://www.w3.org/ns/activitystreams"', true],
        [`${activityJson}, application/ld+json`, true],
        [`${activityJson};q=0.9, text/html;q=0.8`, true],
        ["APPLICATION/ACTIVITY+JSON", true],
        ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", false],
        [`text/html, ${activityJson}`, false],
        ["*/*", false],
        ["application/json", false],
        [`${activityJson};q=0`, false]
      ]
      for (const [accept, activity] of table) {
        const { headers } = yield* read(watch(video), accept)
        assert.strictEqual((headers.get("content-type") ?? "").startsWith(activityJson), activity, accept)
      }

      const whole = yield* read(watch(video))
      const etag = whole.headers.get("etag")!
      const again = yield* send(watch(video), { headers: { accept: activityJson, "if-none-match": etag } })
      assert.deepStrictEqual([again.status, again.text], [304, ""])
      assert.notStrictEqual((yield* read(watch(video), "text/html")).headers.get("etag"), etag)
      const head = yield* headOf(watch(video))
      assert.deepStrictEqual(head, { status: 200, text: "", type: `${activityJson}; charset=utf-8` })
      // What is no page is told to whoever asks.
      assert.strictEqual((yield* read("/accounts/root/outbox", "*/*")).json.type, "OrderedCollection")
    })
  )

  it.effect("of videos is what is public or unlisted, ready, and taken away by nobody", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const cases: ReadonlyArray<
        readonly [what: string, options: Parameters<typeof addVideo>[0], unfederated: boolean, expected: number]
      > = [
        ["public", { owner: "root" }, false, 200],
        ["unlisted", { owner: "root", privacy: 2 }, false, 200],
        ["a waiting live", { owner: "root", state: 4 }, false, 200],
        ["an ended live", { owner: "root", state: 5 }, false, 200],
        ["private", { owner: "root", privacy: 3 }, false, 404],
        ["internal", { owner: "root", privacy: 4 }, false, 404],
        ["with a password", { owner: "root", privacy: 5, passwords: ["x"] }, false, 404],
        ["in preparation", { owner: "root", state: 2 }, false, 404],
        ["failed", { owner: "root", state: 7 }, false, 404],
        ["edited", { owner: "root", state: 9 }, false, 404],
        ["blocked", { owner: "root", blacklisted: true }, false, 404],
        ["blocked and unfederated", { owner: "root", blacklisted: true }, true, 404]
      ]
      for (const [what, options, unfederated, expected] of cases) {
        const video = yield* addVideo(options)
        const comment = yield* addComment(video.id, "Hello")
        yield* rateByAll(video.id, "like")
        if (unfederated) yield* sql`update video_blacklist set unfederated = true where video_id = ${video.id}`
        const below = [
          ...parts,
          `comments/${comment}`,
          `comments/${comment}/activity`,
          `comments/${comment}/approve-reply`
        ]
        const paths = [
          watch(video),
          ...below.map((part) => `${watch(video)}/${part}`),
          `/accounts/root/likes/${video.uuid}`
        ]
        for (const path of paths) assert.strictEqual(yield* status(path), expected, `${what}: ${path}`)
        const found = yield* sql<{ federated: boolean }>`select video_is_federated(${video.id}) as federated`
        // Copies elsewhere stay when a moderator wants them to.
        assert.strictEqual(found[0]!.federated, expected === 200 || what === "blocked", what)

        if (options.privacy === 2) {
          const { json } = yield* read(watch(video))
          assert.deepStrictEqual([json.to, json.cc], [[], []], "nobody is told of it")
          assert.strictEqual((yield* read(`${watch(video)}/announces`)).json.totalItems, 0)
          assert.strictEqual((yield* read(`${watch(video)}/activity`)).json.to.length, 0)
          assert.strictEqual(yield* status(`/videos/watch/${video.id}`), 404, "row ids can be counted through")
          assert.strictEqual(yield* status(`/accounts/root/likes/${video.id}`), 404)
        }
        const outboxes = ["/accounts/root", "/video-channels/root_channel", "/accounts/peertube"]
        for (const actor of outboxes) {
          const { text } = yield* read(`${actor}/outbox?page=1&size=50`)
          assert.strictEqual(text.includes(video.uuid), what === "public", `${what}: ${actor}`)
        }
      }
      for (const nothing of ["/videos/watch/nothing", "/w/123456789", `/videos/watch/${randomUUID()}`]) {
        assert.strictEqual(yield* status(nothing), 404, nothing)
      }
    })
  )

  it.effect("of comments is what does not wait for review, below its own video", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const video = yield* addVideo({ owner: "root" })
      const other = yield* addVideo({ owner: "root" })
      yield* sql`update video set comments_policy = 3 where id = ${video.id}`
      const held = yield* addComment(video.id, "Waits", { trusted: false })
      const path = `${watch(video)}/comments/${held}`
      for (const part of ["", "/activity", "/approve-reply"]) assert.strictEqual(yield* status(path + part), 404)
      assert.strictEqual((yield* read(`${watch(video)}/comments?page=1`)).json.orderedItems.length, 0)
      yield* approveComment(held)
      for (const part of ["", "/activity", "/approve-reply"]) assert.strictEqual(yield* status(path + part), 200)
      assert.deepStrictEqual((yield* read(`${watch(video)}/comments?page=1`)).json.orderedItems, [origin + path])
      for (const wrong of [
        `${watch(other)}/comments/${held}`,
        `${watch(video)}/comments/x`,
        `${watch(video)}/comments/0`
      ]) {
        assert.strictEqual(yield* status(wrong), 404, wrong)
      }
    })
  )

  it.effect("comes in pages", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const video = yield* addVideo({ owner: "root" })
      const strangers = yield* Effect.forEach(
        Array.from({ length: 12 }, (_, n) => `fan${n}`),
        addStranger
      )
      const actors = strangers.map(({ actor }) => actor)
      yield* sql`
        insert into actor_follow (actor_id, target_actor_id, state)
        select a.id, c.actor_id, case when a.n = 12 then 'pending' else 'accepted' end
        from unnest(${actors}::int[]) with ordinality a (id, n), video_channel c`
      for (const { account } of strangers) {
        yield* rate(account, video.id, "like")
        yield* addComment(video.id, "Hello", { account })
      }

      const lists: ReadonlyArray<readonly [url: string, total: number, first: string]> = [
        ["/video-channels/root_channel/followers", 11, "https://elsewhere.example/users/fan0"],
        [`${watch(video)}/likes`, 12, `https://elsewhere.example/users/fan0/likes/${video.id}`],
        [`${watch(video)}/comments`, 12, `${origin}${watch(video)}/comments/`]
      ]
      for (const [path, total, first] of lists) {
        const url = origin + path
        const root = (yield* read(path)).json
        delete root["@context"]
        assert.deepStrictEqual(root, { id: url, type: "OrderedCollection", totalItems: total, first: `${url}?page=1` })
        const one = (yield* read(pathOf(root.first))).json
        assert.deepInclude(one, {
          id: `${url}?page=1`,
          type: "OrderedCollectionPage",
          partOf: url,
          next: `${url}?page=2`,
          totalItems: total
        })
        assert.notProperty(one, "prev")
        assert.lengthOf(one.orderedItems, 10)
        assert.isTrue(one.orderedItems[0].startsWith(first), one.orderedItems[0])
        const two = (yield* read(pathOf(one.next))).json
        assert.deepInclude(two, { prev: `${url}?page=1` })
        assert.notProperty(two, "next")
        assert.lengthOf(two.orderedItems, total - 10)
        assert.lengthOf(new Set([...one.orderedItems, ...two.orderedItems]), total, path)
        assert.deepStrictEqual((yield* read(`${path}?page=900000`)).json.orderedItems, [])
        for (const page of ["0", "-1", "x", "1e9", ""]) {
          assert.strictEqual(yield* status(`${path}?page=${page}`), 400, page)
        }
      }
      const mine = yield* read("/accounts/root/following")
      assert.deepInclude(mine.json, { totalItems: 0 })
      assert.notProperty(mine.json, "first")

      const outbox = "/video-channels/root_channel/outbox"
      const { totalItems } = (yield* read(outbox)).json
      const listed = yield* sql<{ count: number }>`select count(*)::int as count from video where visible = 2`
      assert.strictEqual(totalItems, listed[0]!.count)
      const small = (yield* read(`${outbox}?page=1&size=1`)).json
      assert.strictEqual(small.orderedItems.length, 1)
      assert.strictEqual(small.next, `${origin}${outbox}?page=2&size=1`)
      assert.strictEqual(small.orderedItems[0].object, origin + watch(video), "the newest first")
      const created = (yield* read("/accounts/root/outbox?page=1&size=1")).json.orderedItems[0]
      assert.deepInclude(created, { type: "Create", actor: `${origin}/accounts/root` })
      assert.strictEqual(created.object.id, origin + watch(video))
      for (const size of ["0", "51", "x"]) assert.strictEqual(yield* status(`${outbox}?page=1&size=${size}`), 400, size)
    })
  )

  it.effect("of playlists is what is public or unlisted, with the videos that are", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const video = yield* addVideo({ owner: "root" })
      const secret = yield* addVideo({ owner: "root", privacy: 3 })
      const list = yield* addPlaylist(1, [video.id, secret.id])
      const { json } = yield* read(list.path)
      const url = origin + list.path
      assert.deepInclude(json, {
        type: "Playlist",
        id: url,
        name: "List",
        totalItems: 2,
        first: `${url}?page=1`,
        attributedTo: [`${origin}/video-channels/root_channel`],
        audience: `${origin}/video-channels/root_channel`,
        to: ["https://www.w3.org/ns/activitystreams#Public"]
      })
      const page = (yield* read(`${list.path}?page=1`)).json
      assert.deepInclude(page, { type: "Playlist", id: `${url}?page=1`, partOf: url, name: "List" })
      assert.notProperty(page, "next")
      assert.deepStrictEqual(page.orderedItems, [`${url}/videos/${list.elements[0]}`])
      const element = (yield* read(pathOf(page.orderedItems[0]))).json
      assert.deepInclude(element, {
        type: "PlaylistElement",
        url: origin + watch(video),
        position: 1,
        startTimestamp: 3
      })
      assert.strictEqual(yield* status(`${list.path}/videos/${list.elements[1]}`), 404, "of a private video")
      assert.strictEqual(yield* status(`${list.path}?page=0`), 400)

      const unlisted = yield* addPlaylist(2, [video.id])
      const hidden = yield* addPlaylist(3, [video.id])
      assert.deepStrictEqual([yield* status(unlisted.path), yield* status(hidden.path)], [200, 404])
      assert.strictEqual(yield* status(`${hidden.path}/videos/${hidden.elements[0]}`), 404)
      const rows = yield* sql<{ id: number }>`select id from video_playlist where uuid = ${unlisted.uuid}`
      assert.strictEqual(yield* status(`/video-playlists/${rows[0]!.id}`), 404, "row ids can be counted through")
      for (const owner of ["/accounts/root", "/video-channels/root_channel"]) {
        const { json } = yield* read(`${owner}/playlists?page=1`)
        assert.include(json.orderedItems, url, owner)
        for (const { uuid } of [unlisted, hidden]) assert.notInclude(JSON.stringify(json), uuid)
      }
    })
  )

  it.effect("is redirected to where it belongs", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const stranger = yield* addStranger("moved")
      const mine = yield* addVideo({ owner: "root" })
      const theirs = yield* addVideo({ owner: "root" })
      const there = "https://elsewhere.example/videos/watch/1"
      yield* sql`update video set remote = true, url = ${there} where id = ${theirs.id}`
      const comment = yield* addComment(mine.id, "Hello", { account: stranger.account })
      yield* sql`update video_comment set url = 'https://elsewhere.example/notes/9' where id = ${comment}`
      const expected: ReadonlyArray<readonly [path: string, location: string]> = [
        ["/accounts/moved@elsewhere.example", "https://elsewhere.example/users/moved"],
        [watch(theirs), there],
        [`${watch(theirs)}/activity`, there],
        [`${watch(theirs)}/likes?page=1`, there],
        [`${watch(mine)}/comments/${comment}`, "https://elsewhere.example/notes/9"]
      ]
      for (const [path, location] of expected) {
        const answer = yield* read(path)
        assert.deepStrictEqual([answer.status, answer.headers.get("location")], [302, location], path)
      }
      for (const path of ["/accounts/nobody@elsewhere.example", "/accounts/moved", "/accounts/nobody/outbox"]) {
        assert.strictEqual(yield* status(path), 404, path)
      }

      const own = yield* addComment(theirs.id, "From here")
      const note = yield* read(`${watch(theirs)}/comments/${own}`)
      assert.deepInclude(note.json, { type: "Note", inReplyTo: there, replyApproval: null })
      yield* sql`update video_comment set reply_approval_url = 'https://elsewhere.example/ok' where id = ${own}`
      assert.strictEqual(
        (yield* read(`${watch(theirs)}/comments/${own}`)).json.replyApproval,
        "https://elsewhere.example/ok"
      )
      assert.strictEqual(yield* status(`${watch(theirs)}/comments/${own}/approve-reply`), 404, "theirs to give")
      yield* rateByAll(theirs.id, "like")
      assert.strictEqual((yield* read(`/accounts/root/likes/${theirs.id}`)).json.object, there)
    })
  )
})

layer(readableNode({ federation: { enabled: false } }), { excludeTestServices: true })("No federation", (it) => {
  it.effect("answers nothing but pages", () =>
    Effect.gen(function* () {
      const video = yield* addVideo({ owner: "root" })
      const paths = [
        "/accounts/root",
        "/c/root_channel",
        "/accounts/root/outbox",
        watch(video),
        `${watch(video)}/likes`
      ]
      for (const path of paths) assert.strictEqual(yield* status(path), 403, path)
      assert.strictEqual((yield* read(watch(video), "text/html")).status, 200)
    })
  )
})
