import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import sharp from "sharp"
import { send } from "../../instance/about/Client.ts"
import { peopledNode } from "../../video/list/People.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { ask, elements, make, playlist, playlists, put } from "./PlaylistClient.ts"
import { refreshSearch } from "@kinora/storage/video/read/SearchUpkeep"

const channelOf = Effect.fn("channelOf")(function* (username: string) {
  const sql = yield* SqlClient
  const rows = yield* sql<{ id: number; name: string }>`
    select c.id, ca.preferred_username::text as name from app_user u join account a on a.user_id = u.id
    join video_channel c on c.account_id = a.id join actor ca on ca.id = c.actor_id
    where u.username = ${username} order by c.id limit 1`
  return rows[0]!
})

const collaborate = Effect.fn("collaborate")(function* (channelId: number, username: string) {
  const sql = yield* SqlClient
  yield* sql`
    insert into video_channel_collaborator (channel_id, account_id, state)
    select ${channelId}::int, a.id, 2 from app_user u join account a on a.user_id = u.id where u.username = ${username}
    on conflict do nothing`
})

const names = (list: { readonly data: ReadonlyArray<{ readonly displayName: string }> }) =>
  list.data.map(({ displayName }) => displayName)

const picture = Effect.promise(() =>
  sharp({ create: { width: 400, height: 300, channels: 3, background: "#ff0000" } })
    .jpeg()
    .toBuffer()
)

const form = (fields: Readonly<Record<string, string>>, file?: Buffer): FormData => {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  if (file !== undefined) data.append("thumbnailfile", new Blob([new Uint8Array(file)]), "picture.jpg")
  return data
}

