import { assert, layer } from "@effect/vitest"
import { VideoChannelList, VideoChannelSyncList } from "@kinora/domain/wire/VideoChannelAnswers"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { addVideo } from "../../video/list/Videos.ts"
import { ask, collaborate, crewNode, type Member, members, refused } from "./Crew.ts"

const isList = Schema.is(VideoChannelList)
const isSyncs = Schema.is(VideoChannelSyncList)

// oxlint-disable-next-line typescript/no-explicit-any -- answers are compared field by field
const names = (json: any): ReadonlyArray<string> => json.data.map((channel: { name: string }) => channel.name)

const make = Effect.fnUntraced(function* (name: string, displayName: string) {
  const made = yield* ask("owner", "POST", "/video-channels", { name, displayName })
  assert.strictEqual(made.status, 200, made.text)
  return made.json.videoChannel.id as number
})

/** The day it is for the database, which counts views by it: milliseconds of its beginning (UTC). */
const today = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ day: string }>`select current_date::text as day`
  return Date.parse(`${rows[0]!.day}T00:00:00.000Z`)
}).pipe(Effect.orDie)

const dayLength = 86_400_000
const iso = (instant: number) => new Date(instant).toISOString()

/** Writes down views of a video on a day. */
const view = Effect.fnUntraced(function* (videoId: number, day: number, views: number) {
  const sql = yield* SqlClient
  yield* sql`
    insert into video_view_day (video_id, day, views) values (${videoId}, ${iso(day)}::text::timestamptz::date, ${views})`
}, Effect.orDie)

/** Asks as a member on a day that does not end meanwhile, and tells which it was. */
const askWithinDay = (who: Member, path: string) =>
  Effect.all({ before: today, answer: ask(who, "GET", path), after: today }).pipe(
    Effect.repeat({ until: ({ after, before }) => before === after }),
    Effect.map(({ after, answer }) => ({ json: answer.json, today: after }))
  )

