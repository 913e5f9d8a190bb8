import { Context, Duration, Effect, Layer, Redacted, Ref } from "effect"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { dataDirectory } from "./DataDirectory.ts"
import { embeddedError, type EmbeddedPostgresError } from "./EmbeddedError.ts"
import { postgresBinaries } from "./PostgresBinaries.ts"
import { ended, start, stop } from "./PostgresServer.ts"
import { serverAccount } from "./ServerAccount.ts"
import { availableMemory, serverMemory } from "./ServerMemory.ts"

export interface EmbeddedPostgresOptions {
  /** Folder of the server's data, password and socket, absolute (`<data dir>/postgres`). */
  readonly directory: string
  readonly logsDirectory: string
  /** Where the programs are copied to if the server's account cannot read npm's copy. */
  readonly cacheDirectory?: string | undefined
  /** The same where the server runs as ourselves, and npm's copy lacks its links and cannot be written: a folder of ours. */
  readonly ownCacheDirectory?: string | undefined
  /** Settings that override the defaults (`{ shared_buffers: "512MB" }`). */
  readonly parameters?: Readonly<Record<string, string>> | undefined
  /** Looks for data of an existing instance. If there is any, no new database is created. */
  readonly existingData?: Effect.Effect<string | undefined> | undefined
  /** Leaves the server running when the scope closes: for tests, which share one. */
  readonly keepRunning?: boolean | undefined
}

/** Durability settings (fsync, full_page_writes, synchronous_commit) keep PostgreSQL's default: on. */
const defaults = {
  listen_addresses: "",
  unix_socket_permissions: "0700",
  max_connections: "60",
  random_page_cost: "1.1",
  jit: "off",
  huge_pages: "off",
  max_parallel_workers_per_gather: "0",
  autovacuum_max_workers: "2",
  log_min_messages: "warning",
  log_checkpoints: "off",
  log_line_prefix: "%m [%p] ",
  log_timezone: "UTC",
  cluster_name: "kinora"
} as const

/** By default version 18 reads through helper processes. On a small machine they cost memory and gain nothing. */
const since18 = { io_method: "sync" } as const

/**
 * Our own PostgreSQL server with its data in a folder, reached through a unix socket in a directory of mode 0700, with
 * a random password (scram). It survives a crash of this process, and the next start adopts it.
 */
export class EmbeddedPostgres extends Context.Service<
  EmbeddedPostgres,
  {
    /** libpq URL of the database, for `Database.layer`. */
    readonly url: Redacted.Redacted
    /** Restarts the server whenever it ends unexpectedly. Never ends; runs under the Supervisor. */
    readonly watch: Effect.Effect<never, EmbeddedPostgresError>
  }
>()("@kinora/storage/embedded/EmbeddedPostgres") {
  static readonly layer = (options: EmbeddedPostgresOptions): Layer.Layer<EmbeddedPostgres, EmbeddedPostgresError> =>
    Layer.effect(
      EmbeddedPostgres,
      Effect.gen(function* () {
        const account = yield* serverAccount
        const cache = (account.foreign ? undefined : options.ownCacheDirectory) ?? options.cacheDirectory
        const binaries = yield* postgresBinaries(account, cache ?? "/var/cache/kinora")
        const { data, password, socket } = yield* dataDirectory(
          account,
          binaries,
          options.directory,
          options.existingData ?? Effect.succeed(undefined)
        )
        yield* Effect.tryPromise({
          try: () => mkdir(options.logsDirectory, { recursive: true }),
          catch: (cause) => embeddedError(`${options.logsDirectory} cannot be made`, cause)
        })
        const url = Redacted.make(
          `postgresql://kinora:${encodeURIComponent(password)}@localhost/kinora?host=${encodeURIComponent(socket)}`
        )
        const settings = {
          account,
          binaries,
          data,
          socket,
          url,
          logFile: join(options.logsDirectory, "postgresql.log"),
          parameters: {
            ...defaults,
            ...serverMemory(availableMemory()),
            ...(binaries.major >= 18 ? since18 : {}),
            ...options.parameters,
            unix_socket_directories: socket
          }
        }
        const server = yield* Effect.acquireRelease(Effect.flatMap(start(settings), Ref.make), (ref) =>
          options.keepRunning === true ? Effect.void : Effect.flatMap(Ref.get(ref), (it) => stop(settings, it))
        )
        const restart = Effect.gen(function* () {
          yield* ended(yield* Ref.get(server), Duration.seconds(1))
          yield* Effect.logError("PostgreSQL ended unexpectedly: starting it again")
          yield* Ref.set(server, yield* start(settings))
        })
        return { url, watch: Effect.forever(restart) }
      })
    )
}
