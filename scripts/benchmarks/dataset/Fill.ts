import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Clock, Console, Effect, type Redacted, Semaphore } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { mkdirSync, rmSync } from "node:fs"
import type { CopyFile } from "./CopyFile.ts"
import { writePeople } from "./People.ts"
import { Random } from "./Random.ts"
import type { Size } from "./Size.ts"
import { derived, documents, totals, videoParts, views, wordUses } from "./Statements.ts"
import { VideoWriter } from "./Videos.ts"
import { Words } from "./Words.ts"

export interface FillOptions {
  readonly url: Redacted.Redacted
  /** A folder that the server's account can read; the files to load are written there and removed. */
  readonly scratch: string
  readonly size: Size
  readonly origin: string
}

const loaded = [
  ...["server", "app_user", "actor", "account", "video_channel", "tag", "video", "video_tag", "thumbnail"],
  ...["streaming_playlist", "video_file", "video_caption", "video_blacklist", "video_view_day"],
  ...["video_document", "search_word", "channel_document", "owner_total"]
]
const withoutIds: ReadonlySet<string> = new Set([
  ...["video_tag", "video_view_day", "video_document", "search_word", "channel_document", "owner_total"]
])
const piece = 100_000

type Connection = PgConnection.PgConnection

/** Sessions in which nothing fires and nothing waits for the disk. */
const connect = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const connection = yield* PgConnection.make({ url, applicationName: "kinora-dataset" })
  yield* connection.query("set session_replication_role = replica")
  yield* connection.query("set maintenance_work_mem = '400MB'")
  yield* connection.query("set work_mem = '128MB'")
  return connection
})

/** Runs the statements of a list by two connections, each as soon as one is free. */
const shared = (connections: ReadonlyArray<Connection>, statements: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const left = [...statements]
    const worker = (connection: Connection): Effect.Effect<void, SqlError> =>
      Effect.suspend(() => {
        const statement = left.shift()
        return statement === undefined
          ? Effect.void
          : Effect.andThen(connection.query(statement, [], false), worker(connection))
      })
    yield* Effect.all(connections.map(worker), { concurrency: "unbounded", discard: true })
  })

const inTurn = (connection: Connection, statements: ReadonlyArray<string>) =>
  Effect.forEach(statements, (statement) => connection.query(statement, [], false), { discard: true })

const copy = (connection: Connection, table: string, file: CopyFile) =>
  Effect.andThen(
    connection.query(`copy ${table} (${file.columns.join(", ")}) from '${file.path}'`, [], false),
    Effect.sync(() => rmSync(file.path))
  )

/** Fills the empty tables of a migrated database. Says what takes how long. */
export const fill = Effect.fn("dataset.fill")(function* (options: FillOptions) {
  const { origin, scratch, size, url } = options
  const timed = <A, E>(what: string, effect: Effect.Effect<A, E>) =>
    Effect.gen(function* () {
      const from = yield* Clock.currentTimeMillis
      const result = yield* effect
      yield* Console.log(`  ${what}: ${(((yield* Clock.currentTimeMillis) - from) / 1000).toFixed(1)} s`)
      return result
    })
  mkdirSync(scratch, { recursive: true, mode: 0o755 })
  const first = yield* connect(url)
  const second = yield* connect(url)
  const both = [first, second]

  const indexes = (yield* first.query(
    `select schemaname || '.' || indexname as name, indexdef as definition from pg_indexes i
     where schemaname = 'public' and tablename = any(string_to_array('${loaded.join(",")}', ',')) and not exists (
       select 1 from pg_constraint c where c.conindid = (i.schemaname || '.' || i.indexname)::regclass)`
  )).rows as ReadonlyArray<{ readonly name: string; readonly definition: string }>
  yield* inTurn(
    first,
    indexes.map(({ name }) => `drop index ${name}`)
  )

  const random = new Random(20_261_121)
  const words = new Words(random)
  yield* timed(
    "people",
    Effect.gen(function* () {
      const people = writePeople(scratch, size, origin, random, words)
      for (const { file, table } of people.files) yield* copy(first, table, file)
      const names = words.tags(size.tags)
      yield* first.query(
        `insert into tag (id, name) overriding system value select n, name from unnest($1::text[]) with ordinality t (name, n)`,
        [names]
      )
      const writer = new VideoWriter(size, people, origin, yield* Clock.currentTimeMillis, random, words)
      // One piece is loaded while the next is made.
      const free = yield* Semaphore.make(1)
      yield* timed(
        "videos and tags",
        Effect.scoped(
          Effect.gen(function* () {
            for (let files = writer.next(scratch, piece); files !== undefined; files = writer.next(scratch, piece)) {
              const { tags, videos } = files
              yield* free.withPermit(Effect.void)
              yield* Effect.forkScoped(
                free.withPermit(
                  Effect.all([copy(first, "video", videos), copy(second, "video_tag", tags)], {
                    concurrency: 2,
                    discard: true
                  }).pipe(Effect.orDie)
                ),
                { startImmediately: true }
              )
              // Lets the statements leave before the next piece keeps this thread busy.
              yield* Effect.sleep("5 millis")
            }
            yield* free.withPermit(Effect.void)
          })
        )
      )
    })
  )
  yield* timed(
    "pictures, files, captions",
    Effect.gen(function* () {
      const [thumbnails, playlists, files, ...others] = videoParts
      yield* Effect.all([inTurn(first, [thumbnails!, ...others]), inTurn(second, [playlists!, files!])], {
        concurrency: 2,
        discard: true
      })
      yield* first.query(views, [], false)
      yield* inTurn(first, derived)
    })
  )
  yield* timed(
    "statistics",
    shared(
      both,
      loaded.map((table) => `analyze ${table}`)
    )
  )
  yield* timed(
    "words",
    Effect.gen(function* () {
      yield* shared(both, documents)
      yield* inTurn(first, ["analyze video_document", ...wordUses])
    })
  )
  yield* timed(
    "indexes",
    shared(both, [
      ...indexes.filter(({ definition }) => definition.includes(" gin ")).map(({ definition }) => definition),
      ...indexes.filter(({ definition }) => !definition.includes(" gin ")).map(({ definition }) => definition)
    ])
  )
  yield* inTurn(
    first,
    loaded
      .filter((table) => !withoutIds.has(table))
      .map(
        (table) =>
          `select setval(pg_get_serial_sequence('${table}', 'id'), (select coalesce(max(id), 1) from ${table}))`
      )
  )
  yield* timed("totals", inTurn(first, totals))
  rmSync(scratch, { recursive: true, force: true })
}, Effect.scoped)
