import { assert, layer } from "@effect/vitest"
import { makeActorTexts } from "@kinora/storage/people/actor/ActorTexts"
import { makeVideoTexts } from "@kinora/storage/video/read/VideoTexts"
import { ReadModelRefresher } from "@kinora/storage/video/read/ReadModelRefresher"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ask, crewNode, type Member } from "../../people/channel/Crew.ts"
import { derivedChecks as checks } from "./DerivedChecks.ts"
import { addVideo } from "./Videos.ts"
import { applyViews } from "@kinora/storage/video/view/AppliedViews"

/** Whole numbers below a bound, the same ones for a seed (mulberry32). */
const numbers = (seed: number) => {
  let state = seed
  return (bound: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound
  }
}

const words = ["otter", "Zébra", "quiet river", "kayak", "東京 tower", "lantern", "the", "running", "Straße"]
const channels = ["owner_channel", "second_channel"]

/** What is missing once nothing waits. */
const settled: Readonly<Record<string, string>> = {
  "answers that were not made": `
    select video_id from video_read_model where summary is null or details is null
    union all select actor_id from actor_read_model where text is null`,
  "documents that were not made": `
    select id from video_document where stale union all select change from search_word_change`
}

/** Kept texts are what is made of the rows now. */
const checkTexts = Effect.fnUntraced(function* (when: string) {
  const sql = yield* SqlClient
  const videos = yield* sql<{ id: number; summary: string | null; details: string | null }>`
    select video_id as id, summary, details from video_read_model`
  const made = yield* makeVideoTexts(
    sql,
    videos.map(({ id }) => id)
  )
  const byId = new Map(made.map((texts) => [texts.id, texts]))
  for (const { details, id, summary } of videos) {
    if (summary !== null) assert.strictEqual(summary, byId.get(id)?.summary, `list item of video ${id}, ${when}`)
    if (details !== null) assert.strictEqual(details, byId.get(id)?.details, `details of video ${id}, ${when}`)
  }
  const actors = yield* sql<{ id: number; text: string }>`
    select actor_id as id, text from actor_read_model where text is not null`
  const texts = yield* makeActorTexts(
    sql,
    actors.map(({ id }) => id)
  )
  for (const { id, text } of actors) assert.strictEqual(text, texts.get(id), `actor ${id}, ${when}`)
})

const check = Effect.fnUntraced(function* (when: string, asked: Readonly<Record<string, string>>) {
  const sql = yield* SqlClient
  yield* checkTexts(when)
  for (const [what, text] of Object.entries(asked)) {
    assert.deepStrictEqual(yield* sql.unsafe(text), [], `${what}, ${when}`)
  }
})

