import { assert, layer } from "@effect/vitest"
import { toVideoListQuery, type VideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isActorNamed } from "../../../src/people/actor/ActorNamed.ts"
import { findListFacts, needsFacts } from "../../../src/video/read/ListFacts.ts"
import {
  countStatement,
  keptTotalOf,
  type Listing,
  type ListRow,
  videoListStatement,
  type VideoListStatement
} from "../../../src/video/read/VideoListStatement.ts"
import type { VideoScope, VideoViewer } from "../../../src/video/read/VideoQuery.ts"
import { detailsStatement } from "../../../src/video/read/VideoReads.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { manyVideos } from "./ManyVideos.ts"

interface Node {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly "Actual Rows": number
  readonly "Actual Loops": number
  readonly "Rows Removed by Filter"?: number
  readonly Plans?: ReadonlyArray<Node>
}

const videos = 10_000

/** Rows that may always be sorted: whose blocks count, and the like. */
const few = 15

/** Tables that grow with what is published. The others hold some dozens of rows, or what one blocks. */
const large = new Set([
  ...[
    "video",
    "actor",
    "account",
    "video_channel",
    "video_read_model",
    "actor_read_model",
    "thumbnail",
    "video_tag",
    "tag"
  ],
  ...["streaming_playlist", "video_file", "server", "video_document"]
])

/** Values as they stand in a statement: of the kinds that lists have. */
const literal = (value: unknown): string =>
  value === null || value === undefined
    ? "null"
    : Array.isArray(value)
      ? `'{${value.map((item) => JSON.stringify(item)).join(",")}}'`
      : typeof value === "string"
        ? `'${value.replaceAll("'", "''")}'`
        : String(value)

const nodesOf = (node: Node): ReadonlyArray<Node> => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** The plan that the program gets: made without knowing the values, and run. */
const planOf = Effect.fnUntraced(function* ({ text, values }: VideoListStatement) {
  const sql = yield* SqlClient
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql.unsafe(`prepare hot as ${text}`)
      const given = values.length === 0 ? "" : `(${values.map(literal).join(", ")})`
      const rows = yield* sql.unsafe<Record<string, unknown>>(`explain (analyze, format json) execute hot${given}`)
      yield* sql.unsafe("deallocate hot")
      const told = Object.values(rows[0]!)[0]
      const plan = (typeof told === "string" ? JSON.parse(told) : told) as ReadonlyArray<{ readonly Plan: Node }>
      return nodesOf(plan[0]!.Plan)
    })
  )
})

interface Hot {
  readonly name: string
  readonly query?: Partial<VideoListQuery>
  readonly viewer?: boolean
  readonly scope?: VideoScope
  /** Most rows that may be sorted: a page comes in the order of an index, unless few videos are left. */
  readonly sorted?: number
  /** Most rows that may be read for nothing. */
  readonly passed?: number
}

const by = (column: VideoListQuery["sort"]["by"]) => ({ sort: { by: column, descending: true } })

const subscriber = (accountId: number): VideoScope => ({ _tag: "Subscriptions", accountId })

const hot: ReadonlyArray<Hot> = [
  { name: "newest", query: { nsfw: "false" } },
  { name: "newest, with blocks", viewer: true },
  { name: "newest, from 1,000 on", query: { start: 1_000 } },
  { name: "most viewed, some languages", query: { ...by("views"), languageOneOf: ["en", "fr", "_unknown"] } },
  { name: "trending", query: by("trending") },
  { name: "hot", query: by("hot") },
  { name: "by likes, from 1,000 on", query: { ...by("likes"), start: 1_000, nsfw: "false" } },
  { name: "first published", query: by("originallyPublishedAt") },
  { name: "a category", query: { categoryOneOf: [3], nsfw: "false" } },
  { name: "a tag more have", query: { tagsOneOf: ["tag1"] }, sorted: 5_000 },
  { name: "a tag few have, most viewed", query: { tagsOneOf: ["tag400"], ...by("views") }, sorted: 5_000 },
  { name: "two tags", query: { tagsAllOf: ["tag1", "tag2"] }, sorted: 5_000 },
  { name: "unwatched", query: { excludeAlreadyWatched: true }, viewer: true },
  { name: "of a channel", scope: { _tag: "Channel", channelId: 10 } },
  { name: "of an account, most viewed", scope: { _tag: "Account", accountId: 10 }, query: by("views"), sorted: 5_000 },
  {
    name: "mine, where I have none, and of channels I help with",
    scope: { _tag: "Mine", accountId: 999_999, collaborations: true },
    sorted: 5_000,
    passed: 1_000
  },
  { name: "of some subscriptions", scope: subscriber(3), viewer: true, sorted: 5_000, passed: 1_000 },
  {
    name: "of some subscriptions, most viewed",
    scope: subscriber(3),
    query: by("views"),
    sorted: 5_000,
    passed: 1_000
  },
  { name: "of many subscriptions", scope: subscriber(2), sorted: 350 * 15, passed: 1_000 },
  { name: "of many subscriptions, most liked", scope: subscriber(2), query: by("likes"), viewer: true },
  { name: "of many subscriptions, from 1,000 on", scope: subscriber(2), query: { start: 1_000 }, sorted: 10_000 }
]

