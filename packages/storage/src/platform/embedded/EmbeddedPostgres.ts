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
  /** Where the programs are copied to when npm's copy cannot be read by the server's account. */
  readonly cacheDirectory?: string | undefined
  /** Settings that win over the defaults (`{ shared_buffers: "512MB" }`). */
  readonly parameters?: Readonly<Record<string, string>> | undefined
  /** Finds what an instance left behind, if anything: beside it no new database is made. */
  readonly leftBehind?: Effect.Effect<string | undefined> | undefined
  /** Leaves the server running when the scope closes: for tests, which share one. */
  readonly keepRunning?: boolean | undefined
}

/** Durability (fsync, full_page_writes, synchronous_commit) stays as PostgreSQL ships it: on. */
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

/** Version 18 reads through helper processes by default: on a small machine they cost memory and gain nothing. */
const since18 = { io_method: "sync" } as const

/**
 * A PostgreSQL of our own over a folder on disk, reached through a unix socket in a directory of mode 0700, with a
 * random password (scram). It outlives a crash of this process and is taken over at the next start.
 */
export class EmbeddedPostgres extends Context.Service<
  EmbeddedPostgres,
  {
    /** libpq URL of the database, for `Database.layer`. */
    readonly url: Redacted.Redacted
    /** Starts the server again whenever it ends without being told to. Runs for ever; for the Supervisor. */
    readonly watch: Effect.Effect<never, EmbeddedPostgresError>
  }
>()("@kinora/storage/embedded/EmbeddedPostgres") {
  static readonly layer = (options: EmbeddedPostgresOptions): Layer.Layer<EmbeddedPostgres, EmbeddedPostgresError> =>
    Layer.effect(
      EmbeddedPostgres,
      Effect.gen(function* () {
        const account = yield* serverAccount
        const binaries = yield* postgresBinaries(account, options.cacheDirectory ?? "/var/cache/kinora")
        const { data, password, socket } = yield* dataDirectory(
          account,
          binaries,
          options.directory,
          options.leftBehind ?? Effect.succeed(undefined)
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
