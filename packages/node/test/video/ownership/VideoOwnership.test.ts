import { assert, layer } from "@effect/vitest"
import { ChangeOwnershipList } from "@kinora/domain/wire/ChangeOwnership"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import {
  activities,
  administrator,
  ask,
  expectStatus,
  race,
  type Sharer,
  sharer
} from "../../people/collaborator/Sharing.ts"
import { testNode } from "../../instance/about/TestNode.ts"
import { addVideo } from "../list/Videos.ts"

const decodeList = Schema.decodeUnknownSync(ChangeOwnershipList)

const received = Effect.fnUntraced(function* (who: Sharer, query = "") {
  return decodeList(expectStatus(yield* ask(who, "GET", `/videos/ownership${query}`), 200).json)
})

/** Gives a new video away: the request's id with the video. */
const given = Effect.fnUntraced(function* (owner: Sharer, next: Sharer) {
  const video = yield* addVideo({ owner: owner.name })
  expectStatus(yield* ask(owner, "POST", `/videos/${video.uuid}/give-ownership`, { username: next.name }), 204)
  const { data } = yield* received(next)
  return { video, id: data[0]!.id }
})

const ownerOf = Effect.fnUntraced(function* (uuid: string) {
  const { json } = expectStatus(yield* ask(undefined, "GET", `/videos/${uuid}`), 200)
  return `${json.account.name} ${json.channel.name} ${json.channel.ownerAccount.name}`
})

const listed = Effect.fnUntraced(function* (path: string) {
  const { json } = expectStatus(yield* ask(undefined, "GET", `${path}/videos`), 200)
  return (json.data as ReadonlyArray<{ account: { name: string }; channel: { name: string } }>).map(
    ({ account, channel }) => `${account.name} ${channel.name}`
  )
})

/** Bytes of one test video: a web video, an HLS rendition and the source. */
const size = 300

