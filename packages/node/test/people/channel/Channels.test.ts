import { assert, layer } from "@effect/vitest"
import { VideoChannel } from "@kinora/domain/wire/VideoChannel"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { createPublicKey } from "node:crypto"
import { send } from "../../instance/about/Client.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { ask, Crew, crewNode, type Member, members, refused } from "./Crew.ts"

const channels = "/video-channels"
const isChannel = Schema.is(VideoChannel)

/** Makes a channel for a member and gives its id. */
const make = Effect.fnUntraced(function* (who: Member, name: string, more: Record<string, unknown> = {}) {
  const made = yield* ask(who, "POST", channels, { name, displayName: name, ...more })
  assert.strictEqual(made.status, 200, made.text)
  return made.json.videoChannel.id as number
})

const read = Effect.fnUntraced(function* (name: string) {
  const answer = yield* ask("anonymous", "GET", `${channels}/${name}`)
  assert.strictEqual(answer.status, 200, answer.text)
  assert.isTrue(isChannel(answer.json), answer.text)
  return answer.json
})

const activitiesOf = Effect.fnUntraced(function* (name: string) {
  const sql = yield* SqlClient
  return yield* sql<{ action: number; who: string }>`
    select t.action, u.username::text as who from channel_activity t join video_channel c on c.id = t.channel_id
      join actor a on a.id = c.actor_id join account o on o.id = t.account_id join app_user u on u.id = o.user_id
    where a.preferred_username = ${name}::citext and t.target_type = 3 order by t.id`
})

