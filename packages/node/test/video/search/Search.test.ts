import { assert, layer } from "@effect/vitest"
import { toShortUuid } from "@kinora/domain/ids/ShortUuid"
import { ReadModelRefresher } from "@kinora/storage/video/read/ReadModelRefresher"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as fc from "fast-check"
import { send } from "../../instance/about/Client.ts"
import { People, type Person } from "../list/People.ts"
import { asked, found, node, owned, video } from "./Searching.ts"

layer(node, { excludeTestServices: true, timeout: 120_000 })("search for videos", (it) => {
  it.effect("finds words of names, descriptions, tags and owners, whatever their accents, stems and order", () =>
    Effect.gen(function* () {
      yield* video("Le déjeuner sur l'herbe", { language: "fr", description: "Une peinture des chevaux à la mer" })
      yield* video("Running with wolves", { language: "en", description: "A documentary about mountains" })
      yield* video("Кошки и собаки", { language: "ru" })
      yield* video("富士山の登山", { language: "ja" })
      yield* video("Untitled", { tags: ["permaculture", "raised beds"] })
      for (const [search, name] of [
        ["dejeuner", "Le déjeuner sur l'herbe"],
        ["HERBE déjeuner", "Le déjeuner sur l'herbe"],
        ["cheval", "Le déjeuner sur l'herbe"],
        ["runs", "Running with wolves"],
        ["mountain", "Running with wolves"],
        ["how to run with the wolf", undefined],
        ["run with the mountains", "Running with wolves"],
        ["кошка", "Кошки и собаки"],
        ["登山", "富士山の登山"],
        ["山登", undefined],
        ["Permaculture", "Untitled"],
        ["beds raised", "Untitled"],
        ["permac", "Untitled"],
        ["culture", undefined]
      ] as const) {
        assert.deepStrictEqual([search, yield* found(search)], [search, name === undefined ? [] : [name]])
      }
      assert.strictEqual((yield* found("owner")).length, 5)
    })
  )

  it.effect("takes phrases and exclusions, and nothing else for an operator", () =>
    Effect.gen(function* () {
      yield* video("Green tea ceremony")
      yield* video("Tea from green leaves")
      assert.sameMembers(yield* found("green tea"), ["Green tea ceremony", "Tea from green leaves"])
      assert.deepStrictEqual(yield* found(`"green tea"`), ["Green tea ceremony"])
      assert.deepStrictEqual(yield* found("green -ceremony"), ["Tea from green leaves"])
      assert.deepStrictEqual(yield* found(`green -"tea ceremony"`), ["Tea from green leaves"])
      assert.deepStrictEqual(yield* found("-ceremony"), [])
      assert.deepStrictEqual(yield* found("green | nothing"), [])
      assert.deepStrictEqual(yield* found("!ceremony & tea"), ["Green tea ceremony"])
      for (const search of ["%", "_", "'", "\\", "***", '"', "-", "()", "<->", "''':*"])
        assert.deepStrictEqual(yield* found(search), [])
    })
  )

  it.effect("finds what a misspelt word was meant to be, the more common of two", () =>
    Effect.gen(function* () {
      yield* video("Astronomy for beginners")
      yield* video("Astronomers at work")
      yield* (yield* ReadModelRefresher).refresh(1000)
      assert.deepStrictEqual(yield* found("astronmy"), ["Astronomy for beginners"])
      assert.deepStrictEqual(yield* found("astronoym begginers"), ["Astronomy for beginners"])
      assert.deepStrictEqual(yield* found("xqzwvk"), [])
    })
  )

  it.effect("ranks names before descriptions, then what is watched more and what is younger", () =>
    Effect.gen(function* () {
      const at = (years: number) => new Date(Date.UTC(2026 - years, 0, 1)).toISOString()
      yield* video("Else", { description: "told of a volcano", views: 1000, published_at: at(0) })
      yield* video("Volcano old", { views: 10, published_at: at(9) })
      yield* video("Volcano watched", { views: 100_000, published_at: at(1) })
      yield* video("Volcano young", { views: 10, published_at: at(0) })
      assert.deepStrictEqual(yield* found("volcano"), ["Volcano watched", "Volcano young", "Volcano old", "Else"])
      assert.deepStrictEqual(yield* found({ search: "volcano", sort: "-publishedAt" }), [
        "Volcano young",
        "Else",
        "Volcano watched",
        "Volcano old"
      ])
      assert.deepStrictEqual((yield* found({ search: "volcano", sort: "name" }))[0], "Else")
      assert.deepStrictEqual((yield* found({ search: "volcano", sort: "-views" }))[0], "Volcano watched")
      assert.deepStrictEqual(yield* found({ search: "volcano", start: "1", count: "2" }), [
        "Volcano young",
        "Volcano old"
      ])
    })
  )

  it.effect("follows changes of names, tags and owners in both directions", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { id } = yield* video("Zebrafish", { tags: ["aquarium"] })
      yield* sql`update video set name = 'Goldfish' where id = ${id}`
      assert.deepStrictEqual(yield* found("zebrafish"), [])
      assert.deepStrictEqual(yield* found("goldfish aquarium"), ["Goldfish"])
      yield* sql`delete from video_tag where video_id = ${id}`
      assert.deepStrictEqual(yield* found("goldfish aquarium"), [])
      yield* sql`update video_channel set display_name = 'Marmalade' where id = ${(yield* owned).channel_id}`
      yield* (yield* ReadModelRefresher).refresh(1000)
      assert.deepStrictEqual(yield* found("goldfish marmalade"), ["Goldfish"])
      yield* sql`delete from video where id = ${id}`
      assert.deepStrictEqual(yield* found("goldfish"), [])
    })
  )

  it.effect("applies every filter", () =>
    Effect.gen(function* () {
      const first = yield* video("Filtered one", {
        category: 1,
        licence: 2,
        language: "de",
        duration: 10,
        tags: ["odd"],
        published_at: "2020-05-01T00:00:00Z",
        originally_published_at: "1999-05-01T00:00:00Z"
      })
      yield* video("Filtered two", { category: 2, duration: 1000, nsfw: true, published_at: "2021-05-01T00:00:00Z" })
      const only = (query: Record<string, string>) =>
        Effect.map(found({ search: "filtered", nsfw: "both", ...query }), (names) => names.toSorted())
      assert.deepStrictEqual(yield* only({}), ["Filtered one", "Filtered two"])
      for (const query of [
        { categoryOneOf: "1" },
        { licenceOneOf: "2" },
        { languageOneOf: "de" },
        { tagsOneOf: "odd" },
        { tagsAllOf: "ODD" },
        { durationMax: "10" },
        { endDate: "2020-06-01T00:00:00.000Z" },
        { originallyPublishedStartDate: "1999-01-01", originallyPublishedEndDate: "1999-12-31" },
        { nsfw: "false" },
        { uuids: first.uuid }
      ]) {
        assert.deepStrictEqual([query, yield* only(query as Record<string, string>)], [query, ["Filtered one"]])
      }
      assert.deepStrictEqual(yield* only({ durationMin: "11" }), ["Filtered two"])
      assert.deepStrictEqual(yield* only({ startDate: "2020-06-01" }), ["Filtered two"])
      assert.deepStrictEqual(yield* only({ host: "elsewhere.example" }), [])
      assert.deepStrictEqual(yield* only({ host: "localhost:9000" }), ["Filtered one", "Filtered two"])
      assert.deepStrictEqual(yield* only({ isLocal: "false" }), [])
      assert.deepStrictEqual(yield* only({ isLive: "true" }), [])
      assert.deepStrictEqual(yield* only({ hasHLSFiles: "true" }), [])
      assert.deepStrictEqual(yield* found({ uuids: first.uuid }), ["Filtered one"])
    })
  )

  it.effect("never finds what its reader may not list", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const hidden = yield* video("Confidential", { privacy: 3 })
      yield* video("Confidential inside", { privacy: 4 })
      yield* video("Confidential unlisted", { privacy: 2 })
      yield* video("Confidential unfinished", { state: 2 })
      const { id } = yield* video("Confidential blacklisted")
      yield* sql`insert into video_blacklist (video_id) values (${id})`
      assert.deepStrictEqual(yield* found("confidential"), [])
      assert.deepStrictEqual(yield* found("confidential", "other"), ["Confidential inside"])
      for (const search of [hidden.uuid, `http://localhost:9000/w/${hidden.uuid}`]) {
        assert.deepStrictEqual(yield* found(search, "other"), [])
      }
      yield* sql`update video set privacy = 1 where id = ${hidden.id}`
      assert.deepStrictEqual(yield* found("confidential"), ["Confidential"])
      const blocked = yield* found("confidential", "other")
      assert.strictEqual(blocked.length, 2)
      yield* sql`insert into account_block (account_id, target_account_id)
        select a.id, ${(yield* owned).account_id} from app_user u join account a on a.user_id = u.id where u.username = 'other'`
      assert.deepStrictEqual(yield* found("confidential", "other"), [])
      yield* sql`delete from account_block`
      assert.strictEqual((yield* asked("videos", { search: "x", include: "1" })).status, 401)
      assert.strictEqual((yield* asked("videos", { search: "x", include: "1" }, "other")).status, 403)
      assert.include(
        yield* found({ search: "confidential", include: "1", privacyOneOf: "1" }, "moderator"),
        "Confidential unfinished"
      )
    })
  )

  it.effect("hides whom the instance or the searcher blocks, accounts and servers, from videos and channels", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const made = yield* sql<{ server: number; account: number; channel: number }>`
        with s as (insert into server (host) values ('walrus.example') returning id),
          p as (insert into actor (type, preferred_username, server_id, url, inbox_url, public_key)
            select 'Person', 'walrus', id, 'https://walrus.example/accounts/walrus', 'https://walrus.example/i', 'k' from s
            returning id),
          g as (insert into actor (type, preferred_username, server_id, url, inbox_url, public_key)
            select 'Group', 'walrus_channel', id, 'https://walrus.example/c/walrus', 'https://walrus.example/c/i', 'k' from s
            returning id),
          a as (insert into account (actor_id, display_name) select id, 'Walrus' from p returning id),
          c as (insert into video_channel (actor_id, account_id, display_name) select g.id, a.id, 'Walruses' from g, a
            returning id)
        select s.id as server, a.id as account, c.id as channel from s, a, c`
      const { account, channel, server } = made[0]!
      yield* sql`insert into actor_follow (actor_id, target_actor_id, state, url)
        select f.id, t.actor_id, 'accepted', 'http://localhost:9000/follows/walrus' from actor f, account t
        where f.preferred_username = 'peertube' and f.server_id is null and t.id = ${account}`
      yield* video("Blubber", { account_id: account, channel_id: channel, server_id: server, remote: true })
      const channelsFound = (who: Person) =>
        Effect.map(asked("video-channels", { search: "walruses" }, who), ({ json }) => json["total"])
      const seen = Effect.fnUntraced(function* (who: Person) {
        const videos = yield* found("blubber", who)
        const counted = yield* asked("videos", { search: "blubber", count: "0" }, who)
        assert.strictEqual(counted.json["total"], videos.length)
        return [videos.length, yield* channelsFound(who)]
      })
      const instance = sql`select a.id from account a join actor x on x.id = a.actor_id
        where x.type = 'Application' and x.server_id is null`
      const other = sql`select a.id from app_user u join account a on a.user_id = u.id where u.username = 'other'`
      assert.deepStrictEqual(yield* seen("anonymous"), [1, 1])
      for (const [table, column, target] of [
        ["account_block", "target_account_id", account],
        ["server_block", "server_id", server]
      ] as const) {
        const block = (by: typeof instance) =>
          sql`insert into ${sql(table)} (account_id, ${sql(column)}) select id, ${target} from (${by}) b`
        yield* block(other)
        assert.deepStrictEqual([table, yield* seen("other"), yield* seen("anonymous")], [table, [0, 0], [1, 1]])
        yield* sql`delete from ${sql(table)}`
        yield* block(instance)
        assert.deepStrictEqual([table, yield* seen("anonymous"), yield* seen("owner")], [table, [0, 0], [0, 0]])
        assert.deepStrictEqual(yield* found({ search: "blubber", include: "4" }, "moderator"), ["Blubber"])
        yield* sql`delete from ${sql(table)}`
      }
      assert.deepStrictEqual(yield* found({ search: "blubber", host: "walrus.example" }), ["Blubber"])
    })
  )

  it.effect("keeps to what its searcher chose about sensitive videos and has watched, and to files", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const plain = yield* video("Gecko plain")
      yield* video("Gecko nude", { nsfw: true, nsfw_flags: 4 })
      assert.deepStrictEqual(yield* found("gecko"), ["Gecko plain"])
      assert.strictEqual((yield* found({ search: "gecko", nsfw: "both" })).length, 2)
      assert.deepStrictEqual(yield* found({ search: "gecko", nsfw: "true" }), ["Gecko nude"])
      const choose = Effect.fnUntraced(function* (nsfwPolicy: string) {
        const answer = yield* send("/api/v1/users/me", {
          method: "PUT",
          headers: { authorization: `Bearer ${(yield* People).other}`, "content-type": "application/json" },
          body: JSON.stringify({ nsfwPolicy })
        })
        assert.strictEqual(answer.status, 204, answer.text)
      })
      yield* choose("display")
      assert.strictEqual((yield* found("gecko", "other")).length, 2)
      assert.deepStrictEqual(yield* found({ search: "gecko", nsfwFlagsExcluded: "4" }, "other"), ["Gecko plain"])
      yield* sql`insert into user_video_history (user_id, video_id, current_time_seconds)
        select id, ${plain.id}, 5 from app_user where username = 'other'`
      const unwatched = { search: "gecko", excludeAlreadyWatched: "true" }
      assert.deepStrictEqual(yield* found(unwatched, "other"), ["Gecko nude"])
      assert.deepStrictEqual(yield* found(unwatched, "owner"), ["Gecko plain"])
      assert.strictEqual((yield* asked("videos", unwatched)).status, 200)
      yield* sql`insert into video_file (video_id, resolution, fps, size, extname, filename, has_audio, has_video)
        values (${plain.id}, 720, 25, 10, '.mp4', 'gecko.mp4', true, true)`
      assert.deepStrictEqual(yield* found({ search: "gecko", hasWebVideoFiles: "true" }, "other"), ["Gecko plain"])
      assert.deepStrictEqual(yield* found({ search: "gecko", hasWebVideoFiles: "false" }, "other"), ["Gecko nude"])
      const skipped = yield* asked("videos", { search: "gecko", skipCount: "true" })
      assert.deepStrictEqual([Object.keys(skipped.json), skipped.status], [["data"], 200])
      yield* choose("do_not_list")
    })
  )

  it.effect("finds signs in a row, of which the order counts", () =>
    Effect.gen(function* () {
      yield* video("東京の音楽2026年", { language: "ja" })
      for (const search of [
        "音楽",
        "東京",
        "音",
        "東京の音楽",
        "音楽2026年",
        "東京 音楽",
        '"東京の音楽"',
        "2026",
        "音楽 東"
      ])
        assert.deepStrictEqual([search, yield* found(search)], [search, ["東京の音楽2026年"]])
      for (const search of ["楽音", "京東", "東音", "音楽の", '"京音"', "音楽 -東京"])
        assert.deepStrictEqual([search, yield* found(search)], [search, []])
    })
  )

  it.effect("finds one thing by address, UUID and handle", () =>
    Effect.gen(function* () {
      const { id, uuid } = yield* video("Addressed")
      const sql = yield* SqlClient
      const short = toShortUuid(uuid)
      for (const search of [
        uuid,
        short,
        `http://localhost:9000/w/${short}`,
        `http://localhost:9000/videos/watch/${uuid}`
      ]) {
        assert.deepStrictEqual([search, yield* found(search)], [search, ["Addressed"]])
      }
      yield* sql`update video set url = ${`https://far.example/videos/watch/${uuid}`} where id = ${id}`
      for (const page of [`videos/watch/${uuid}`, `w/${short}`]) {
        assert.deepStrictEqual(yield* found(`https://far.example/${page}`), ["Addressed"])
      }
      assert.deepStrictEqual(yield* found("https://far.example/videos/watch/none"), [])
      assert.include(yield* found({ search: "@owner@localhost:9000", count: "100" }), "Addressed")
      assert.deepStrictEqual(yield* found("@nobody@far.example"), [])
    })
  )

  it.effect("refuses what it cannot read, and the search index", () =>
    Effect.gen(function* () {
      const refused = (path: string, query: Record<string, string>) =>
        Effect.map(
          asked(path, query),
          ({ json, status }) => [status, Object.keys(json["invalid-params"] ?? {})] as const
        )
      for (const path of ["videos", "video-channels", "video-playlists"]) {
        assert.deepStrictEqual(yield* refused(path, {}), [200, []])
        assert.deepStrictEqual(yield* refused(path, { search: "" }), [400, ["search"]])
        assert.deepStrictEqual(yield* refused(path, { search: "x".repeat(10_000) }), [400, ["search"]])
        assert.deepStrictEqual(yield* refused(path, { search: "a\0b" }), [400, ["search"]])
        assert.deepStrictEqual(yield* refused(path, { search: "x", searchTarget: "search-index" }), [
          400,
          ["searchTarget"]
        ])
        const [status, names] = yield* refused(path, { search: "x", searchTarget: "moon", sort: "id", count: "101" })
        assert.deepStrictEqual([status, names.toSorted()], [400, ["count", "searchTarget", "sort"]])
      }
      assert.deepStrictEqual(yield* refused("videos", { search: "x", uuids: "no" }), [400, ["uuids"]])
      assert.deepStrictEqual(yield* refused("videos", { search: "x", startDate: "soon", durationMin: "-1" }), [
        400,
        ["startDate", "durationMin"]
      ])
      const playlists = yield* asked("video-playlists", { search: "anything" })
      assert.deepStrictEqual([playlists.status, playlists.json], [200, { total: 0, data: [] }])
    })
  )

  it.effect("answers any text with 200 or 400", () =>
    Effect.gen(function* () {
      const texts = fc.sample(
        fc.oneof(
          fc
            .array(fc.integer({ min: 0, max: 0xff_ff }), { maxLength: 600 })
            .map((units) => String.fromCharCode(...units)),
          fc.string({
            unit: fc.constantFrom(
              "'",
              '"',
              "\\",
              "-",
              "&",
              "|",
              "!",
              "<",
              ">",
              ":",
              "*",
              "(",
              ")",
              "%",
              "_",
              "@",
              " ",
              "a",
              "é",
              "山",
              "=",
              "\u0000",
              "\ud800"
            )
          })
        ),
        30
      )
      for (const search of texts) {
        for (const path of ["videos", "video-channels"]) {
          const { status, text } = yield* asked(path, { search })
          assert.include([200, 400], status, `${JSON.stringify(search)}: ${text}`)
        }
      }
    })
  )
})