layer(crewNode(), { excludeTestServices: true, timeout: 60_000 })("Lists of channels", (it) => {
  it.effect("hold every channel, in the order asked for", () =>
    Effect.gen(function* () {
      yield* make("Zebra", "First of all")
      yield* make("aardvark", "Zoo 100%")
      const path = "/video-channels"
      const { json } = yield* ask("anonymous", "GET", path)
      assert.isTrue(isList(json), JSON.stringify(json))
      const all = [
        "root_channel",
        "owner_channel",
        "helper_channel",
        "stranger_channel",
        "moderator_channel",
        "Zebra",
        "aardvark"
      ]
      assert.deepStrictEqual([json.total, names(json)], [7, all.toReversed()])
      assert.isUndefined(json.data[0].viewsPerDay)
      const sorted = (sort: string) =>
        Effect.map(ask("anonymous", "GET", `${path}?sort=${sort}`), (it) => names(it.json))
      assert.deepStrictEqual(yield* sorted("createdAt"), all)
      assert.deepStrictEqual(yield* sorted("id"), all)
      assert.deepStrictEqual(yield* sorted("-id"), all.toReversed())
      const byName = all.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
      assert.deepStrictEqual(yield* sorted("name"), byName)
      yield* ask("owner", "PUT", "/video-channels/owner_channel", { description: "Changed last" })
      assert.strictEqual((yield* sorted("-updatedAt"))[0], "owner_channel")
      assert.deepStrictEqual(
        names((yield* ask("anonymous", "GET", `${path}?count=2&start=5&sort=id`)).json),
        all.slice(5)
      )
      assert.deepStrictEqual((yield* ask("anonymous", "GET", `${path}?count=0`)).json, { total: 7, data: [] })
      for (const list of [path, "/accounts/owner/video-channels"]) {
        for (const query of ["sort=displayName", "sort=ID", "count=101", "count=-1", "start=-1", "sort=id;drop"]) {
          const answer = yield* ask("anonymous", "GET", `${list}?${query}`)
          assert.deepStrictEqual([query, refused(answer)], [query, [query.split("=")[0]!]])
        }
      }
    })
  )

  it.effect("of an account find what is searched for, wildcards taken as they are", () =>
    Effect.gen(function* () {
      const path = "/accounts/owner/video-channels"
      const { json } = yield* ask("anonymous", "GET", path)
      assert.isTrue(isList(json))
      assert.deepStrictEqual([json.total, names(json)], [3, ["aardvark", "Zebra", "owner_channel"]])
      for (const [search, found] of [
        ["zoo", ["aardvark"]],
        ["ZEB", ["Zebra"]],
        ["all", ["Zebra"]],
        ["r_c", ["owner_channel"]],
        ["0%", ["aardvark"]],
        ["%", ["aardvark"]],
        ["z_bra", []],
        ["z＿bra", []],
        ["0％", ["aardvark"]],
        ["\\", []]
      ] as const) {
        const found_ = (yield* ask("anonymous", "GET", `${path}?search=${encodeURIComponent(search)}`)).json
        assert.deepStrictEqual([search, found_.total, names(found_)], [search, found.length, found])
      }
    })
  )

  it.effect("of an account hold what it works on for others, for the account and moderators", () =>
    Effect.gen(function* () {
      const path = "/accounts/helper/video-channels"
      const sql = yield* SqlClient
      yield* sql`
        insert into video_channel_collaborator (channel_id, account_id, state)
        select c.id, u.id, 1 from video_channel c join actor a on a.id = c.actor_id, account u
        join app_user p on p.id = u.user_id where a.preferred_username = 'Zebra' and p.username = 'helper'`
      const found: Record<string, ReadonlyArray<string>> = {}
      for (const who of members)
        found[who] = names((yield* ask(who, "GET", `${path}?includeCollaborations=true&sort=id`)).json)
      const own = ["helper_channel"]
      const all = ["owner_channel", "helper_channel"]
      assert.deepStrictEqual(found, { anonymous: own, stranger: own, helper: all, moderator: all, owner: own })
      assert.deepStrictEqual(names((yield* ask("helper", "GET", path)).json), own)
    })
  )

  it.effect("of an account tell its user of views by day, days without any too", () =>
    Effect.gen(function* () {
      const first = yield* addVideo({ owner: "owner" })
      const second = yield* addVideo({ owner: "owner", privacy: 3 })
      const sql = yield* SqlClient
      yield* sql`update video set views = 40 where id = ${first.id}`
      yield* sql`update video set views = 2 where id = ${second.id}`
      const start = yield* today
      const seen = new Map<number, number>()
      for (const [video, daysAgo, views] of [
        [first, 0, 3],
        [second, 0, 4],
        [first, 29, 5],
        [first, 30, 7],
        [first, 364, 11],
        [first, 400, 13]
      ] as const) {
        const day = start - daysAgo * dayLength
        yield* view(video.id, day, views)
        seen.set(day, (seen.get(day) ?? 0) + views)
      }
      /** What is expected by day or month, from the first day on. */
      const series = (from: number, to: number, unit: "day" | "month") => {
        const moment = (day: number) => (unit === "day" ? iso(day) : `${iso(day).slice(0, 8)}01T00:00:00.000Z`)
        const views = new Map<string, number>()
        for (let day = from; day <= to; day += dayLength) {
          views.set(moment(day), (views.get(moment(day)) ?? 0) + (seen.get(day) ?? 0))
        }
        return Array.from(views, ([date, views]) => ({ date, views }))
      }
      const path = "/accounts/owner/video-channels?withStats=true"
      const { json, today: asked } = yield* askWithinDay("owner", `${path}&sort=id`)
      assert.isTrue(isList(json), JSON.stringify(json))
      assert.deepStrictEqual([json.total, names(json)], [3, ["owner_channel", "Zebra", "aardvark"]])
      const [channel, empty] = json.data
      assert.deepInclude(channel, { videosCount: 2, totalViews: 42, viewsGroupInterval: "1 day" })
      assert.deepStrictEqual(channel.viewsPerDay, series(asked - 29 * dayLength, asked, "day"))
      assert.deepInclude(empty, { videosCount: 0, totalViews: 0, viewsGroupInterval: "1 day" })
      assert.deepStrictEqual(
        empty.viewsPerDay.map(({ views }: { views: number }) => views),
        Array.from({ length: 30 }, () => 0)
      )
      for (const [days, unit] of [
        [90, "day"],
        [365, "month"],
        [0, "month"]
      ] as const) {
        const answer = yield* askWithinDay("owner", `${path}&statsDays=${days}&sort=id&count=1`)
        assert.isTrue(isList(answer.json))
        const from = days === 0 ? start - 400 * dayLength : answer.today - (days - 1) * dayLength
        const { totalViews, viewsGroupInterval, viewsPerDay } = answer.json.data[0]
        assert.deepStrictEqual(
          { totalViews, viewsGroupInterval, viewsPerDay },
          { totalViews: 42, viewsGroupInterval: `1 ${unit}`, viewsPerDay: series(from, answer.today, unit) }
        )
      }
      const young = yield* askWithinDay("stranger", "/accounts/stranger/video-channels?withStats=true&statsDays=0")
      assert.strictEqual(young.json.data[0].viewsGroupInterval, "1 day")
      assert.deepStrictEqual(young.json.data[0].viewsPerDay.at(-1), { date: iso(young.today), views: 0 })
      for (const who of ["anonymous", "stranger", "helper", "moderator", "administrator"] as const) {
        const other = yield* ask(who, "GET", path)
        assert.strictEqual(other.status, 200)
        for (const name of ["videosCount", "viewsPerDay", "totalViews", "viewsGroupInterval"]) {
          assert.notProperty(other.json.data[0], name, who)
        }
      }
      const worked = yield* ask(
        "helper",
        "GET",
        "/accounts/helper/video-channels?withStats=true&includeCollaborations=true&sort=id"
      )
      assert.strictEqual(worked.json.data[0].totalViews, 42)
      for (const query of ["statsDays=7", "statsDays=x", "withStats=maybe", "includeCollaborations=2"]) {
        assert.deepStrictEqual(refused(yield* ask("owner", "GET", `${path.split("?")[0]}?${query}`)), [
          query.split("=")[0]!
        ])
      }
    })
  )

  it.effect("that synchronise with others are for the user of the account", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      for (const [channel, url, state, last] of [
        ["owner_channel", "https://b.example/c", 2, null],
        ["Zebra", "https://a.example/c", 4, "2026-01-02T03:04:05.678Z"],
        ["stranger_channel", "https://s.example/c", 1, null]
      ] as const) {
        yield* sql`
          insert into video_channel_sync (channel_id, external_channel_url, state, video_privacy, last_sync_at, created_at)
          select c.id, ${url}, ${state}, 3, ${last}::timestamptz, now() from video_channel c join actor a on a.id = c.actor_id
          where a.preferred_username = ${channel}::citext`
      }
      const path = "/accounts/owner/video-channel-syncs"
      const { json } = yield* ask("owner", "GET", path)
      assert.isTrue(isSyncs(json), JSON.stringify(json))
      // oxlint-disable-next-line typescript/no-explicit-any -- answers are compared field by field
      const urls = (answer: any) => answer.data.map((one: any) => one.externalChannelUrl[8])
      assert.deepStrictEqual([json.total, urls(json)], [2, ["a", "b"]])
      assert.deepInclude(json.data[0], {
        state: { id: 4, label: "Failed" },
        lastSyncAt: "2026-01-02T03:04:05.678Z",
        videoPrivacy: 3
      })
      assert.strictEqual(json.data[0].channel.name, "Zebra")
      for (const [sort, order] of [
        ["externalChannelUrl", ["a", "b"]],
        ["-externalChannelUrl", ["b", "a"]],
        ["videoChannel", ["b", "a"]],
        ["-videoChannel", ["a", "b"]],
        ["createdAt", ["b", "a"]],
        ["lastSyncAt", ["b", "a"]],
        ["-lastSyncAt", ["a", "b"]],
        ["state", ["b", "a"]]
      ] as const) {
        assert.deepStrictEqual([sort, urls((yield* ask("owner", "GET", `${path}?sort=${sort}`)).json)], [sort, order])
      }
      assert.deepStrictEqual((yield* ask("owner", "GET", `${path}?count=0`)).json, { total: 2, data: [] })
      for (const query of ["sort=id", "sort=channel", "count=101", "includeCollaborations=x"]) {
        assert.deepStrictEqual(refused(yield* ask("owner", "GET", `${path}?${query}`)), [query.split("=")[0]!])
      }
      const statuses: Record<string, number> = {}
      for (const who of members) statuses[who] = (yield* ask(who, "GET", path)).status
      assert.deepStrictEqual(statuses, { anonymous: 401, stranger: 403, helper: 403, moderator: 403, owner: 200 })
      yield* collaborate("Zebra", "stranger")
      const own = "/accounts/stranger/video-channel-syncs"
      assert.deepStrictEqual(urls((yield* ask("stranger", "GET", own)).json), ["s"])
      const both = (yield* ask("stranger", "GET", `${own}?includeCollaborations=true&sort=externalChannelUrl`)).json
      assert.deepStrictEqual([both.total, urls(both)], [2, ["a", "s"]])
    })
  )
})
