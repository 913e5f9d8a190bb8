import { assert, layer } from "@effect/vitest"
import { constraints } from "@kinora/domain/enums/Constraints"
import { SubscribedChannelList } from "@kinora/domain/wire/SubscribedChannel"
import { SubscriptionGroupList } from "@kinora/domain/wire/SubscriptionGroup"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { bearer, send } from "../../instance/about/Client.ts"
import { follow } from "../../people/account/Follows.ts"
import { newUser, sendJson } from "../../people/me/Changes.ts"
import { People, peopledNode } from "../../video/list/People.ts"
import { addVideo } from "../../video/list/Videos.ts"

const path = "/api/v1/users/me/subscription-groups"
const subscriptions = "/api/v1/users/me/subscriptions"
const here = "localhost:9000"

const decodeGroups = Schema.decodeUnknownEffect(SubscriptionGroupList)
const decodeChannels = Schema.decodeUnknownEffect(SubscribedChannelList)

const read = Effect.fnUntraced(function* (token: string, asked: string) {
  const answer = yield* send(asked, bearer(token))
  assert.strictEqual(answer.status, 200, `${asked}: ${answer.text}`)
  return answer.json
})

const groups = Effect.fnUntraced(function* (token: string) {
  const list = yield* decodeGroups(yield* read(token, path))
  assert.strictEqual(list.total, list.data.length)
  return list.data.map(({ channels, name }) => ({ name, channels }))
})

const create = (token: string, body: unknown) => sendJson("POST", path, token, body)

const created = Effect.fnUntraced(function* (token: string, name: string, channels: ReadonlyArray<string> = []) {
  const answer = yield* create(token, { name, channels })
  assert.strictEqual(answer.status, 200, answer.text)
  return answer.json.subscriptionGroup.id as number
})

const change = (token: string, id: number, body: unknown) => sendJson("PUT", `${path}/${id}`, token, body)

/** A user who follows channels of others, made for the test. */
const reader = Effect.fnUntraced(function* (name: string, makers: ReadonlyArray<string>) {
  const token = yield* newUser(name)
  for (const [n, maker] of makers.entries()) {
    yield* newUser(maker)
    yield* follow(name, `${maker}_channel`, makers.length - n)
  }
  return token
})

