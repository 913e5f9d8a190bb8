import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Follows } from "../../../src/federation/follow/Follows.ts"
import { followTasks } from "../../../src/federation/follow/FollowTasks.ts"
import { GroupHosts } from "../../../src/federation/follow/GroupHosts.ts"
import { bearer, login, send } from "../../instance/about/Client.ts"
import { rootPassword, testNode } from "../../instance/about/TestNode.ts"
import { actorId, farActor, type ShownFollow, told } from "./FarActors.ts"
import { eventually, farInstance } from "./FarInstance.ts"

const asRoot = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
  const { access_token } = yield* login("root", rootPassword)
  return yield* send(`/api/v1${path}`, {
    method,
    headers: { ...bearer(access_token).headers, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
})

const following = Effect.map(send("/api/v1/server/following"), ({ json }) => json.data as ReadonlyArray<ShownFollow>)

const jobState = Effect.fnUntraced(function* (type: string) {
  const sql = yield* SqlClient
  return yield* sql<{ state: string; error: string | null; result: unknown }>`
    select state, error, result from job where type = ${type} order by id`
})

/** Names of the videos that are kept. */
const kept = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ name: string }>`select name from video where remote order by name`
  return rows.map(({ name }) => name)
})

const working = followTasks.pipe(Layer.provideMerge(testNode()))

