import { version } from "@kinora/domain/Version"
import { Data, Duration, Effect, FileSystem, Schema } from "effect"
import { connect, createServer, type Server } from "node:net"
import { RunnerConfig } from "../config/RunnerConfig.ts"
import { storageLock } from "../config/StorageLock.ts"

const StatusReport = Schema.fromJsonString(
  Schema.Struct({
    pid: Schema.Int,
    version: Schema.String,
    servers: Schema.Array(Schema.String),
    /** The video encoder: `libx264`, `h264_vaapi (/dev/dri/renderD128)`. */
    encoder: Schema.String,
    jobs: Schema.Array(
      Schema.Struct({
        uuid: Schema.String,
        type: Schema.String,
        origin: Schema.String,
        phase: Schema.String,
        percent: Schema.Finite,
        since: Schema.Finite
      })
    )
  })
)
const decode = Schema.decodeUnknownEffect(StatusReport)

/** The status of a running process. */
export type Status = typeof StatusReport.Type
type Facts = Omit<Status, "pid" | "version">

/** Another process works in the same storage, or the socket cannot be created. */
export class StatusSocketTaken extends Data.TaggedError("StatusSocketTaken")<{ readonly message: string }> {}

const pathOf = Effect.map(RunnerConfig, ({ storage }) => `${storage.directory}/status.sock`)

const answerMillis = 5000

const nobody = new Set(["ECONNREFUSED", "ENOENT"])

/**
 * Queries the process that works in this storage. Undefined if there is none. Fails if it exists but does not answer.
 */
export const askStatus = Effect.gen(function* () {
  const path = yield* pathOf
  const text = yield* Effect.callback<string | undefined, StatusSocketTaken>((resume) => {
    let said = ""
    const socket = connect(path)
    socket.setEncoding("utf8").setTimeout(answerMillis, () => socket.destroy(new Error("silent")))
    socket.on("data", (chunk: string) => (said += chunk))
    socket.once("error", (error: NodeJS.ErrnoException) =>
      resume(
        nobody.has(error.code ?? "")
          ? Effect.succeed(undefined)
          : Effect.fail(new StatusSocketTaken({ message: `${path} does not answer: ${error.message}` }))
      )
    )
    socket.once("end", () => resume(Effect.succeed(said)))
    return Effect.sync(() => void socket.destroy())
  })
  if (text === undefined) return undefined
  return yield* Effect.mapError(
    decode(text),
    () => new StatusSocketTaken({ message: `${path} answers like another program or version` })
  )
})

/**
 * Answers `kinora-runner status` on `status.sock` in the storage, only for its owner. First ensures that only one
 * process works in the storage. The socket of a killed process is replaced.
 */
export const serveStatus = Effect.fn("serveStatus")(function* (facts: Effect.Effect<Facts>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* pathOf
  const other = Effect.gen(function* () {
    const status = yield* askStatus
    if (status === undefined) return
    return yield* new StatusSocketTaken({ message: `Process ${status.pid} works in this storage already` })
  })
  // The socket alone is not enough: two processes that both find a dead one would each create their own.
  yield* Effect.catch(storageLock("process.lock", Duration.seconds(1)), ({ message }) =>
    Effect.andThen(other, Effect.fail(new StatusSocketTaken({ message })))
  )
  yield* other
  yield* fs.remove(path, { force: true })
  const context = yield* Effect.context<never>()
  const run = Effect.runSyncWith(context)
  const server = createServer((socket) => {
    socket.on("error", () => undefined)
    socket.end(JSON.stringify({ pid: process.pid, version, ...run(facts) } satisfies Status))
  })
  yield* Effect.acquireRelease(
    Effect.callback<Server, StatusSocketTaken>((resume) => {
      server.once("error", (error) =>
        resume(Effect.fail(new StatusSocketTaken({ message: `${path} cannot be made: ${error.message}` })))
      )
      server.listen(path, () => resume(Effect.succeed(server)))
    }),
    () => Effect.sync(() => void server.close())
  )
  yield* fs.chmod(path, 0o600)
})
