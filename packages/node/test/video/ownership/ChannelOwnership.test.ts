import { assert, layer } from "@effect/vitest"
import { ChangeOwnershipList } from "@kinora/domain/wire/ChangeOwnership"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import {
  activities,
  administrator,
  ask,
  collaborate,
  expectStatus,
  race,
  type Sharer,
  sharer
} from "../../people/collaborator/Sharing.ts"
import { testNode } from "../../instance/about/TestNode.ts"
import { addVideo } from "../list/Videos.ts"

const decodeList = Schema.decodeUnknownSync(ChangeOwnershipList)

const received = Effect.fnUntraced(function* (who: Sharer, query = "") {
  return decodeList(expectStatus(yield* ask(who, "GET", `/video-channels/ownership${query}`), 200).json)
})

/** Gives the user one channel more. */
const addChannel = Effect.fnUntraced(function* (owner: Sharer, name: string) {
  const made = yield* ask(owner, "POST", "/video-channels", { name, displayName: name })
  return expectStatus(made, 200).json.videoChannel.id as number
})

/** Offers the first channel of the user, who has another: the request's id. */
const given = Effect.fnUntraced(function* (owner: Sharer, next: Sharer) {
  const path = `/video-channels/${owner.channel}/give-ownership`
  expectStatus(yield* ask(owner, "POST", path, { username: next.name }), 204)
  return (yield* received(next)).data[0]!.id
})

const accept = (who: Sharer, id: number) => ask(who, "POST", `/video-channels/ownership/${id}/accept`)

const ownerOf = Effect.fnUntraced(function* (channel: string) {
  const { json } = expectStatus(yield* ask(undefined, "GET", `/video-channels/${channel}`), 200)
  return json.ownerAccount.name as string
})