layer(working, { excludeTestServices: true, timeout: 60_000 })("following others", (it) => {
  it.effect("finds an instance by its host and asks it; once it accepts, reads what it published", () =>
    Effect.gen(function* () {
      const far = yield* farInstance
      const instance = far.actor("Application", "the-instance")
      const owner = far.actor("Person", "ann")
      const channel = far.actor("Group", "ann_channel", { attributedTo: [owner] })
      far.put("/.well-known/nodeinfo", {
        links: [{ rel: "https://www.w3.org/ns/activitystreams#Application", href: instance }]
      })
      const videos = [1, 2, 3, 4].map((n) => far.video(n, channel, owner))
      const share = (object: unknown) => ({ id: `${instance}/announces/1`, type: "Announce", actor: instance, object })
      const outbox = `${new URL(instance).pathname}/outbox`
      far.put(outbox, { type: "OrderedCollection", totalItems: 5, first: `${far.origin}${outbox}?page=1` })
      far.put(`${outbox}?page=1`, {
        type: "OrderedCollectionPage",
        orderedItems: [
          share(videos[0]),
          share({ id: videos[1], type: "Video" }),
          share(`${far.origin}/videos/watch/gone`),
          { type: "Like", actor: instance, object: videos[3] },
          "nothing"
        ],
        next: `${far.origin}${outbox}?page=2`
      })
      far.put(`${outbox}?page=2`, {
        type: "OrderedCollectionPage",
        orderedItems: [{ type: "Create", actor: instance, object: videos[2] }],
        next: "http://10.0.0.1/elsewhere"
      })

      assert.strictEqual((yield* asRoot("POST", "/server/following", { hosts: [far.host] })).status, 204)
      const [found] = yield* eventually(following, (it) => it.length === 1)
      assert.deepStrictEqual(
        [found!.state, found!.following.name, found!.following.host],
        ["pending", "the-instance", far.host]
      )
      assert.deepStrictEqual(yield* told, [`Follow ${instance} to ${instance}/inbox`])
      assert.deepStrictEqual(yield* kept, [])

      const sql = yield* SqlClient
      const [row] = yield* sql<{ url: string; target: number }>`
        select url, target_actor_id as target from actor_follow where state = 'pending'`
      assert.isTrue(yield* (yield* Follows).accepted({ id: row!.target }, row!.url))
      yield* eventually(kept, (it) => it.length === 3)
      const read = yield* eventually(
        jobState("activitypub-http-fetcher"),
        (it) => it.length === 3 && it.every(({ state }) => state === "completed")
      )
      assert.deepStrictEqual(
        read.map(({ result }) => result),
        [
          { videos: 0, refused: 0, unanswered: 0 },
          { videos: 2, refused: 1, unanswered: 0 },
          { videos: 1, refused: 0, unanswered: 0 }
        ]
      )
      assert.deepStrictEqual(yield* kept, ["Far video 1", "Far video 2", "Far video 3"])
      assert.strictEqual((yield* send("/api/v1/videos?search=Far")).json.total, 3)
      const [{ uuid }] = (yield* send("/api/v1/videos?search=Far")).json.data
      assert.strictEqual((yield* send(`/api/v1/videos/${uuid}`)).json.isLocal, false)
      yield* asRoot("DELETE", `/server/following/${far.host}`)
      // What is not followed any more is for those who may look others up.
      const strict = yield* send(`/api/v1/videos/${uuid}`)
      assert.deepStrictEqual([strict.status, strict.json.code], [403, "does_not_respect_follow_constraints"])
      assert.strictEqual((yield* asRoot("GET", `/videos/${uuid}`)).status, 200)
      // It is in no list of everybody's; who may look others up finds it where it belongs, and by its address.
      const total = (path: string) => Effect.map(send(`/api/v1${path}`), ({ json }) => json.total)
      yield* eventually(total("/videos"), (it) => it === 0)
      assert.strictEqual(yield* total("/search/videos?search=Far"), 0)
      const place = `/video-channels/ann_channel@${far.host}/videos`
      assert.strictEqual(yield* total(place), 0)
      assert.strictEqual((yield* asRoot("GET", place)).json.total, 3)
      const address = encodeURIComponent(`${far.origin}/videos/watch/00000000-0000-4000-8000-000000000001`)
      assert.strictEqual((yield* asRoot("GET", `/search/videos?search=${address}`)).json.total, 1)
      // What a user alone follows is that user's, and nobody else's.
      const followedBy = (name: string) => sql`
        insert into actor_follow (actor_id, target_actor_id, state, url)
        select f.id, t.id, 'accepted', ${`http://localhost:9000/follows/${name}`} from actor f, actor t
        where f.preferred_username = ${name}::citext and f.server_id is null and t.preferred_username = 'ann_channel'`
      yield* followedBy("root")
      const mine = Effect.map(asRoot("GET", "/users/me/subscriptions/videos"), ({ json }) => json.total)
      assert.strictEqual(yield* mine, 3)
      yield* eventually(sql`select 1 from listing_change`, (it) => it.length === 0)
      assert.strictEqual(yield* total("/videos"), 0)
      assert.strictEqual(yield* total("/search/videos?search=Far"), 0)
      assert.strictEqual((yield* asRoot("GET", "/videos")).json.total, 0)
      assert.strictEqual((yield* send(`/api/v1/videos/${uuid}`)).status, 403)
      // The instance that follows one of them again brings them back.
      const channels = total("/search/video-channels?search=ann_channel")
      assert.strictEqual(yield* channels, 0)
      yield* followedBy("peertube")
      yield* eventually(total("/videos"), (it) => it === 3)
      assert.strictEqual(yield* channels, 1)
      assert.strictEqual((yield* send(`/api/v1/videos/${uuid}`)).status, 200)
      yield* sql`delete from actor_follow`
    }).pipe(Effect.scoped)
  )

  it.effect("learns which of those that follow channels are servers of groups", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const far = yield* farInstance
      far.put("/.well-known/nodeinfo", {
        links: [
          { rel: "http://nodeinfo.diaspora.software/ns/schema/2.1", href: `${far.origin}/.well-known/nodeinfo/2.1` }
        ]
      })
      far.put("/.well-known/nodeinfo/2.1", { software: { name: "Lemmy", version: "1.0" } })
      const silent = "127.0.0.1:1"
      for (const host of [far.host, silent]) {
        const id = yield* farActor("reader", { type: "Person", host })
        yield* sql`
          insert into actor_follow (actor_id, target_actor_id, state, url)
          select ${id}, ${yield* actorId("root_channel")}, 'accepted', ${`http://${host}/f`}`
      }
      const { learn } = yield* Effect.provide(GroupHosts, GroupHosts.layer)
      yield* learn
      yield* learn
      assert.strictEqual(far.asked("/.well-known/nodeinfo/2.1"), 1, "it is asked once")
      const known = yield* sql`
        select s.host::text as host, s.software from server s where s.host in (${far.host}, ${silent}) order by s.software`
      assert.deepStrictEqual(known, [
        { host: far.host, software: "lemmy" },
        { host: silent, software: null }
      ])
      yield* sql`delete from actor_follow`
    }).pipe(Effect.scoped)
  )

  it.effect("subscribes to a channel by its handle, and not to what is none", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`delete from job`
      const far = yield* farInstance
      const owner = far.actor("Person", "ben")
      const channel = far.actor("Group", "ben_channel", { attributedTo: [owner] })
      const path = "/users/me/subscriptions"
      yield* told
      for (const uri of [`ben_channel@${far.host}`, `ben@${far.host}`, `nobody@${far.host}`]) {
        assert.strictEqual((yield* asRoot("POST", path, { uri })).status, 204)
      }
      const jobs = yield* eventually(jobState("activitypub-follow"), (it) =>
        it.every(({ state }) => state === "completed" || state === "failed" || state === "delayed")
      )
      assert.deepStrictEqual(
        jobs.map(({ error, state }) => [state, error === null]),
        [
          ["completed", true],
          ["failed", false],
          ["failed", false]
        ]
      )
      assert.deepStrictEqual(yield* told, [`Follow ${channel} to ${channel}/inbox`])
      assert.deepStrictEqual((yield* asRoot("GET", `${path}/exist?uris=ben_channel@${far.host}`)).json, {
        [`ben_channel@${far.host}`]: true
      })
      assert.strictEqual((yield* asRoot("GET", path)).json.total, 0)
      yield* sql`update actor_follow set state = 'accepted' where state = 'pending'`
      assert.strictEqual((yield* asRoot("GET", path)).json.data[0].host, far.host)
      assert.strictEqual((yield* asRoot("DELETE", `${path}/ben_channel@${far.host}`)).status, 204)
      assert.strictEqual((yield* told).length, 1)
      assert.strictEqual((yield* asRoot("DELETE", `${path}/ben_channel@${far.host}`)).status, 404)
    }).pipe(Effect.scoped)
  )

  it.effect("asks nobody any more who is not to be followed after all", () =>
    Effect.gen(function* () {
      const far = yield* farInstance
      far.actor("Person", "dan")
      const path = "/accounts/dan"
      yield* told
      const goOn = far.hold(path)
      assert.strictEqual((yield* asRoot("POST", "/server/following", { handles: [`dan@${far.host}`] })).status, 204)
      yield* eventually(
        Effect.sync(() => far.asked(path)),
        (times) => times === 1
      )
      assert.strictEqual((yield* asRoot("DELETE", `/server/following/dan@${far.host}`)).status, 204)
      goOn()
      // The actor is kept, and nothing is asked of it.
      yield* eventually(send(`/api/v1/accounts/dan@${far.host}`), ({ status }) => status === 200)
      const after = yield* asRoot("POST", "/server/following", { handles: [`nobody@${far.host}`] })
      assert.strictEqual(after.status, 204)
      yield* eventually(jobState("activitypub-follow"), (it) => it.at(-1)?.state === "failed")
      assert.deepStrictEqual(yield* told, [])
      assert.deepStrictEqual(yield* following, [])
    }).pipe(Effect.scoped)
  )

  it.effect("finds by address or handle what is searched for, and keeps it", () =>
    Effect.gen(function* () {
      const far = yield* farInstance
      const owner = far.actor("Person", "cat")
      const channel = far.actor("Group", "cat_channel", { attributedTo: [owner] })
      const video = far.video(7, channel, owner)
      const find = (kind: string, search: string) =>
        Effect.map(asRoot("GET", `/search/${kind}?search=${encodeURIComponent(search)}`), ({ json }) => json.total)
      assert.strictEqual((yield* send(`/api/v1/search/videos?search=${encodeURIComponent(video)}`)).json.total, 0)
      assert.strictEqual(far.asked(new URL(video).pathname), 0, "nobody asks for who has not logged in")
      assert.strictEqual(yield* find("videos", video), 1)
      assert.strictEqual(yield* find("videos", video), 1)
      assert.strictEqual(far.asked(new URL(video).pathname), 1)
      assert.strictEqual(yield* find("video-channels", `@cat_channel@${far.host}`), 1)
      assert.strictEqual(yield* find("videos", `cat_channel@${far.host}`), 1)

      const playlistPath = "/video-playlists/00000000-0000-4000-8000-00000000000a"
      const playlist = far.origin + playlistPath
      const collection = { type: "Playlist", name: "Far list", attributedTo: [channel] }
      const everybody = { to: ["https://www.w3.org/ns/activitystreams#Public"], totalItems: 1 }
      const element = far.put(`${playlistPath}/videos/1`, { type: "PlaylistElement", url: video, position: 1 })
      far.put(playlistPath, { ...collection, ...everybody, first: `${playlist}?page=1` })
      far.put(`${playlistPath}?page=1`, { ...collection, partOf: playlist, orderedItems: [element] })
      assert.strictEqual(yield* find("video-playlists", playlist), 1)

      const other = far.actor("Group", "dog_channel", { attributedTo: [owner] })
      assert.strictEqual(yield* find("video-channels", other), 1)
      const third = far.actor("Group", "eel_channel", { attributedTo: [owner] })
      assert.strictEqual(yield* find("video-channels", `eel_channel@${far.host}`), 1)
      assert.strictEqual((yield* send(`/api/v1/video-channels/eel_channel@${far.host}`)).json.url, third)
      for (const nothing of [`${far.origin}/videos/watch/none`, "http://10.0.0.1/x", `@none@${far.host}`]) {
        assert.strictEqual(yield* find("videos", nothing), 0)
        assert.strictEqual(yield* find("video-channels", nothing), 0)
      }
      assert.strictEqual(yield* find("video-playlists", `${far.origin}/video-playlists/none`), 0)
    }).pipe(Effect.scoped)
  )
})