layer(crewNode(), { excludeTestServices: true, timeout: 60_000 })("A channel", (it) => {
  it.effect("is made with all its texts and keys of its own", () =>
    Effect.gen(function* () {
      const texts = {
        displayName: " Fün & Games 🎲 ",
        description: "What is played",
        support: "Send cake",
        publicEmail: "play@example.com"
      }
      const id = yield* make("owner", "Fun-and_games.1", texts)
      const channel = yield* read("fun-AND_games.1@LOCALHOST:9000")
      assert.deepInclude(channel, {
        ...texts,
        id,
        name: "Fun-and_games.1",
        displayName: "Fün & Games 🎲",
        isLocal: true
      })
      assert.deepInclude(channel, { avatars: [], banners: [], followersCount: 0, followingCount: 0 })
      assert.deepInclude(channel.ownerAccount, { name: "owner" })
      assert.strictEqual(channel.url, "http://localhost:9000/video-channels/Fun-and_games.1")
      const sql = yield* SqlClient
      const keys = yield* sql<{ pub: string; type: string }>`
        select public_key as pub, type from actor where preferred_username in ('owner', 'owner_channel', 'Fun-and_games.1')`
      assert.strictEqual(new Set(keys.map(({ pub }) => pub)).size, 3)
      for (const { pub } of keys) assert.strictEqual(createPublicKey(pub).asymmetricKeyType, "rsa")
      assert.deepStrictEqual(yield* activitiesOf("Fun-and_games.1"), [{ action: 1, who: "owner" }])
      yield* make("owner", "plain", { description: null, support: "", publicEmail: null, unknown: { a: 1 } })
      assert.deepInclude(yield* read("plain"), { description: null, support: null, publicEmail: null })
    })
  )

  it.effect("is made by who has logged in, under a name that is free", () =>
    Effect.gen(function* () {
      const body = { name: "wanted", displayName: "Wanted" }
      const nobody = yield* ask("anonymous", "POST", channels, body)
      assert.deepStrictEqual([nobody.status, nobody.json.code], [401, "unauthorized_request"])
      const sql = yield* SqlClient
      yield* sql`
        insert into user_registration (username, email, password_hash, registration_reason, channel_handle)
        values ('waiting', 'waiting@example.com', 'x', 'please', 'waiting_channel')`
      for (const name of [
        "owner",
        "OWNER_channel",
        "stranger",
        "peertube",
        "Waiting",
        "waiting_CHANNEL",
        "..",
        "root"
      ]) {
        const taken = yield* ask("owner", "POST", channels, { ...body, name })
        assert.deepStrictEqual([name, taken.status, taken.json.type], [name, 409, "about:blank"])
      }
      const both = yield* Effect.all(
        ["stranger", "moderator"].map((who) => ask(who as Member, "POST", channels, { ...body, name: "race" })),
        { concurrency: 2 }
      )
      assert.deepStrictEqual(both.map(({ status }) => status).toSorted(), [200, 409])
    })
  )

  it.effect("is refused with every field that cannot be", () =>
    Effect.gen(function* () {
      const long = "x".repeat(121)
      assert.deepStrictEqual(refused(yield* ask("owner", "POST", channels)), ["displayName", "name"])
      assert.deepStrictEqual(
        refused(
          yield* ask("owner", "POST", channels, {
            name: "no spaces",
            displayName: long,
            description: "ab",
            support: "x".repeat(1001),
            publicEmail: "nobody"
          })
        ),
        ["description", "displayName", "name", "publicEmail", "support"]
      )
      const wrong: ReadonlyArray<unknown> = [
        7,
        true,
        ["a", "b"],
        { a: 1 },
        "",
        null,
        "a/b",
        "ä",
        "a\u0000b",
        "x".repeat(51)
      ]
      for (const name of wrong) {
        const answer = yield* ask("owner", "POST", channels, { name, displayName: "Fine" })
        assert.deepStrictEqual([name, refused(answer)], [name, ["name"]])
      }
      for (const value of [7, true, {}, ["a"]]) {
        const fields = { description: value, displayName: value, publicEmail: value, support: value }
        const put = yield* ask("owner", "PUT", `${channels}/owner_channel`, { ...fields, bulkVideosSupportUpdate: "x" })
        assert.deepStrictEqual(refused(put), [
          "bulkVideosSupportUpdate",
          "description",
          "displayName",
          "publicEmail",
          "support"
        ])
      }
      for (const displayName of ["", "   ", null, "a\u0000b", "\ud800", "a\u202eb"]) {
        const put = yield* ask("owner", "PUT", `${channels}/owner_channel`, { displayName })
        assert.deepStrictEqual(refused(put), ["displayName"])
      }
      for (const body of ["{", "[]", '"text"', "null", '{"__proto__":{"displayName":"x"}}']) {
        assert.strictEqual((yield* ask("owner", "POST", channels, body)).status, 400, body)
      }
      assert.strictEqual((yield* ask("owner", "POST", channels, `{"name":"${"x".repeat(2_000_000)}"}`)).status, 413)
      assert.strictEqual((yield* read("owner_channel")).displayName, "Main owner channel")
    })
  )

  it.effect("changes text by text, and null takes one away", () =>
    Effect.gen(function* () {
      yield* make("owner", "changing", { description: "Before", support: "Nothing", publicEmail: "a@example.com" })
      const path = `${channels}/changing`
      const before = yield* read("changing")
      assert.strictEqual((yield* ask("owner", "PUT", path, { displayName: "After" })).status, 204)
      const renamed = yield* read("changing")
      assert.deepInclude(renamed, { displayName: "After", description: "Before", publicEmail: "a@example.com" })
      assert.isTrue(renamed.updatedAt >= before.updatedAt)
      const all = { displayName: "All", description: "New text", support: "Give", publicEmail: "b@example.com" }
      assert.strictEqual((yield* ask("owner", "PUT", path, all)).status, 204)
      assert.deepInclude(yield* read("changing"), all)
      const none = { description: null, support: null, publicEmail: null }
      assert.strictEqual((yield* ask("owner", "PUT", path, none)).status, 204)
      assert.deepInclude(yield* read("changing"), { ...none, displayName: "All" })
      const { owner } = yield* Crew
      const form = yield* send(`/api/v1${path}`, {
        method: "PUT",
        headers: { authorization: `Bearer ${owner}` },
        body: new URLSearchParams({ displayName: "By form", description: "Of a form", support: "null" })
      })
      assert.strictEqual(form.status, 204, form.text)
      assert.deepInclude(yield* read("changing"), { displayName: "By form", description: "Of a form", support: null })
      const updates = (yield* activitiesOf("changing")).filter(({ action }) => action === 2).length
      assert.strictEqual(updates, 4)
      assert.strictEqual((yield* ask("owner", "PUT", path, {})).status, 204)
      assert.strictEqual((yield* activitiesOf("changing")).length, updates + 1)
    })
  )

  it.effect("gives its support text to all its videos when it is asked to", () =>
    Effect.gen(function* () {
      const video = yield* addVideo({ owner: "owner" })
      const elsewhere = yield* addVideo({ owner: "stranger" })
      const support = (uuid: string) =>
        Effect.map(send(`/api/v1/videos/${uuid}`), ({ json }) => json.support as unknown)
      const path = `${channels}/owner_channel`
      yield* ask("owner", "PUT", path, { support: "Only the channel" })
      assert.isNull(yield* support(video.uuid))
      yield* ask("owner", "PUT", path, { support: "Everything", bulkVideosSupportUpdate: true })
      assert.deepStrictEqual([yield* support(video.uuid), yield* support(elsewhere.uuid)], ["Everything", null])
      yield* ask("owner", "PUT", path, { support: null, bulkVideosSupportUpdate: true })
      assert.isNull(yield* support(video.uuid))
    })
  )

  it.effect("is found by its exact name alone", () =>
    Effect.gen(function* () {
      yield* make("owner", "under_score")
      for (const name of ["under_score", "UNDER_SCORE", "@under_score", "under_score@localhost:9000"]) {
        assert.strictEqual((yield* ask("anonymous", "GET", `${channels}/${name}`)).status, 200, name)
      }
      for (const name of ["underXscore", "under-score", "under_score@elsewhere.example", "under"]) {
        assert.strictEqual((yield* ask("anonymous", "GET", `${channels}/${name}`)).status, 404, name)
      }
      for (const name of ["under%25score", "%25", "under_score@", "a%00b", "under_score@a@b"]) {
        assert.strictEqual((yield* ask("anonymous", "GET", `${channels}/${name}`)).status, 400, name)
      }
    })
  )

  it.effect("is changed by its people and by moderators", () =>
    Effect.gen(function* () {
      const path = `${channels}/owner_channel`
      const statuses: Record<string, number> = {}
      for (const who of members) {
        statuses[who] = (yield* ask(who, "PUT", path, { description: `By ${who}` })).status
        if (statuses[who] === 204) assert.strictEqual((yield* read("owner_channel")).description, `By ${who}`)
      }
      assert.deepStrictEqual(statuses, { anonymous: 401, stranger: 403, helper: 204, moderator: 204, owner: 204 })
      assert.deepStrictEqual(
        (yield* activitiesOf("owner_channel")).slice(-3).map(({ who }) => who),
        ["helper", "moderator", "owner"]
      )
      for (const [method, body] of [
        ["PUT", {}],
        ["DELETE", undefined]
      ] as const) {
        assert.strictEqual((yield* ask("owner", method, `${channels}/nobody`, body)).status, 404)
      }
      // What is wrong with the request is told before whether the channel is there.
      assert.deepStrictEqual(refused(yield* ask("stranger", "PUT", `${channels}/nobody`, { displayName: 1 })), [
        "displayName"
      ])
    })
  )

  it.effect("of another instance is nobody's here", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`insert into server (host) values ('far.example')`
      const actors = yield* sql<{ id: number }>`
        insert into actor (type, preferred_username, server_id, url, inbox_url, public_key)
        select t, n, s.id, 'https://far.example/' || n, 'https://far.example/inbox', 'k'
        from server s, (values ('Person', 'fara'), ('Group', 'farc')) v (t, n) where s.host = 'far.example' returning id`
      yield* sql`insert into account (actor_id, display_name) values (${actors[0]!.id}, 'Far')`
      yield* sql`
        insert into video_channel (actor_id, account_id, display_name)
        select ${actors[1]!.id}, id, 'Far channel' from account where actor_id = ${actors[0]!.id}`
      assert.deepInclude((yield* ask("anonymous", "GET", `${channels}/farc@far.example`)).json, {
        isLocal: false,
        host: "far.example"
      })
      for (const who of ["owner", "moderator", "administrator"] as const) {
        assert.strictEqual((yield* ask(who, "PUT", `${channels}/farc@far.example`, { support: "Mine" })).status, 403)
        assert.strictEqual((yield* ask(who, "DELETE", `${channels}/farc@far.example`)).status, 403)
      }
    })
  )

  it.effect("fetches nothing from elsewhere where the operator has not allowed it", () =>
    Effect.gen(function* () {
      const path = `${channels}/owner_channel/import-videos`
      const body = { externalChannelUrl: "https://videos.example/c/other" }
      const statuses: Record<string, number> = {}
      for (const who of members) statuses[who] = (yield* ask(who, "POST", path, body)).status
      assert.deepStrictEqual(statuses, { anonymous: 401, stranger: 403, helper: 403, moderator: 403, owner: 403 })
      assert.include((yield* ask("owner", "POST", path, body)).json.detail, "not imported")
      for (const externalChannelUrl of [
        undefined,
        "file:///etc/passwd",
        "x",
        5,
        `https://a.example/${"x".repeat(2000)}`
      ]) {
        const answer = yield* ask("owner", "POST", path, { externalChannelUrl, videoChannelSyncId: 0 })
        assert.deepStrictEqual(refused(answer), ["externalChannelUrl", "videoChannelSyncId"])
      }
      assert.strictEqual((yield* ask("owner", "POST", `${channels}/nobody/import-videos`, body)).status, 404)
    })
  )
})