/** Some change to what there is: through the API, or as what will have an operation later writes it. */
const change = Effect.fnUntraced(function* (below: (bound: number) => number) {
  const sql = yield* SqlClient
  const videos = yield* sql<{ id: number; uuid: string }>`select id, uuid from video order by id`
  const some = () => `${words[below(words.length)]} ${words[below(words.length)]} ${below(5)}`
  const video = videos[below(Math.max(1, videos.length))]
  const nullable = <A>(value: A): A | null => (below(3) === 0 ? null : value)
  const asks = (who: Member, method: string, path: string, body?: unknown) =>
    Effect.map(ask(who, method, path, body), ({ status, text }) => {
      assert.isBelow(status, 500, `${method} ${path} ${JSON.stringify(body)}: ${text}`)
      return `${method} ${path} ${status}`
    })
  const rows = (text: string, values: ReadonlyArray<unknown>) => Effect.as(sql.unsafe(text, values), text)

  if (video === undefined || (videos.length < 12 && below(4) === 0)) {
    return yield* Effect.as(
      addVideo({ owner: "owner", privacy: 1 + below(4), state: below(4) === 0 ? 2 : 1, blacklisted: below(6) === 0 }),
      "new video"
    )
  }
  const { id, uuid } = video
  switch (below(16)) {
    case 0:
    case 1:
      return yield* asks("owner", "PUT", `/videos/${uuid}`, {
        name: some(),
        tags: [...new Set([some(), some()])].slice(below(3))
      })
    case 2:
      return yield* asks("owner", "PUT", `/videos/${id}`, {
        category: nullable(1 + below(18)),
        licence: nullable(1 + below(7)),
        language: nullable(["en", "de", "fr", "ja"][below(4)]),
        description: nullable(`${some()} ${some()}`),
        originallyPublishedAt: nullable(`20${10 + below(10)}-03-04T05:06:07.000Z`)
      })
    case 3:
    case 4:
      return yield* asks("owner", "PUT", `/videos/${id}`, { privacy: 1 + below(4) })
    case 5:
      return yield* asks("owner", "PUT", `/videos/${id}`, { nsfw: below(2) === 0, nsfwFlags: below(8) })
    case 6: {
      const named = channels[below(2)]!
      const [channel] = yield* sql<{ id: number }>`
        select c.id from video_channel c join actor a on a.id = c.actor_id where a.preferred_username = ${named}::citext`
      return yield* asks("owner", "PUT", `/videos/${id}`, { channelId: channel?.id })
    }
    case 7:
      return yield* asks("owner", "DELETE", `/videos/${uuid}`)
    case 8:
      return yield* asks("owner", "PUT", `/video-channels/${channels[below(2)]}`, {
        displayName: some(),
        description: nullable(some())
      })
    case 9:
      return yield* asks("owner", "PUT", "/users/me", { displayName: some() })
    case 10:
      return yield* asks("administrator", "DELETE", `/videos/${id}/${["hls", "web-videos"][below(2)]}`)
    case 11:
      return yield* rows(
        `insert into video_file (video_id, resolution, fps, size, extname, filename, has_audio, has_video)
         select id, 240 + $2::int, 25, 10 + $2::int, '.mp4', gen_random_uuid() || '.mp4', true, true from video where id = $1
         on conflict do nothing`,
        [id, below(1000)]
      )
    case 12:
      return yield* Effect.andThen(
        sql`insert into video_viewing (video_id, started_at, seen_at, position, sought, counted_at)
          select v.id, now(), now(), 1, false, now() from video v, generate_series(1, ${1 + below(30)}::int) where v.id = ${id}
          for key share of v skip locked`,
        Effect.as(applyViews(sql)(id), "views are added")
      )
    case 13:
      return yield* rows("update video set likes = likes + 1 + $2::int, comments = comments + 1 where id = $1", [
        id,
        below(20)
      ])
    case 14:
      return yield* below(2) === 0
        ? rows("insert into video_blacklist (video_id) select id from video where id = $1 on conflict do nothing", [id])
        : rows("delete from video_blacklist where video_id = $1", [id])
    default:
      return yield* Effect.as((yield* ReadModelRefresher).refresh(3), "refresh")
  }
})

const refreshedNode = ReadModelRefresher.layer.pipe(Layer.provideMerge(crewNode()))

layer(refreshedNode, { excludeTestServices: true, timeout: 60_000 })("What is derived of videos", (it) => {
  it.effect.each([11, 23, 42])(
    "is right after any changes, also at once (%i)",
    (seed) =>
      Effect.gen(function* () {
        const below = numbers(seed)
        const { refresh } = yield* ReadModelRefresher
        yield* ask("owner", "POST", "/video-channels", { name: "second_channel", displayName: "Second" })
        const done: Array<string> = []
        for (let round = 1; round <= 12; round++) {
          const together = Array.from({ length: 5 }, () => change(below))
          done.push(...(yield* Effect.all(together, { concurrency: 1 + (round % 3) })))
          yield* check(`in round ${round} after ${done.slice(-5).join("; ")}`, checks)
        }
        while ((yield* refresh(100)) > 0);
        yield* check("when nothing waits", { ...checks, ...settled })
        assert.isAbove(new Set(done).size, 10)
      }),
    120_000
  )

  it.effect("goes with its channel and with its owner", () =>
    Effect.gen(function* () {
      const { refresh } = yield* ReadModelRefresher
      const sql = yield* SqlClient
      yield* addVideo({ owner: "owner" })
      assert.strictEqual((yield* ask("owner", "DELETE", "/video-channels/second_channel")).status, 204)
      yield* check("without a channel", checks)
      assert.strictEqual((yield* ask("owner", "DELETE", "/users/me")).status, 204)
      yield* check("without the owner", checks)
      while ((yield* refresh(100)) > 0);
      yield* check("when nothing waits", { ...checks, ...settled })
      assert.deepStrictEqual(yield* sql`select id from video`, [])
    })
  )
})
