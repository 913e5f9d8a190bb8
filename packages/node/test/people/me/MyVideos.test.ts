import { assert, layer } from "@effect/vitest"
import { VideoImportsList } from "@kinora/domain/wire/MyUserAnswers"
import { toShortUuid } from "@kinora/domain/ids/ShortUuid"
import { VideoList } from "@kinora/domain/wire/Video"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { bearer, send } from "../../instance/about/Client.ts"
import { testNode } from "../../instance/about/TestNode.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { newUser } from "./Changes.ts"

const path = "/api/v1/users/me/videos"
const decodeVideos = Schema.decodeUnknownEffect(VideoList)
const decodeImports = Schema.decodeUnknownEffect(VideoImportsList)

const videosOf = Effect.fn("videosOf")(function* (token: string, query = "") {
  const answer = yield* send(`${path}${query}`, bearer(token))
  assert.strictEqual(answer.status, 200, answer.text)
  yield* decodeVideos(answer.json)
  return answer.json
})

const ids = (json: { readonly data: ReadonlyArray<{ readonly id: number }> }) => json.data.map(({ id }) => id)

const collaborate = Effect.fn("collaborate")(function* (channel: string, guest: string) {
  const sql = yield* SqlClient
  yield* sql`
    insert into video_channel_collaborator (channel_id, account_id, state)
    select c.id, g.id, 2 from video_channel c join actor a on a.id = c.actor_id,
      account g join app_user u on u.id = g.user_id
    where a.preferred_username = ${channel} and u.username = ${guest}`
})