const imports = { import: { videos: { http: { enabled: true } } }, video_channels: { max_per_user: 3 } }
layer(crewNode(imports), { excludeTestServices: true, timeout: 60_000 })("Where the operator said so", (it) => {
  it.effect("the videos of a channel elsewhere are fetched by those who publish in the channel", () =>
    Effect.gen(function* () {
      const path = `${channels}/owner_channel/import-videos`
      const body = { externalChannelUrl: "https://videos.example/c/other" }
      const statuses: Record<string, number> = {}
      for (const who of members) statuses[who] = (yield* ask(who, "POST", path, body)).status
      assert.deepStrictEqual(statuses, { anonymous: 401, stranger: 403, helper: 204, moderator: 403, owner: 204 })
      const inside = { externalChannelUrl: "https://10.0.0.1/c/other" }
      assert.strictEqual((yield* ask("owner", "POST", path, inside)).status, 403)
    })
  )

  it.effect("an account has so many channels, however many are asked for at once", () =>
    Effect.gen(function* () {
      const made = yield* Effect.all(
        [1, 2, 3, 4, 5].map((n) => ask("owner", "POST", channels, { name: `many${n}`, displayName: "Many" })),
        { concurrency: 5 }
      )
      assert.deepStrictEqual(made.map(({ status }) => status).toSorted(), [200, 200, 400, 400, 400])
      assert.include(made.find(({ status }) => status === 400)!.json.detail, "at most 3")
      assert.strictEqual((yield* ask("anonymous", "GET", "/accounts/owner/video-channels")).json.total, 3)
      // Channels worked on for others do not count.
      yield* make("helper", "helpers_own")
      yield* make("helper", "helpers_other")
    })
  )
})