layer(testNode({ video_channels: { max_per_user: 3 } }), { excludeTestServices: true, timeout: 60_000 })(
  "Giving channels away",
  (it) => {
    it.effect("a channel goes with its videos and collaborators, and its old owner has no say any more", () =>
      Effect.gen(function* () {
        const [owner, next, helper] = [yield* sharer("ann"), yield* sharer("ben"), yield* sharer("cid")]
        yield* addChannel(owner, "ann_second")
        const videos = [yield* addVideo({ owner: "ann" }), yield* addVideo({ owner: "ann", privacy: 3 })] as const
        yield* collaborate(owner, helper)
        yield* collaborate(owner, next)
        // Offers of single videos end with the transfer.
        expectStatus(yield* ask(owner, "POST", `/videos/${videos[0].uuid}/give-ownership`, { username: "cid" }), 204)
        const id = yield* given(owner, next)
        const { data } = yield* received(next)
        assert.deepInclude(data[0], { id, state: { id: 1, label: "Pending" }, status: "WAITING" })
        assert.strictEqual(data[0]!.videoChannel!.name, "ann_channel")
        assert.isUndefined(data[0]!.video)
        assert.strictEqual(yield* ownerOf("ann_channel"), "ann")
        assert.strictEqual((yield* ask(undefined, "GET", "/accounts/ann/videos")).json.total, 1)

        expectStatus(yield* accept(next, id), 204)
        assert.strictEqual(yield* ownerOf("ann_channel"), "ben")
        const { json } = yield* ask(undefined, "GET", "/video-channels/ann_channel/videos")
        assert.deepStrictEqual([json.total, json.data[0].account.name], [1, "ben"])
        assert.strictEqual((yield* ask(undefined, "GET", "/accounts/ann/videos")).json.total, 0)
        assert.strictEqual((yield* ask(undefined, "GET", "/accounts/ben/videos")).json.total, 1)
        assert.strictEqual((yield* ask(undefined, "GET", `/videos/${videos[0].uuid}`)).json.account.name, "ben")

        const { json: collaborators } = yield* ask(next, "GET", "/video-channels/ann_channel/collaborators")
        assert.deepStrictEqual(
          collaborators.data.map((one: { account: { name: string } }) => one.account.name),
          ["cid"]
        )
        for (const [who, status] of [
          [next, 200],
          [helper, 200],
          [owner, 403]
        ] as const) {
          expectStatus(yield* ask(who, "GET", `/videos/${videos[1].uuid}`), status)
          expectStatus(yield* ask(who, "GET", "/video-channels/ann_channel/activities"), status)
        }
        expectStatus(yield* ask(owner, "DELETE", `/videos/${videos[0].uuid}`), 403)
        expectStatus(yield* ask(owner, "POST", "/video-channels/ann_channel/give-ownership", { username: "cid" }), 403)
        assert.strictEqual((yield* ask(helper, "GET", "/videos/ownership")).json.total, 0)
        assert.deepStrictEqual((yield* activities(next, "ann_channel")).slice(0, 3), [
          "Accept ownership request: Channel",
          "Send ownership request: Channel",
          "Send ownership request: Video"
        ])
        expectStatus(yield* accept(next, id), 403)
      })
    )

    it.effect("an offer is refused, taken back, made once and listed by state", () =>
      Effect.gen(function* () {
        const [owner, next] = [yield* sharer("dan"), yield* sharer("eva")]
        const path = "/video-channels/dan_channel"
        // Nobody gives their last channel away.
        expectStatus(yield* ask(owner, "POST", `${path}/give-ownership`, { username: "eva" }), 409)
        yield* addChannel(owner, "dan_second")
        const id = yield* given(owner, next)
        expectStatus(yield* ask(owner, "POST", `${path}/give-ownership`, { username: "eva" }), 409)
        expectStatus(yield* ask(next, "POST", `/video-channels/ownership/${id}/refuse`), 204)
        expectStatus(yield* ask(next, "POST", `/video-channels/ownership/${id}/refuse`), 403)
        const again = yield* given(owner, next)
        expectStatus(yield* ask(owner, "DELETE", `/video-channels/ownership/${again}`), 204)
        expectStatus(yield* accept(next, again), 404)
        yield* given(owner, next)
        const about = Effect.fnUntraced(function* (query: string) {
          const { json } = expectStatus(yield* ask(owner, "GET", `${path}/ownership${query}`), 200)
          const { data, total } = decodeList(json)
          return [total, ...data.map(({ status }) => status)]
        })
        assert.deepStrictEqual(yield* about(""), [2, "WAITING", "REFUSED"])
        assert.deepStrictEqual(yield* about("?state=2"), [1, "REFUSED"])
        assert.deepStrictEqual(yield* about("?sort=createdAt&count=1"), [2, "REFUSED"])
        assert.strictEqual(yield* ownerOf("dan_channel"), "dan")
        assert.deepStrictEqual((yield* activities(owner)).slice(0, 5), [
          "Send ownership request: Channel",
          "Delete ownership request: Channel",
          "Send ownership request: Channel",
          "Refuse ownership request: Channel",
          "Send ownership request: Channel"
        ])
      })
    )

    it.effect("who may do what to a channel and to a request", () =>
      Effect.gen(function* () {
        const [owner, next, stranger] = [yield* sharer("fay"), yield* sharer("gus"), yield* sharer("hal")]
        const [helper, moderator] = [yield* sharer("ida"), yield* sharer("mod", { role: 1 })]
        const root = yield* administrator
        yield* addChannel(owner, "fay_second")
        yield* collaborate(owner, helper)
        const everybody = [undefined, stranger, helper, moderator, next, root, owner]
        const statuses = (method: string, path: string, body?: unknown) =>
          Effect.map(
            Effect.forEach(everybody, (who) => ask(who, method, `/video-channels${path}`, body)),
            (answers) => answers.map(({ status }) => status).join(" ")
          )
        const id = yield* given(owner, next)
        assert.strictEqual(
          yield* statuses("POST", "/fay_channel/give-ownership", { username: "gus" }),
          "401 403 403 403 403 409 409"
        )
        assert.strictEqual(yield* statuses("GET", "/fay_channel/ownership"), "401 403 403 403 403 200 200")
        assert.strictEqual(yield* statuses("GET", "/nobody/ownership"), "401 404 404 404 404 404 404")
        const others = everybody.filter((who) => who !== next)
        for (const way of ["accept", "refuse"]) {
          const asked = yield* Effect.forEach(others, (who) =>
            ask(who, "POST", `/video-channels/ownership/${id}/${way}`)
          )
          assert.strictEqual(asked.map(({ status }) => status).join(" "), "401 404 404 404 403 403")
        }
        for (const [who, status] of [
          [stranger, 404],
          [helper, 404],
          [moderator, 404],
          [next, 403],
          [root, 204]
        ] as const) {
          expectStatus(yield* ask(who, "DELETE", `/video-channels/ownership/${id}`), status)
        }
        for (const [username, status] of [
          ["nobody", 404],
          ["fay", 400],
          ["%", 400],
          [undefined, 400]
        ] as const) {
          expectStatus(yield* ask(owner, "POST", "/video-channels/fay_channel/give-ownership", { username }), status)
        }
      })
    )

    it.effect("quotas, the most channels of one account and the last one of another are kept", () =>
      Effect.gen(function* () {
        const owner = yield* sharer("jon")
        const second = yield* addChannel(owner, "jon_second")
        yield* addVideo({ owner: "jon" })
        yield* addVideo({ owner: "jon" })
        const small = yield* sharer("kim", { videoQuota: 599 })
        const refused = yield* given(owner, small)
        assert.strictEqual(expectStatus(yield* accept(small, refused), 413).json.code, "quota_reached")
        assert.strictEqual(yield* ownerOf("jon_channel"), "jon")
        expectStatus(yield* ask(small, "POST", `/video-channels/ownership/${refused}/refuse`), 204)

        const full = yield* sharer("lea")
        yield* addChannel(full, "lea_second")
        yield* addChannel(full, "lea_third")
        const tooMany = yield* given(owner, full)
        expectStatus(yield* accept(full, tooMany), 409)
        assert.strictEqual(yield* ownerOf("jon_channel"), "jon")
        expectStatus(yield* ask(owner, "DELETE", `/video-channels/ownership/${tooMany}`), 204)

        // Both channels are offered at once: the second that is taken would be the last.
        const next = yield* sharer("max")
        const first = yield* given(owner, next)
        const path = "/video-channels/jon_second/give-ownership"
        expectStatus(yield* ask(owner, "POST", path, { username: "max" }), 204)
        const [other] = (yield* received(next)).data
        assert.strictEqual(other!.videoChannel!.id, second)
        assert.deepStrictEqual(yield* race([accept(next, first), accept(next, other!.id)]), [204, 409])
        const sql = yield* SqlClient
        const owners = yield* sql<{ count: number }>`
          select count(*) as count from video_channel where account_id = ${owner.accountId}`
        assert.strictEqual(owners[0]!.count, 1)
      })
    )

    it.effect("of answers sent at once one counts, whatever else happens to the channel", () =>
      Effect.gen(function* () {
        const [owner, next] = [yield* sharer("ned"), yield* sharer("ola")]
        yield* addChannel(owner, "ned_second")
        const video = yield* addVideo({ owner: "ned" })
        const id = yield* given(owner, next)
        const statuses = yield* race([accept(next, id), accept(next, id), accept(next, id)])
        assert.deepStrictEqual(statuses, [204, 403, 403])
        expectStatus(yield* ask(next, "POST", "/video-channels/ned_channel/give-ownership", { username: "ned" }), 204)
        const back = (yield* received(owner)).data[0]!.id
        const all = yield* race([
          accept(owner, back),
          ask(next, "DELETE", `/videos/${video.uuid}`),
          ask(next, "DELETE", "/video-channels/ned_channel"),
          ask(next, "DELETE", `/video-channels/ownership/${back}`)
        ])
        assert.isTrue(
          all.every((status) => [204, 403, 404, 409].includes(status)),
          all.join(" ")
        )
      })
    )
  }
)
