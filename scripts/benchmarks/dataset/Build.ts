import { Clock, Console, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Passwords } from "../../../packages/node/src/people/session/Passwords.ts"
import { newClientId, newClientSecret } from "../../../packages/node/src/people/session/RandomText.ts"
import { newKeyPair } from "../../../packages/node/src/people/user/KeyPair.ts"
import { localActor } from "../../../packages/node/src/people/user/LocalActor.ts"
import { layer as databaseLayer } from "../../../packages/storage/src/platform/database/Database.ts"
import { EmbeddedPostgres } from "../../../packages/storage/src/platform/embedded/EmbeddedPostgres.ts"
import { Installation } from "../../../packages/storage/src/instance/installation/Installation.ts"
import { migrate } from "../../../packages/storage/src/platform/migrations/Migrations.ts"
import {
  baselineChecksum,
  checksumOf,
  schemaFiles
} from "../../../packages/storage/src/platform/migrations/SchemaFiles.ts"
import { fillReadModels } from "../../../packages/storage/src/video/read/ReadModels.ts"
import { prepareReadModels } from "../../../packages/storage/src/video/read/ReadModelVersion.ts"
import { fill } from "./Fill.ts"
import type { Size } from "./Size.ts"
import { administration } from "./Statements.ts"

export interface DatasetOptions {
  /** Data directory of the node that is to run over it; what is there is used when it is the same. */
  readonly folder: string
  readonly size: Size
  /** Public address of that node. */
  readonly origin: string
  /** Password of the administrator `root`. */
  readonly password: string
}

/** Counts up when other rows are made. */
const version = 3

/** Whatever it takes to be done soon: the server is stopped in order before anybody relies on the data. */
const hurried = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_wal_size: "2GB",
  checkpoint_timeout: "60min",
  autovacuum: "off",
  shared_buffers: "2GB",
  maintenance_work_mem: "400MB"
} as const

const installation = Effect.fnUntraced(function* (options: DatasetOptions) {
  const install = yield* Installation
  const passwords = yield* Passwords
  const [first, second, third] = yield* Effect.all([newKeyPair, newKeyPair, newKeyPair], { concurrency: 3 })
  yield* install.install({
    applicationActor: localActor(options.origin, "Application", "peertube", first),
    administrator: {
      username: "root",
      email: "root@example.test",
      passwordHash: yield* passwords.hash(options.password),
      role: 0,
      videoQuota: -1,
      videoQuotaDaily: -1,
      emailVerified: true,
      account: localActor(options.origin, "Person", "root", second),
      channel: localActor(options.origin, "Group", "root_channel", third),
      accountDisplayName: "root",
      channelDisplayName: "Main root channel"
    },
    client: { id: newClientId(), secret: newClientSecret() }
  })
})

/** Applies what the schema lacks, without the dump that an operator's upgrade begins with. */
const upgrade = Effect.gen(function* () {
  const from = yield* Clock.currentTimeMillis
  yield* migrate({ backupsDirectory: undefined })
  const took = (yield* Clock.currentTimeMillis) - from
  yield* Console.log(`  upgrade of the schema: ${(took / 1000).toFixed(1)} s`)
})

/** What the server's own upkeep would do in the first minutes. */
const settle = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql.unsafe("vacuum (analyze)")
  yield* sql.unsafe("checkpoint")
})

const server = (options: DatasetOptions, parameters: Readonly<Record<string, string>>) =>
  EmbeddedPostgres.layer({
    directory: join(options.folder, "postgres"),
    logsDirectory: join(options.folder, "logs"),
    parameters
  })

/** Runs an effect over a server of its own for this data set. */
const overServer = <A, E>(
  options: DatasetOptions,
  effect: (url: EmbeddedPostgres["Service"]["url"]) => Effect.Effect<A, E, SqlClient>
) =>
  Effect.gen(function* () {
    const { url } = yield* EmbeddedPostgres
    return yield* effect(url).pipe(
      Effect.provide(databaseLayer({ url, statementTimeout: 0, applicationName: "kinora-dataset" }))
    )
  }).pipe(Effect.provide(server(options, hurried)), Effect.scoped)

const build = (options: DatasetOptions) =>
  overServer(options, (url) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* migrate({ backupsDirectory: join(options.folder, "backups") })
      yield* prepareReadModels(options.origin)
      yield* fill({ url, scratch: join(options.folder, "load"), size: options.size, origin: options.origin })
      while ((yield* fillReadModels(sql, 500)) > 0);
      yield* installation(options).pipe(Effect.provide(Layer.mergeAll(Installation.layer, Passwords.layer)))
      for (const statement of administration(options.size)) yield* sql.unsafe(statement)
      yield* settle
    })
  )

/** What the marker file says: the rows that were made. */
const marker = (options: DatasetOptions): string =>
  JSON.stringify({ version, size: options.size, origin: options.origin }, null, 2)

const contentOf = (path: string): string => (existsSync(path) ? readFileSync(path, "utf8") : "")

/** Checksums of the tables and the changes that a database has got, in their order, and of functions, views and triggers. */
const steps = [baselineChecksum(schemaFiles), ...schemaFiles.changes.map(checksumOf)]
const newest = [...steps, `functions ${schemaFiles.repeatable.map(checksumOf).join(" ")}`].join("\n")

/** The steps of the schema that were applied. */
const applied = (options: DatasetOptions): ReadonlyArray<string> =>
  contentOf(join(options.folder, "schema.txt"))
    .split("\n")
    .filter((line) => !line.startsWith("functions "))

/** Whether the folder holds this data set in a schema that changes lead on from: one being written may have changed. */
const isThere = (options: DatasetOptions): boolean =>
  contentOf(join(options.folder, "dataset.json")) === marker(options) &&
  applied(options).every((one) => steps.includes(one))

const isNewest = (options: DatasetOptions): boolean => contentOf(join(options.folder, "schema.txt")) === newest

/** Makes the data set where it is not there yet, and brings its schema up to date. Answers the seconds it took to make. */
export const dataset = Effect.fn("dataset")(function* (options: DatasetOptions) {
  const from = yield* Clock.currentTimeMillis
  const there = isThere(options)
  if (there && isNewest(options)) return 0
  if (!there) {
    rmSync(options.folder, { recursive: true, force: true })
    mkdirSync(options.folder, { recursive: true, mode: 0o755 })
    yield* Console.log(`Making the data set in ${options.folder}`)
    yield* build(options)
  } else yield* overServer(options, () => Effect.andThen(upgrade, settle))
  writeFileSync(join(options.folder, "dataset.json"), marker(options))
  writeFileSync(join(options.folder, "schema.txt"), newest)
  return ((yield* Clock.currentTimeMillis) - from) / 1000
})