layer(testNode(), { excludeTestServices: true, timeout: 60_000 })("Giving videos away", (it) => {
  it.effect("a video is offered, accepted, and is another's then", () =>
    Effect.gen(function* () {
      const [owner, next] = [yield* sharer("ann"), yield* sharer("ben")]
      const { id, video } = yield* given(owner, next)
      const { data, total } = yield* received(next)
      assert.strictEqual(total, 1)
      assert.deepInclude(data[0], { id, state: { id: 1, label: "Pending" }, status: "WAITING" })
      assert.strictEqual(data[0]!.initiatorAccount.name, "ann")
      assert.strictEqual(data[0]!.nextOwnerAccount.name, "ben")
      assert.deepInclude(data[0]!.video, { id: video.id, uuid: video.uuid, isLive: false })
      assert.strictEqual(data[0]!.video!.channel.name, "ann_channel")
      assert.isUndefined(data[0]!.videoChannel)
      assert.strictEqual((yield* received(owner)).total, 0)
      // Read models made before are made anew.
      assert.deepStrictEqual(yield* listed("/accounts/ann"), ["ann ann_channel"])
      assert.strictEqual(yield* ownerOf(video.uuid), "ann ann_channel ann")

      const body = { channelId: next.channelId }
      expectStatus(yield* ask(next, "POST", `/videos/ownership/${id}/accept`, body), 204)
      assert.strictEqual(yield* ownerOf(video.uuid), "ben ben_channel ben")
      assert.deepStrictEqual(yield* listed("/accounts/ann"), [])
      assert.deepStrictEqual(yield* listed("/accounts/ben"), ["ben ben_channel"])
      assert.deepStrictEqual(yield* listed("/video-channels/ben_channel"), ["ben ben_channel"])
      assert.deepInclude((yield* received(next)).data[0], { status: "ACCEPTED", state: { id: 3, label: "Accepted" } })
      // The old owner has no say any more.
      expectStatus(yield* ask(owner, "GET", `/videos/${video.uuid}/source`), 403)
      expectStatus(yield* ask(next, "GET", `/videos/${video.uuid}/source`), 200)
      expectStatus(yield* ask(owner, "GET", `/videos/${video.uuid}/ownership`), 403)
      expectStatus(yield* ask(owner, "DELETE", `/videos/${video.uuid}`), 403)
      assert.deepStrictEqual(yield* activities(owner), [
        "Remove channel ownership: Video",
        "Accept ownership request: Video",
        "Send ownership request: Video"
      ])
      assert.deepStrictEqual(yield* activities(next), ["Create channel ownership: Video"])
      const [created] = (yield* ask(next, "GET", "/video-channels/ben_channel/activities")).json.data
      assert.deepInclude(created.video, { id: video.id, name: "Video of ann" })
      assert.deepInclude(created.targetAccount, { username: "ben" })
      expectStatus(yield* ask(next, "POST", `/videos/ownership/${id}/accept`, body), 403)
      expectStatus(yield* ask(next, "POST", `/videos/ownership/${id}/refuse`), 403)
    })
  )

  it.effect("an offer is refused, taken back, made once, listed by state and gone with its video", () =>
    Effect.gen(function* () {
      const [owner, next] = [yield* sharer("cid"), yield* sharer("dan")]
      const { id, video } = yield* given(owner, next)
      const path = `/videos/${video.uuid}`
      expectStatus(yield* ask(owner, "POST", `${path}/give-ownership`, { username: "dan" }), 409)
      expectStatus(yield* ask(next, "POST", `/videos/ownership/${id}/refuse`), 204)
      assert.deepInclude((yield* received(next)).data[0], { status: "REFUSED", state: { id: 2, label: "Rejected" } })
      assert.strictEqual(yield* ownerOf(video.uuid), "cid cid_channel cid")

      expectStatus(yield* ask(owner, "POST", `${path}/give-ownership`, { username: "dan" }), 204)
      const [again] = (yield* received(next)).data
      expectStatus(yield* ask(owner, "DELETE", `/videos/ownership/${again!.id}`), 204)
      expectStatus(yield* ask(owner, "DELETE", `/videos/ownership/${again!.id}`), 404)
      assert.deepStrictEqual(
        (yield* received(next)).data.map((one) => one.id),
        [id]
      )
      // What was decided stays told.
      expectStatus(yield* ask(owner, "DELETE", `/videos/ownership/${id}`), 403)

      expectStatus(yield* ask(owner, "POST", `/videos/${video.id}/give-ownership`, { username: "dan" }), 204)
      const about = Effect.fnUntraced(function* (query: string) {
        const { data, total } = decodeList(
          expectStatus(yield* ask(owner, "GET", `${path}/ownership${query}`), 200).json
        )
        return [total, ...data.map(({ status }) => status)]
      })
      assert.deepStrictEqual(yield* about(""), [2, "WAITING", "REFUSED"])
      assert.deepStrictEqual(yield* about("?sort=createdAt"), [2, "REFUSED", "WAITING"])
      assert.deepStrictEqual(yield* about("?state=1"), [1, "WAITING"])
      assert.deepStrictEqual(yield* about("?state=3"), [0])
      assert.deepStrictEqual(yield* about("?start=1&count=1"), [2, "REFUSED"])
      assert.deepStrictEqual(yield* about("?count=0"), [2])
      const bad = expectStatus(yield* ask(owner, "GET", `${path}/ownership?state=4&sort=id&count=101`), 400)
      assert.deepStrictEqual(Object.keys(bad.json["invalid-params"]).toSorted(), ["count", "sort", "state"])
      assert.deepStrictEqual(yield* activities(owner), [
        "Send ownership request: Video",
        "Delete ownership request: Video",
        "Send ownership request: Video",
        "Refuse ownership request: Video",
        "Send ownership request: Video"
      ])
      expectStatus(yield* ask(owner, "DELETE", path), 204)
      assert.strictEqual((yield* received(next)).total, 0)
    })
  )

  it.effect("who may do what to a video and to a request", () =>
    Effect.gen(function* () {
      const [owner, next, stranger] = [yield* sharer("eva"), yield* sharer("fay"), yield* sharer("gus")]
      const moderator = yield* sharer("mod", { role: 1 })
      const root = yield* administrator
      const everybody = [undefined, stranger, moderator, next, root, owner]
      const statuses = (method: string, path: string, body?: unknown) =>
        Effect.map(
          Effect.forEach(everybody, (who) => ask(who, method, path, body)),
          (answers) => answers.map(({ status }) => status).join(" ")
        )
      const { id, video } = yield* given(owner, next)
      const give = `/videos/${video.uuid}/give-ownership`
      assert.strictEqual(yield* statuses("POST", give, { username: "fay" }), "401 403 403 403 409 409")
      assert.strictEqual(yield* statuses("GET", `/videos/${video.uuid}/ownership`), "401 403 403 403 200 200")
      const accept = { channelId: 2147483647 }
      assert.strictEqual(yield* statuses("POST", `/videos/ownership/${id}/accept`, accept), "401 404 404 400 403 403")
      assert.strictEqual(yield* statuses("POST", "/videos/ownership/2147483647/refuse"), "401 404 404 404 404 404")
      // One of a channel is none of a video.
      assert.strictEqual(yield* statuses("POST", `/video-channels/ownership/${id}/refuse`), "401 404 404 404 404 404")
      for (const [who, status] of [
        [stranger, 404],
        [moderator, 404],
        [next, 403],
        [root, 204]
      ] as const) {
        expectStatus(yield* ask(who, "DELETE", `/videos/ownership/${id}`), status)
      }
      // An administrator gives what is another's; the one who gets it still has to take it.
      expectStatus(yield* ask(root, "POST", give, { username: "fay" }), 204)
      const [again] = (yield* received(next)).data
      assert.strictEqual(again!.initiatorAccount.name, "root")
      for (const [who, status] of [
        [stranger, 404],
        [root, 403],
        [owner, 403],
        [next, 204]
      ] as const) {
        expectStatus(yield* ask(who, "POST", `/videos/ownership/${again!.id}/refuse`), status)
      }
      const hidden = yield* addVideo({ owner: "eva", privacy: 3 })
      const private_ = (key: string | number) =>
        statuses("POST", `/videos/${key}/give-ownership`, { username: "nobody" })
      assert.strictEqual(yield* private_(hidden.id), "401 404 403 404 404 404")
      assert.strictEqual(yield* private_(hidden.uuid), "401 403 403 403 404 404")
      expectStatus(yield* ask(root, "POST", "/videos/2147483647/give-ownership", { username: "fay" }), 404)
    })
  )

  it.effect("next owners are users who can log in, and take videos into channels of their own", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [owner, next] = [yield* sharer("hal"), yield* sharer("ida")]
      const { channelId } = yield* sharer("jon")
      const blocked = yield* sharer("kim")
      yield* sql`update app_user set blocked = true where id = ${blocked.userId}`
      const video = yield* addVideo({ owner: "hal" })
      const path = `/videos/${video.uuid}/give-ownership`
      for (const [username, status] of [
        ["nobody", 404],
        ["kim", 404],
        ["hal_channel", 404],
        ["i_a", 404],
        ["hal", 400],
        ["far@far.example", 400],
        ["", 400],
        [null, 400],
        [3, 400],
        [{ eq: "ida" }, 400],
        [undefined, 400]
      ] as const) {
        const { json } = expectStatus(yield* ask(owner, "POST", path, { username }), status)
        if (status === 400) assert.deepStrictEqual(Object.keys(json["invalid-params"]), ["username"])
      }
      expectStatus(yield* ask(owner, "POST", path, { username: "ida" }), 204)
      const [{ id }] = (yield* received(next)).data as unknown as [{ id: number }]
      // Working on a channel is not owning it.
      yield* sql`
        insert into video_channel_collaborator (channel_id, account_id, state) values (${channelId}, ${next.accountId}, 2)`
      for (const wanted of [channelId, owner.channelId, 2147483647, 0, "x", null, undefined]) {
        const answer = yield* ask(next, "POST", `/videos/ownership/${id}/accept`, { channelId: wanted })
        assert.deepStrictEqual(Object.keys(expectStatus(answer, 400).json["invalid-params"]), ["channelId"])
      }
      for (const wrong of ["0", "-1", "x", "1e3", "2147483648"]) {
        const answer = yield* ask(next, "DELETE", `/videos/ownership/${wrong}`)
        assert.deepStrictEqual(Object.keys(expectStatus(answer, 400).json["invalid-params"]), ["id"])
      }
      assert.strictEqual(yield* ownerOf(video.uuid), "hal hal_channel hal")
    })
  )

  it.effect("a video counts against the quotas of who takes it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const owner = yield* sharer("lea")
      const tight = yield* sharer("max", { videoQuota: 2 * size - 1 })
      const daily = yield* sharer("ned", { videoQuotaDaily: size - 1 })
      const first = yield* given(owner, tight)
      expectStatus(
        yield* ask(tight, "POST", `/videos/ownership/${first.id}/accept`, { channelId: tight.channelId }),
        204
      )
      const second = yield* given(owner, tight)
      const refused = yield* ask(tight, "POST", `/videos/ownership/${second.id}/accept`, { channelId: tight.channelId })
      assert.strictEqual(expectStatus(refused, 413).json.code, "quota_reached")
      assert.strictEqual(yield* ownerOf(second.video.uuid), "lea lea_channel lea")
      assert.strictEqual((yield* received(tight, "?sort=-createdAt")).data[0]!.status, "WAITING")

      const third = yield* given(owner, daily)
      const accept = ask(daily, "POST", `/videos/ownership/${third.id}/accept`, { channelId: daily.channelId })
      assert.strictEqual(expectStatus(yield* accept, 413).json.code, "quota_reached")
      // What was made before the last 24 hours is none of what is made in them.
      yield* sql`update video set created_at = now() - interval '2 days' where id = ${third.video.id}`
      expectStatus(yield* accept, 204)
      assert.strictEqual(yield* ownerOf(third.video.uuid), "ned ned_channel ned")
    })
  )

  it.effect("of answers sent at once one counts, and quotas hold", () =>
    Effect.gen(function* () {
      const owner = yield* sharer("ola")
      const next = yield* sharer("pia", { videoQuota: size })
      const { id, video } = yield* given(owner, next)
      const accept = ask(next, "POST", `/videos/ownership/${id}/accept`, { channelId: next.channelId })
      const refuse = ask(next, "POST", `/videos/ownership/${id}/refuse`)
      const withdraw = ask(owner, "DELETE", `/videos/ownership/${id}`)
      const statuses = yield* race([accept, refuse, accept, withdraw, accept, refuse])
      assert.strictEqual(statuses.filter((status) => status === 204).length, 1, statuses.join(" "))
      assert.isTrue(
        statuses.every((status) => [204, 403, 404].includes(status)),
        statuses.join(" ")
      )
      yield* ownerOf(video.uuid)

      const [one, two] = [yield* given(owner, next), yield* given(owner, next)]
      const both = [one, two].map((offer) =>
        ask(next, "POST", `/videos/ownership/${offer.id}/accept`, { channelId: next.channelId })
      )
      const taken = yield* race(both)
      assert.include(["204 413", "413 413"], taken.join(" "))
      const offered = yield* addVideo({ owner: "ola" })
      const give = ask(owner, "POST", `/videos/${offered.uuid}/give-ownership`, { username: "pia" })
      assert.deepStrictEqual(yield* race([give, give, give]), [204, 409, 409])
      // Deleting and taking at once: the video is gone or was taken first, and nobody waits for ever.
      const last = (yield* received(next)).data[0]!.id
      const ends = yield* race([
        ask(next, "POST", `/videos/ownership/${last}/refuse`),
        ask(owner, "DELETE", `/videos/${offered.uuid}`)
      ])
      assert.isTrue(
        ends.every((status) => [204, 403, 404].includes(status)),
        ends.join(" ")
      )
    })
  )
})