layer(TestDatabase)("plans over many videos", (it) => {
  /** What is wrong with a plan, in words. */
  const faults = (name: string, nodes: ReadonlyArray<Node>, sorted: number, passed = Infinity): ReadonlyArray<string> =>
    nodes.flatMap((node) => {
      const on = node["Relation Name"] ?? ""
      const removed = node["Rows Removed by Filter"] ?? 0
      if (removed > passed) return [`${name}: reads ${removed} rows of ${on} for nothing`]
      if (node["Node Type"] === "Seq Scan" && large.has(on)) return [`${name}: reads ${on} whole`]
      if (!node["Node Type"].includes("Sort")) return []
      const rows = node.Plans![0]!["Actual Rows"]
      return rows > sorted ? [`${name}: sorts ${rows} rows`] : []
    })

  it.effect(
    "reads no table whole and sorts no more than a page",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* manyVideos(videos)
        const made = yield* sql<VideoViewer>`
        with maker as (
          insert into app_user (username, email, password_hash, role) values ('viewer', 'viewer@example.test', 'none', 2)
          returning id
        ) update account set user_id = maker.id from maker where account.id = 1
        returning maker.id as "userId", account.id as "accountId"`
        const viewer = made[0]!
        yield* sql`insert into account_block (account_id, target_account_id)
        select 1, id from account where id between 20 and 60`
        yield* sql`insert into server_block (account_id, server_id) values (1, 7), (1, 8)`
        yield* sql`insert into user_video_history (user_id, video_id, current_time_seconds)
        select ${viewer.userId}, id, 1 from video where id % 50 = 0`
        yield* sql`insert into actor_follow (actor_id, target_actor_id, state)
        select a.actor_id, c.actor_id, 'accepted' from account a, video_channel c
        where (a.id = 2 and c.id <= 350) or (a.id = 3 and c.id between 100 and 104)`
        yield* sql.unsafe("analyze actor_follow")
        yield* sql.unsafe("analyze account_block, server_block, user_video_history, block_version")
        const found: Array<string> = []
        for (const { name, passed, query, scope, sorted = few, viewer: known } of hot) {
          const asked: VideoListQuery = { ...toVideoListQuery({}), ...query }
          const facts = needsFacts(asked, scope) ? yield* findListFacts(sql, asked, scope) : {}
          const listing: Listing = {
            query: asked,
            viewer: known === true ? viewer : undefined,
            scope,
            blockerIds: [1],
            facts
          }
          const kept = keptTotalOf(listing)
          const total =
            kept === undefined ? ({ _tag: "none" } as const) : ({ _tag: "kept", kept, counted: undefined } as const)
          found.push(...faults(name, yield* planOf(videoListStatement(listing, total)), sorted, passed))
          if (kept === undefined && (scope === undefined || scope._tag === "Subscriptions")) {
            const counting = yield* planOf(countStatement(listing))
            found.push(...faults(`${name}, counted`, counting, few))
          }
        }
        assert.deepStrictEqual(found, [])
      }),
    120_000
  )

  it.effect("finds the same of subscriptions in every way", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const idsOf = Effect.fnUntraced(function* (listing: Listing) {
        const { text, values } = videoListStatement(listing, { _tag: "none" })
        const rows = yield* sql.unsafe<ListRow>(text, values)
        return rows.map(({ id }) => id)
      })
      for (const accountId of [2, 3]) {
        const scope = subscriber(accountId)
        for (const [start, descending] of [
          [0, true],
          [40, false]
        ] as const) {
          const sort = { by: "publishedAt", descending } as const
          const query: VideoListQuery = { ...toVideoListQuery({}), start, count: 30, sort, nsfw: "false" }
          const found = yield* findListFacts(sql, query, scope)
          const listing = { query, viewer: undefined, scope, blockerIds: [1], facts: {} }
          const expected = yield* sql<{ id: number }>`
            select v.id from video v where not v.nsfw
              and v.channel_id in (select c.id from actor_follow f join video_channel c on c.actor_id = f.target_actor_id
                join account m on m.actor_id = f.actor_id where m.id = ${accountId})
              and v.account_id not between 20 and 60 and v.server_id not in (7, 8)
            order by ${sql.literal(descending ? "v.published_at desc, v.id desc" : "v.published_at, v.id")}
            limit 30 offset ${start}`
          assert.lengthOf(expected, 30)
          for (const facts of [found, { byChannel: true }, {}]) {
            assert.deepStrictEqual(
              yield* idsOf({ ...listing, facts }),
              expected.map(({ id }) => id)
            )
          }
          const counts = yield* Effect.forEach([found, {}], (facts) => {
            const { text, values } = countStatement({ ...listing, facts })
            return sql.unsafe<{ total: number }>(text, values)
          })
          assert.strictEqual(counts[0]![0]!.total, counts[1]![0]!.total)
          assert.isAbove(counts[0]![0]!.total, 70)
        }
      }
    })
  )

  it.effect("finds an actor by its name, here and elsewhere", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const handles = [
        { name: "account10", host: null },
        { name: "account10", host: "tube3.example" },
        { name: "account10", host: "localhost:9000" }
      ]
      const found: Array<string> = []
      for (const handle of handles) {
        const [text, values] = sql`select a.id from actor a where ${isActorNamed(sql, handle)}`.compile()
        found.push(...faults(JSON.stringify(handle), yield* planOf({ text, values }), few))
      }
      // There are few servers here.
      assert.deepStrictEqual(
        found.filter((fault) => !fault.endsWith("reads server whole")),
        []
      )
    })
  )

  it.effect("finds one video by indexes alone", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = yield* sql<{ uuid: string }>`select uuid from video where id = 77`
      const anonymous = yield* planOf({ text: detailsStatement("Uuid", false), values: [rows[0]!.uuid] })
      const viewer = yield* planOf({ text: detailsStatement("Id", true), values: [77, 1] })
      assert.deepStrictEqual([...faults("anonymous", anonymous, few), ...faults("logged in", viewer, few)], [])
    })
  )
})