layer(testNode(), { excludeTestServices: true })("What the user has", (it) => {
  it.effect("lists the user's videos of every state and privacy, and nobody else's", () =>
    Effect.gen(function* () {
      const token = yield* newUser("maker")
      const stranger = yield* newUser("stranger")
      yield* addVideo({ owner: "stranger" })
      const all: Array<number> = []
      for (const options of [
        { privacy: 1 },
        { privacy: 2 },
        { privacy: 3 },
        { privacy: 4 },
        { privacy: 5, passwords: ["secret"] },
        { state: 2 },
        { state: 7 },
        { blacklisted: true }
      ]) {
        all.unshift((yield* addVideo({ owner: "maker", ...options })).id)
      }
      const listed = yield* videosOf(token, "?sort=-createdAt")
      assert.deepStrictEqual([listed.total, ids(listed)], [all.length, all])
      assert.deepInclude(listed.data[0], { blacklisted: true, blacklistedReason: "spam" })
      assert.deepInclude(listed.data[1], { state: { id: 7, label: "Transcoding failed" }, blacklisted: false })
      assert.deepStrictEqual(
        (yield* videosOf(token, "?privacyOneOf=3&privacyOneOf=5&sort=createdAt")).data.map(
          (video: { privacy: { id: number } }) => video.privacy.id
        ),
        [3, 5]
      )
      assert.strictEqual((yield* videosOf(token, "?stateOneOf=2")).total, 1)
      assert.strictEqual((yield* videosOf(token, "?videoStates=2&videoStates=7")).total, 2)
      assert.strictEqual((yield* videosOf(token, "?search=of%20MAKER")).total, all.length)
      assert.strictEqual((yield* videosOf(token, "?search=%25")).total, 0)
      assert.strictEqual((yield* videosOf(token, "?isLive=true")).total, 0)
      const paged = yield* videosOf(token, "?start=2&count=3&sort=-createdAt")
      assert.deepStrictEqual([paged.total, ids(paged)], [all.length, all.slice(2, 5)])
      assert.deepStrictEqual(yield* videosOf(token, "?count=0"), { total: all.length, data: [] })
      const uncounted = yield* send(`${path}?skipCount=true`, bearer(token))
      assert.hasAllKeys(uncounted.json, ["data"])
      assert.lengthOf((yield* videosOf(token, "?include=8&count=1")).data[0].files, 1)
      assert.strictEqual((yield* videosOf(stranger)).total, 1)
      assert.strictEqual((yield* send(path)).status, 401)
    })
  )

  it.effect("limits them to channels by name, with those of others it works on when asked", () =>
    Effect.gen(function* () {
      const token = yield* newUser("helper")
      yield* newUser("helped_1")
      yield* newUser("helpedx1")
      const own = yield* addVideo({ owner: "helper" })
      const shared = yield* addVideo({ owner: "helped_1", privacy: 3 })
      yield* addVideo({ owner: "helpedx1", privacy: 3 })
      yield* collaborate("helped_1_channel", "helper")
      assert.deepStrictEqual(ids(yield* videosOf(token)), [own.id])
      assert.sameMembers(ids(yield* videosOf(token, "?includeCollaborations=true")), [own.id, shared.id])
      const named = "?includeCollaborations=true&channelNameOneOf="
      assert.deepStrictEqual(ids(yield* videosOf(token, `${named}HELPED_1_channel`)), [shared.id])
      assert.deepStrictEqual(ids(yield* videosOf(token, `${named}helper_channel`)), [own.id])
      assert.lengthOf(ids(yield* videosOf(token, `${named}helper_channel&channelNameOneOf=helped_1_channel`)), 2)
      for (const name of ["%25", "helped%25", "helpedx1_channel", "helper_", "%00"]) {
        const answer = yield* send(`${path}${named}${name}`, bearer(token))
        assert.deepInclude([200, 400], answer.status)
        if (answer.status === 200) assert.deepStrictEqual(ids(answer.json), [], name)
      }
    })
  )

  it.effect("refuses what no list takes", () =>
    Effect.gen(function* () {
      const token = yield* newUser("asking")
      const many = Array.from({ length: 600 }, () => "channelNameOneOf=a").join("&")
      for (const list of [path, `${path}/imports`]) {
        for (const query of [
          "count=-1",
          "count=101",
          "start=-1",
          "start=9007199254740992",
          "sort=email",
          "sort=id;drop",
          "includeCollaborations=perhaps"
        ]) {
          const answer = yield* send(`${list}?${query}`, bearer(token))
          assert.strictEqual(answer.status, 400, `${list} ${query}`)
          assert.hasAllKeys(answer.json["invalid-params"], [query.split("=")[0]!])
        }
      }
      assert.strictEqual((yield* send(`${path}?${many}`, bearer(token))).status, 400)
      const wrong = yield* send(`${path}/imports?videoId=0&videoChannelSyncId=x`, bearer(token))
      assert.hasAllKeys(wrong.json["invalid-params"], ["videoId", "videoChannelSyncId"])
    })
  )

  it.effect("adds up what its files take", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const token = yield* newUser("filling")
      const quota = send("/api/v1/users/me/video-quota-used", bearer(token))
      assert.deepStrictEqual((yield* quota).json, { videoQuotaUsed: 0, videoQuotaUsedDaily: 0 })
      const old = yield* addVideo({ owner: "filling" })
      yield* addVideo({ owner: "filling", privacy: 3 })
      yield* sql`update video set created_at = now() - interval '2 days' where id = ${old.id}`
      assert.deepStrictEqual((yield* quota).json, { videoQuotaUsed: 600, videoQuotaUsedDaily: 300 })
    })
  )

  it.effect("knows what it thinks of a video it may see", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const token = yield* newUser("judge")
      yield* newUser("judged")
      const video = yield* addVideo({ owner: "judged" })
      const hidden = yield* addVideo({ owner: "judged", privacy: 3 })
      const rating = (id: string | number) => send(`${path}/${id}/rating`, bearer(token))
      const none = { id: video.id, videoId: video.id, rating: "none" }
      for (const id of [video.id, video.uuid]) assert.deepStrictEqual((yield* rating(id)).json, none)
      for (const type of ["like", "dislike"]) {
        yield* sql`
          insert into account_video_rate (account_id, video_id, type)
          select a.id, ${video.id}, ${type} from account a join app_user u on u.id = a.user_id where u.username = 'judge'
          on conflict (account_id, video_id) do update set type = excluded.type`
        assert.deepStrictEqual((yield* rating(video.id)).json, { ...none, rating: type })
      }
      assert.strictEqual((yield* rating(hidden.uuid)).status, 403)
      assert.strictEqual((yield* rating(2_147_483_647)).status, 404)
      assert.strictEqual((yield* rating("a%27b")).status, 400)
      assert.strictEqual((yield* send(`${path}/${video.id}/rating`)).status, 401)
    })
  )

  it.effect("lists its imports, with their videos", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const token = yield* newUser("importer")
      yield* newUser("bystander")
      yield* newUser("partner")
      const imports = Effect.fnUntraced(function* (query: string) {
        const answer = yield* send(`${path}/imports${query}`, bearer(token))
        assert.strictEqual(answer.status, 200, answer.text)
        yield* decodeImports(answer.json)
        return answer.json
      })
      assert.deepStrictEqual(yield* imports(""), { total: 0, data: [] })
      const video = yield* addVideo({ owner: "importer", privacy: 3 })
      const shared = yield* addVideo({ owner: "partner" })
      yield* collaborate("partner_channel", "importer")
      yield* sql`update video set originally_published_at = '2020-02-03' where id = ${video.id}`
      const [sync] = yield* sql<{ id: number }>`
        insert into video_channel_sync (channel_id, external_channel_url)
        select channel_id, 'https://videos.example/c' from video where id = ${video.id} returning id`
      const add = Effect.fnUntraced(function* (user: string, values: Readonly<Record<string, string | number>>) {
        const rows = yield* sql<{ id: number }>`
          insert into video_import ${sql.insert({
            user_id: (yield* sql<{ id: number }>`select id from app_user where username = ${user}`)[0]!.id,
            ...values
          })} returning id`
        return rows[0]!.id
      })
      yield* add("bystander", { target_url: "https://videos.example/other" })
      const pending = yield* add("importer", { target_url: "https://videos.example/100%_a", state: 1 })
      const failed = yield* add("importer", { torrent_name: "Holiday.torrent", state: 3, error: "No such file" })
      const done = yield* add("importer", {
        magnet_uri: "magnet:?xt=urn:btih:1",
        state: 2,
        attempts: 2,
        video_id: video.id,
        channel_sync_id: sync!.id
      })
      const theirs = yield* add("partner", { target_url: "https://videos.example/p", state: 6, video_id: shared.id })

      const all = yield* imports("?sort=-createdAt")
      assert.deepStrictEqual([all.total, ids(all)], [3, [done, failed, pending]])
      assert.deepInclude(all.data[0], {
        state: { id: 2, label: "Success" },
        attempts: 2,
        targetUrl: null,
        magnetUri: "magnet:?xt=urn:btih:1",
        originallyPublishedAt: "2020-02-03T00:00:00.000Z",
        videoChannelSync: { id: sync!.id, externalChannelUrl: "https://videos.example/c" }
      })
      assert.deepInclude(all.data[0].video, { id: video.id, state: { id: 1, label: "Published" } })
      assert.deepInclude(all.data[1], { torrentName: "Holiday.torrent", error: "No such file", video: null })
      assert.deepStrictEqual(ids(yield* imports("?sort=createdAt&start=1&count=1")), [failed])
      for (const [query, found] of [
        [`?videoId=${video.id}`, [done]],
        [`?videoId=${video.uuid}`, [done]],
        [`?videoId=${toShortUuid(video.uuid)}`, [done]],
        [`?videoChannelSyncId=${sync!.id}`, [done]],
        [`?targetUrl=${encodeURIComponent("https://videos.example/100%_a")}`, [pending]],
        ["?targetUrl=https://videos.example/other", []],
        [`?search=${encodeURIComponent("100%_")}`, [pending]],
        ["?search=%25y", []],
        ["?search=holiday", [failed]],
        ["?search=VIDEO%20of", [done]],
        ["?includeCollaborations=true&search=example", [theirs, pending]]
      ] as const) {
        const answer = yield* imports(query)
        assert.deepStrictEqual([answer.total, ids(answer)], [found.length, [...found]], query)
      }
    })
  )
})