layer(peopledNode, { excludeTestServices: true, timeout: 120_000 })("playlists", (it) => {
  it.effect("gives each user a Watch later, which stays as it is and is told to nobody", () =>
    Effect.gen(function* () {
      const me = (yield* ask("owner", "GET", "/users/me")).json
      assert.deepStrictEqual(
        me.specialPlaylists.map(({ name, type }: { name: string; type: number }) => [name, type]),
        [["Watch later", 2]]
      )
      const [{ id }] = me.specialPlaylists
      const later = yield* playlist(id)
      assert.deepInclude(later, {
        displayName: "Watch later",
        type: { id: 2, label: "Watch later" },
        privacy: { id: 3, label: "Private" },
        videoChannel: null,
        thumbnailPath: null,
        videoLength: 0,
        videosLength: 0,
        url: `http://localhost:9000/video-playlists/${later.uuid}`
      })
      for (const [method, body] of [
        ["PUT", { displayName: "Never" }],
        ["PUT", { privacy: 2 }],
        ["DELETE", undefined]
      ] as const) {
        assert.strictEqual((yield* ask("owner", method, `/video-playlists/${id}`, body)).status, 400)
      }
      for (const [who, uuid, byId] of [
        ["anonymous", 401, 404],
        ["other", 403, 404],
        ["administrator", 403, 404]
      ] as const) {
        assert.strictEqual((yield* ask(who, "GET", `/video-playlists/${later.uuid}`)).status, uuid)
        assert.strictEqual((yield* ask(who, "GET", `/video-playlists/${id}/videos`)).status, byId)
      }
      const mine = yield* playlists("/accounts/owner/video-playlists?playlistType=2", "owner")
      assert.deepStrictEqual(mine.data, [later])
      assert.strictEqual((yield* playlists("/accounts/owner/video-playlists?playlistType=2", "other")).total, 0)
    })
  )

  it.effect("makes, changes and deletes a playlist; who may not see it learns what they may", () =>
    Effect.gen(function* () {
      const channel = yield* channelOf("owner")
      const { id, shortUUID, uuid } = yield* make({ displayName: "Mine" })
      assert.deepInclude(yield* playlist(uuid), {
        displayName: "Mine",
        description: null,
        privacy: { id: 3, label: "Private" }
      })
      const change = (body: Readonly<Record<string, unknown>>, who: "owner" | "other" | "moderator" = "owner") =>
        Effect.map(ask(who, "PUT", `/video-playlists/${id}`, body), ({ status }) => status)

      assert.strictEqual(yield* change({ privacy: 1 }), 400)
      assert.strictEqual(yield* change({ privacy: 2, description: "About it" }), 204)
      assert.strictEqual((yield* playlist(shortUUID, "anonymous")).description, "About it")
      assert.strictEqual((yield* ask("anonymous", "GET", `/video-playlists/${id}`)).status, 404)
      assert.strictEqual((yield* ask("other", "GET", `/video-playlists/${id}/videos`)).status, 404)
      assert.strictEqual((yield* ask("other", "PUT", `/video-playlists/${uuid}`, { displayName: "No" })).status, 403)
      assert.strictEqual(yield* change({ displayName: "No" }, "other"), 404)

      assert.strictEqual(yield* change({ privacy: 1, videoChannelId: channel.id }), 204)
      assert.deepInclude(yield* playlist(id, "anonymous"), {
        videoChannelPosition: 1,
        privacy: { id: 1, label: "Public" }
      })
      assert.deepStrictEqual(names(yield* playlists("/video-playlists")), ["Mine"])
      assert.deepStrictEqual(names(yield* playlists(`/video-channels/${channel.name}/video-playlists`)), ["Mine"])
      assert.strictEqual(yield* change({ displayName: "No" }, "other"), 403)
      assert.strictEqual(yield* change({ displayName: "No" }, "moderator"), 403)
      assert.strictEqual(yield* change({ videoChannelId: null }), 400)
      assert.strictEqual(yield* change({ videoChannelId: null, privacy: 3, description: null }), 204)
      assert.deepInclude(yield* playlist(id), { videoChannel: null, videoChannelPosition: null, description: null })
      assert.strictEqual((yield* playlists("/video-playlists")).total, 0)

      assert.strictEqual((yield* ask("other", "DELETE", `/video-playlists/${uuid}`)).status, 403)
      assert.strictEqual((yield* ask("owner", "DELETE", `/video-playlists/${uuid}`)).status, 204)
      assert.strictEqual((yield* ask("owner", "GET", `/video-playlists/${uuid}`)).status, 404)
      assert.strictEqual((yield* ask("owner", "DELETE", `/video-playlists/${uuid}`)).status, 404)
    })
  )

  it.effect("names every field that is wrong, and refuses channels of others", () =>
    Effect.gen(function* () {
      const wrong = { displayName: " ", privacy: 4, description: "ab", videoChannelId: "x" }
      const refused = yield* ask("owner", "POST", "/video-playlists", wrong)
      assert.strictEqual(refused.status, 400)
      assert.sameMembers(Object.keys(refused.json["invalid-params"]), Object.keys(wrong))
      for (const displayName of [undefined, "a\u202eb", "x".repeat(121)]) {
        assert.strictEqual((yield* ask("owner", "POST", "/video-playlists", { displayName })).status, 400)
      }
      const other = yield* channelOf("other")
      const inChannel = (videoChannelId: number) =>
        Effect.map(
          ask("owner", "POST", "/video-playlists", { displayName: "Theirs", privacy: 1, videoChannelId }),
          ({ status }) => status
        )
      assert.strictEqual(yield* inChannel(other.id), 403)
      assert.strictEqual(yield* inChannel(2_000_000), 404)
      assert.strictEqual(
        (yield* ask("owner", "POST", "/video-playlists", { displayName: "No", privacy: 1 })).status,
        400
      )
      assert.strictEqual((yield* ask("anonymous", "POST", "/video-playlists", { displayName: "No" })).status, 401)
      assert.strictEqual((yield* ask("owner", "GET", "/video-playlists/nothing")).status, 400)
      const elsewhere = yield* make({ displayName: "From elsewhere", privacy: 2 })
      const sql = yield* SqlClient
      yield* sql`update video_playlist set remote = true where id = ${elsewhere.id}`
      for (const method of ["PUT", "DELETE"] as const) {
        assert.strictEqual((yield* ask("owner", method, `/video-playlists/${elsewhere.uuid}`)).status, 403)
      }
      yield* sql`
        insert into video_playlist (url, name, owner_account_id)
        select 'http://localhost:9000/video-playlists/' || n, 'One of many', p.owner_account_id
        from video_playlist p, generate_series(1, 998) n where p.id = ${elsewhere.id}`
      assert.strictEqual((yield* ask("owner", "POST", "/video-playlists", { displayName: "Too many" })).status, 400)
      yield* sql`delete from video_playlist where name = 'One of many' or id = ${elsewhere.id}`
      const labels = yield* ask("anonymous", "GET", "/video-playlists/privacies")
      assert.deepStrictEqual(labels.json, { 1: "Public", 2: "Unlisted", 3: "Private" })
    })
  )

  it.effect("takes forms with a picture, keeps its files as long as it is shown, and shows that of a video else", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const red = yield* picture
      const made = yield* ask(
        "owner",
        "POST",
        "/video-playlists",
        form({ displayName: "Pictured", privacy: "2", description: "" }, red)
      )
      assert.strictEqual(made.status, 200, made.text)
      const { id } = made.json.videoPlaylist
      const first = yield* playlist(id)
      assert.deepStrictEqual(
        first.thumbnails.map(({ height, width }) => [width, height]),
        [
          [280, 157],
          [850, 480]
        ]
      )
      assert.strictEqual(`http://localhost:9000${first.thumbnailPath}`, first.thumbnails[0]!.fileUrl)
      const small = yield* send(first.thumbnailPath!)
      assert.strictEqual(small.headers.get("content-type"), "image/jpeg")
      const removed = sql<{ count: number }>`
        select count(*) as count from object_removal where bucket = 'thumbnails'
          and name in ${sql.in(first.thumbnails.map(({ fileUrl }) => fileUrl.split("/").at(-1)!))}`
      assert.strictEqual((yield* removed)[0]!.count, 0)

      assert.strictEqual(
        (yield* ask("owner", "PUT", `/video-playlists/${id}`, form({ privacy: "3" }, red))).status,
        204
      )
      const second = yield* playlist(id)
      assert.notStrictEqual(second.thumbnailPath, first.thumbnailPath)
      assert.strictEqual((yield* removed)[0]!.count, 2)
      assert.strictEqual((yield* send(first.thumbnailPath!)).status, 404)

      const notPicture = form({ displayName: "Not made" }, Buffer.from("<svg onload=alert(1)>"))
      const refused = yield* ask("owner", "POST", "/video-playlists", notPicture)
      assert.deepStrictEqual([refused.status, Object.keys(refused.json["invalid-params"])], [400, ["thumbnailfile"]])
      const many = Buffer.alloc(8 * 1024 * 1024 + 1)
      assert.strictEqual((yield* ask("owner", "PUT", `/video-playlists/${id}`, form({}, many))).status, 400)
      assert.strictEqual((yield* ask("owner", "DELETE", `/video-playlists/${id}`)).status, 204)
      assert.strictEqual((yield* send(second.thumbnailPath!)).status, 404)

      const hidden = yield* addVideo({ owner: "owner", privacy: 3 })
      const shown = yield* addVideo({ owner: "owner" })
      const next = yield* addVideo({ owner: "owner" })
      const plain = yield* make({ displayName: "Plain" })
      for (const video of [hidden, shown, next]) yield* put(plain.id, video.id)
      assert.strictEqual((yield* playlist(plain.id)).thumbnailPath, `/lazy-static/thumbnails/${shown.token}.jpg`)
      yield* ask("owner", "POST", `/video-playlists/${plain.id}/videos/reorder`, {
        startPosition: 3,
        insertAfterPosition: 0
      })
      const renewed = yield* playlist(plain.id)
      assert.strictEqual(renewed.thumbnailPath, `/lazy-static/thumbnails/${next.token}.jpg`)
      assert.lengthOf(renewed.thumbnails, 2)
      yield* sql`update video set nsfw = true where id = ${next.id}`
      assert.strictEqual((yield* playlist(plain.id)).thumbnailPath, `/lazy-static/thumbnails/${shown.token}.jpg`)
      yield* sql`delete from video where id = any(${[next.id, shown.id]}::int[])`
      assert.strictEqual((yield* playlist(plain.id)).thumbnailPath, null)
      yield* ask("owner", "DELETE", `/video-playlists/${plain.id}`)
    })
  )

  it.effect("lists by account, with search, sorts, types, channels and collaborations", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const own = yield* channelOf("owner")
      const theirs = yield* channelOf("other")
      yield* make({ displayName: "Zebra", privacy: 1, videoChannelId: own.id })
      yield* make({ displayName: "Ape" })
      yield* collaborate(theirs.id, "owner")
      const shared = yield* make({ displayName: "Shared", videoChannelId: theirs.id })
      const listed = (query: string, who: "owner" | "other" | "anonymous" = "owner", account = "owner") =>
        Effect.map(
          playlists(
            `/accounts/${account}/video-playlists?playlistType=1${query}${query.includes("sort=") ? "" : "&sort=displayName"}`,
            who
          ),
          names
        )

      assert.deepStrictEqual(yield* listed(""), ["Ape", "Zebra"])
      assert.deepStrictEqual(yield* listed("&sort=-displayName"), ["Zebra", "Ape"])
      assert.deepStrictEqual(yield* listed("&search=zeb"), ["Zebra"])
      assert.deepStrictEqual(yield* listed("&search=%25"), [])
      assert.deepStrictEqual(yield* listed("", "anonymous"), ["Zebra"])
      assert.deepStrictEqual(yield* listed("&count=1&start=1"), ["Zebra"])
      assert.deepStrictEqual(yield* listed("&includeCollaborations=true"), ["Ape", "Shared", "Zebra"])
      assert.deepStrictEqual(yield* listed("&includeCollaborations=true", "anonymous"), ["Zebra"])
      assert.deepStrictEqual(yield* listed(`&includeCollaborations=true&channelNameOneOf=${theirs.name}`), ["Shared"])
      assert.deepStrictEqual(yield* listed(`&channelNameOneOf[]=${own.name}&channelNameOneOf[]=nobody`), ["Zebra"])
      assert.strictEqual((yield* ask("owner", "GET", "/accounts/owner/video-playlists?sort=name2")).status, 400)
      assert.strictEqual((yield* ask("owner", "GET", "/accounts/owner/video-playlists?playlistType=3")).status, 400)
      assert.strictEqual((yield* ask("owner", "GET", "/accounts/nobody/video-playlists")).status, 404)
      assert.strictEqual((yield* ask("owner", "GET", "/video-channels/nobody/video-playlists")).status, 404)

      // It belongs to whose channel it is in; collaborators work on it, and cannot carry it away.
      assert.strictEqual((yield* playlist(shared.id, "other")).ownerAccount.name, "other")
      const change = (body: Readonly<Record<string, unknown>>) =>
        Effect.map(ask("owner", "PUT", `/video-playlists/${shared.id}`, body), ({ status }) => status)
      assert.strictEqual(yield* change({ displayName: "Both", privacy: 1 }), 204)
      assert.strictEqual(yield* change({ videoChannelId: null, privacy: 3 }), 403)
      assert.strictEqual(yield* change({ videoChannelId: own.id }), 403)
      const told = yield* ask("other", "GET", `/video-channels/${theirs.name}/activities`)
      assert.deepInclude(told.json.data[0], {
        action: { id: 2, label: "Update" },
        targetType: { id: 2, label: "Playlist" }
      })
      assert.strictEqual(told.json.data[0].playlist.name, "Both")
      yield* sql`delete from video_channel_collaborator where channel_id = ${theirs.id}`
      assert.strictEqual(yield* change({ displayName: "No more" }), 403)

      // Who is blocked is not listed to who blocks, unless it is oneself.
      yield* sql`
        insert into account_block (account_id, target_account_id)
        select b.id, t.id from account b join app_user bu on bu.id = b.user_id and bu.username = 'other',
          account t join app_user tu on tu.id = t.user_id and tu.username = 'owner'`
      assert.deepStrictEqual(yield* listed("", "other"), [])
      assert.deepStrictEqual(yield* listed("", "anonymous"), ["Zebra"])
      yield* sql`delete from account_block`
    })
  )

  it.effect("keeps the playlists of a channel in order, whatever joins, leaves and moves", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { id: owner } = (yield* sql<{ id: number }>`select id from account where user_id = (
        select id from app_user where username = 'owner')`)[0]!
      const added = yield* ask("owner", "POST", "/video-channels", { name: "shelf", displayName: "Shelf" })
      const shelf = added.json.videoChannel.id as number
      const books = yield* Effect.forEach(["A", "B", "C", "D"], (displayName) =>
        make({ displayName, privacy: 1, videoChannelId: shelf })
      )
      const order = Effect.map(playlists("/video-channels/shelf/video-playlists?sort=videoChannelPosition"), (list) => {
        assert.deepStrictEqual(
          list.data.map((it) => it.videoChannelPosition),
          list.data.map((_, index) => index + 1)
        )
        return names(list).join("")
      })
      const reorder = (
        startPosition: unknown,
        insertAfterPosition: unknown,
        reorderLength?: unknown,
        who: "owner" | "other" = "owner"
      ) =>
        Effect.map(
          ask(who, "POST", "/video-channels/shelf/video-playlists/reorder", {
            startPosition,
            insertAfterPosition,
            reorderLength
          }),
          ({ status }) => status
        )
      assert.strictEqual(yield* order, "ABCD")
      assert.strictEqual(yield* reorder(1, 3), 204)
      assert.strictEqual(yield* order, "BCAD")
      assert.strictEqual(yield* reorder(3, 0, 2), 204)
      assert.strictEqual(yield* order, "ADBC")
      assert.strictEqual(yield* reorder(5, 0), 400)
      assert.strictEqual(yield* reorder(0, 0), 400)
      assert.strictEqual(yield* reorder(1, 2, 9), 400)
      assert.strictEqual(yield* reorder(1, 2, undefined, "other"), 403)
      yield* ask("owner", "PUT", `/video-playlists/${books[3]!.id}`, { videoChannelId: null, privacy: 2 })
      assert.strictEqual(yield* order, "ABC")
      yield* ask("owner", "DELETE", `/video-playlists/${books[0]!.id}`)
      assert.strictEqual(yield* order, "BC")
      yield* ask("owner", "PUT", `/video-playlists/${books[3]!.id}`, { videoChannelId: shelf, privacy: 1 })
      assert.strictEqual(yield* order, "BCD")

      // Given away with the channel, and for nobody but its owner once the channel is gone.
      yield* sql`update video_channel set account_id = (
        select a.id from account a join app_user u on u.id = a.user_id where u.username = 'other') where id = ${shelf}`
      assert.strictEqual((yield* playlist(books[1]!.id, "anonymous")).ownerAccount.name, "other")
      yield* sql`update video_channel set account_id = ${owner} where id = ${shelf}`
      assert.strictEqual((yield* ask("owner", "DELETE", "/video-channels/shelf")).status, 204)
      assert.deepInclude(yield* playlist(books[1]!.id), { videoChannel: null, privacy: { id: 3, label: "Private" } })
      // One letter is a prefix: another playlist may begin with it, the private one is not found.
      assert.notInclude(names(yield* playlists("/search/video-playlists?search=B")), "B")
    })
  )

  it.effect("finds public playlists by words, address and UUID, and unlisted ones by their address", () =>
    Effect.gen(function* () {
      const { id: videoChannelId } = yield* channelOf("owner")
      const open = yield* make({
        displayName: "Gardening lessons",
        description: "All about permaculture",
        privacy: 1,
        videoChannelId
      })
      const unlisted = yield* make({ displayName: "Gardening secrets", privacy: 2, videoChannelId })
      const found = (query: Record<string, string>) =>
        Effect.map(playlists(`/search/video-playlists?${new URLSearchParams(query)}`), names)
      const hit = ["Gardening lessons"]
      yield* refreshSearch(yield* SqlClient)(1000)
      for (const search of [
        "gardening",
        "lessons",
        "permaculture",
        "gardning",
        open.uuid,
        open.shortUUID,
        `http://localhost:9000/w/p/${open.shortUUID}`,
        `http://localhost:9000/video-playlists/${open.uuid}`
      ]) {
        assert.deepStrictEqual([search, yield* found({ search })], [search, hit])
      }
      for (const search of ["secrets", unlisted.uuid, "https://elsewhere.example/w/p/x"]) {
        assert.deepStrictEqual([search, yield* found({ search })], [search, []])
      }
      // Who has its address has the playlist.
      assert.deepStrictEqual(yield* found({ search: `http://localhost:9000/w/p/${unlisted.uuid}` }), [
        "Gardening secrets"
      ])
      assert.deepStrictEqual(yield* found({ uuids: open.uuid }), hit)
      assert.deepStrictEqual(yield* found({ search: "gardening", host: "localhost:9000", sort: "-createdAt" }), hit)
      assert.deepStrictEqual(yield* found({ search: "gardening", host: "elsewhere.example" }), [])
      yield* ask("owner", "PUT", `/video-playlists/${open.id}`, { privacy: 3 })
      assert.deepStrictEqual(yield* found({ search: "gardening" }), [])
      // Without words the filters decide.
      assert.notInclude(yield* found({ host: "localhost:9000" }), "Gardening secrets")
    })
  )

  it.effect("goes with its user, pictures and all", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const made = yield* ask("other", "POST", "/video-playlists", form({ displayName: "Short lived" }, yield* picture))
      const { id } = made.json.videoPlaylist
      const { thumbnailPath } = yield* playlist(id, "other")
      const { id: videoId } = yield* addVideo({ owner: "owner" })
      yield* put(id, videoId, {}, "other")
      assert.strictEqual((yield* ask("other", "DELETE", "/users/me")).status, 204)
      const left = yield* sql<{ count: number }>`select count(*) as count from video_playlist where id = ${id}`
      assert.strictEqual(left[0]!.count, 0)
      const queued = yield* sql`select 1 from object_removal where name = ${thumbnailPath!.split("/").at(-1)!}`
      assert.lengthOf(queued, 1)
      assert.strictEqual((yield* elements((yield* make({ displayName: "Another" })).id)).total, 0)
    })
  )
})