layer(peopledNode, { excludeTestServices: true, timeout: 60_000 })("Groups of subscriptions", (it) => {
  it.effect("are made, renamed, filled and deleted", () =>
    Effect.gen(function* () {
      const token = yield* reader("rita", ["maya", "noel", "olga"])
      assert.deepStrictEqual(yield* groups(token), [])
      const news = yield* created(token, "  News ", ["maya_channel", `noel_channel@${here}`, "maya_channel"])
      yield* created(token, "art")
      const maya = `maya_channel@${here}`
      const noel = `noel_channel@${here}`
      assert.deepStrictEqual(yield* groups(token), [
        { name: "art", channels: [] },
        { name: "News", channels: [maya, noel] }
      ])
      assert.strictEqual((yield* change(token, news, { name: "news" })).status, 204)
      assert.strictEqual((yield* change(token, news, { addChannels: ["olga_channel"] })).status, 204)
      assert.deepStrictEqual((yield* groups(token))[1], {
        name: "news",
        channels: [maya, noel, `olga_channel@${here}`]
      })
      const removed = ["noel_channel", "olga_channel", "nobody@elsewhere.example"]
      assert.strictEqual((yield* change(token, news, { removeChannels: removed })).status, 204)
      assert.deepStrictEqual((yield* groups(token))[1], { name: "news", channels: [maya] })
      assert.strictEqual((yield* change(token, news, { channels: ["noel_channel"] })).status, 204)
      assert.deepStrictEqual((yield* groups(token))[1], { name: "news", channels: [noel] })
      assert.strictEqual((yield* change(token, news, { channels: [] })).status, 204)
      assert.deepStrictEqual((yield* groups(token))[1], { name: "news", channels: [] })
      assert.strictEqual((yield* sendJson("DELETE", `${path}/${news}`, token, undefined)).status, 204)
      assert.strictEqual((yield* sendJson("DELETE", `${path}/${news}`, token, undefined)).status, 404)
      assert.deepStrictEqual(
        (yield* groups(token)).map(({ name }) => name),
        ["art"]
      )
    })
  )

  it.effect("narrow videos and channels down, in every way those are listed", () =>
    Effect.gen(function* () {
      const token = yield* reader("sam", ["ann", "ben", "cleo"])
      const sql = yield* SqlClient
      const older = yield* addVideo({ owner: "ann" })
      const newer = yield* addVideo({ owner: "ben" })
      yield* sql`update video set published_at = now() - interval '1 day', views = 9, name = 'Kangaroos' where id = ${older.id}`
      const [one, both, none] = [
        yield* created(token, "one", ["ann_channel"]),
        yield* created(token, "both", ["ann_channel", "ben_channel"]),
        yield* created(token, "none")
      ]
      const videos = Effect.fnUntraced(function* (query: string) {
        const { data, total } = yield* read(token, `${subscriptions}/videos?${query}`)
        return { total, ids: data.map(({ id }: { readonly id: number }) => id) }
      })
      for (const [query, ids] of [
        ["", [newer.id, older.id]],
        [`groupId=${both}`, [newer.id, older.id]],
        [`groupId=${one}`, [older.id]],
        [`groupId=${none}`, []],
        [`groupId=${both}&sort=-views`, [older.id, newer.id]],
        [`groupId=${one}&sort=-views`, [older.id]],
        [`groupId=${both}&search=kangaroos`, [older.id]],
        [`groupId=${none}&search=kangaroos`, []]
      ] as const) {
        assert.deepStrictEqual(yield* videos(query), { total: ids.length, ids: [...ids] }, query)
      }
      const channels = Effect.fnUntraced(function* (query: string) {
        const { data, total } = yield* decodeChannels(yield* read(token, `${subscriptions}?${query}`))
        return { total, names: data.map(({ name }) => name.replace("_channel", "")) }
      })
      assert.deepStrictEqual(yield* channels("sort=-latestVideoAt"), { total: 3, names: ["ben", "ann", "cleo"] })
      assert.deepStrictEqual(yield* channels("sort=latestVideoAt&count=2"), { total: 3, names: ["cleo", "ann"] })
      assert.deepStrictEqual(yield* channels(`groupId=${one}`), { total: 1, names: ["ann"] })
      assert.deepStrictEqual(yield* channels(`groupId=${both}&search=ben`), { total: 1, names: ["ben"] })
      assert.deepStrictEqual(yield* channels(`groupId=${none}`), { total: 0, names: [] })
      const { data } = yield* decodeChannels(yield* read(token, `${subscriptions}?sort=-latestVideoAt`))
      const [published] = yield* sql<{ at: string }>`
        select wire_time(published_at) as at from video where id = ${newer.id}`
      assert.deepStrictEqual([data[0]?.latestVideoAt, data[2]?.latestVideoAt], [published?.at, null])
      assert.strictEqual((yield* send(`${subscriptions}/videos?groupId=none`, bearer(token))).status, 400)
    })
  )

  it.effect("are their user's alone", () =>
    Effect.gen(function* () {
      const token = yield* reader("tess", ["dora"])
      const { other } = yield* People
      yield* follow("other", "dora_channel", 1)
      yield* addVideo({ owner: "dora" })
      const id = yield* created(token, "Mine", ["dora_channel"])
      assert.deepStrictEqual(yield* groups(other), [])
      for (const answer of [
        yield* change(other, id, { name: "Theirs" }),
        yield* change(other, id, { addChannels: ["dora_channel"] }),
        yield* sendJson("DELETE", `${path}/${id}`, other, undefined),
        yield* send(`${subscriptions}/videos?groupId=${id}`, bearer(other)),
        yield* send(`${subscriptions}?groupId=${id}`, bearer(other))
      ]) {
        assert.strictEqual(answer.status, 404, answer.text)
        assert.strictEqual(answer.json.detail, "Group of subscriptions not found")
      }
      assert.strictEqual((yield* send(path)).status, 401)
      assert.deepStrictEqual(yield* groups(token), [{ name: "Mine", channels: [`dora_channel@${here}`] }])
    })
  )

  it.effect("refuse what cannot be, and stay as they were", () =>
    Effect.gen(function* () {
      const token = yield* reader("uma", ["fred"])
      yield* newUser("gwen")
      yield* follow("uma", "gwen_channel", 1, "rejected")
      const id = yield* created(token, "Calm", ["fred_channel"])
      for (const [body, status] of [
        [{ name: "CALM" }, 409],
        [{ name: "Wild", channels: ["gwen_channel"] }, 409],
        [{ name: "Wild", channels: ["no_such_channel"] }, 409],
        [{ name: "Wild", channels: ["fred"] }, 409],
        [{ name: "Wild", channels: ["not a handle"] }, 400],
        [{ name: "Wild", channels: Array.from({ length: 501 }, () => "fred_channel") }, 400],
        [{ name: "" }, 400],
        [{ name: "  " }, 400],
        [{ name: "a".repeat(51) }, 400],
        [{ name: "a\u202eb" }, 400],
        [{}, 400]
      ] as const) {
        assert.strictEqual((yield* create(token, body)).status, status, JSON.stringify(body))
      }
      const unfollowed = yield* change(token, id, { name: "New", addChannels: ["gwen_channel"] })
      assert.strictEqual(unfollowed.status, 409)
      assert.include(unfollowed.json.detail, "gwen_channel")
      assert.deepStrictEqual(yield* groups(token), [{ name: "Calm", channels: [`fred_channel@${here}`] }])
      yield* created(token, "Loud")
      assert.strictEqual((yield* change(token, id, { name: "loud" })).status, 409)
      assert.strictEqual((yield* change(token, 2_000_000_000, { name: "New" })).status, 404)
    })
  )

  it.effect("are so many, with so many channels, and no more", () =>
    Effect.gen(function* () {
      const token = yield* reader("vera", ["hugo"])
      const sql = yield* SqlClient
      const { channels, perUser } = constraints.subscriptionGroup
      const id = yield* created(token, "Full")
      yield* sql`insert into subscription_group (user_id, name)
        select u.id, 'group ' || n from app_user u, generate_series(2, ${perUser.max}::integer) n where u.username = 'vera'`
      const more = yield* create(token, { name: "One more" })
      assert.strictEqual(more.status, 409)
      assert.include(more.json.detail, String(perUser.max))
      yield* sql`insert into server (host) values ('many.example')`
      yield* sql`
        with a as (
          insert into actor (type, preferred_username, server_id, url, inbox_url, public_key)
          select 'Group', 'many_' || n, s.id, 'https://many.example/' || n, 'https://many.example/inbox', 'k'
          from server s, generate_series(1, ${channels.max}::integer) n where s.host = 'many.example' returning id
        ), f as (
          insert into actor_follow (actor_id, target_actor_id, state)
          select c.actor_id, a.id, 'accepted' from a, account c join app_user u on u.id = c.user_id where u.username = 'vera'
          returning id
        )
        insert into subscription_group_member (group_id, follow_id) select ${id}, id from f`
      const full = yield* change(token, id, { addChannels: ["hugo_channel"] })
      assert.strictEqual(full.status, 409)
      assert.include(full.json.detail, String(channels.max))
      const [kept] = yield* sql`select count(*) as count from subscription_group_member where group_id = ${id}`
      assert.deepStrictEqual(kept, { count: channels.max })
    })
  )

  it.effect("lose what is followed no longer, channels of other instances too, and go with their user", () =>
    Effect.gen(function* () {
      const token = yield* reader("wim", ["ines", "jack"])
      const sql = yield* SqlClient
      yield* sql`insert into server (host) values ('far.example')`
      yield* sql`
        with a as (
          insert into actor (type, preferred_username, server_id, url, inbox_url, public_key)
          select t.type, t.name, s.id, 'https://far.example/' || t.name, 'https://far.example/inbox', 'k'
          from server s, (values ('Person', 'far'), ('Group', 'far_channel')) t (type, name) where s.host = 'far.example'
          returning id, type
        ), p as (
          insert into account (actor_id, display_name) select id, 'Far' from a where type = 'Person' returning id
        )
        insert into video_channel (actor_id, account_id, display_name)
        select a.id, p.id, 'Far away' from a, p where a.type = 'Group'`
      // Asked to be followed: it may be sorted, and comes into the lists when it has accepted.
      assert.strictEqual(
        (yield* sendJson("POST", subscriptions, token, { uri: "far_channel@far.example" })).status,
        204
      )
      const all = ["ines_channel", "jack_channel", "far_channel@FAR.example"]
      const id = yield* created(token, "All", all)
      yield* created(token, "Again", all)
      const inside = Effect.map(groups(token), (them) =>
        them.map(({ channels }) => channels.map((it) => it.split("_")[0]))
      )
      assert.deepStrictEqual(yield* inside, [
        ["ines", "jack", "far"],
        ["ines", "jack", "far"]
      ])
      assert.strictEqual((yield* read(token, `${subscriptions}?groupId=${id}`)).total, 2)
      yield* sql`update actor_follow set state = 'accepted' where state = 'pending'`
      assert.strictEqual((yield* read(token, `${subscriptions}?groupId=${id}`)).total, 3)
      const unfollow = (handle: string) => sendJson("DELETE", `${subscriptions}/${handle}`, token, undefined)
      assert.strictEqual((yield* unfollow("ines_channel")).status, 204)
      assert.deepStrictEqual(yield* inside, [
        ["jack", "far"],
        ["jack", "far"]
      ])
      assert.strictEqual((yield* unfollow("far_channel@far.example")).status, 204)
      // Following it again puts it into no group.
      assert.strictEqual((yield* sendJson("POST", subscriptions, token, { uri: "ines_channel" })).status, 204)
      assert.deepStrictEqual(yield* inside, [["jack"], ["jack"]])
      yield* Effect.forEach(
        ["ines_channel", "jack_channel"],
        (handle) => Effect.all([unfollow(handle), change(token, id, { channels: [] })], { concurrency: 2 }),
        { concurrency: 2 }
      )
      assert.deepStrictEqual(yield* inside, [[], []])
      const [user] = yield* sql<{ id: number }>`select id from app_user where username = 'wim'`
      yield* sql`delete from app_user where id = ${user!.id}`
      assert.deepStrictEqual(yield* sql`select 1 from subscription_group where user_id = ${user!.id}`, [])
    })
  )
})
