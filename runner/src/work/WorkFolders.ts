import {
  Context,
  Duration,
  Effect,
  FileSystem,
  Layer,
  Path,
  type PlatformError,
  Schema,
  type Scope,
  Semaphore
} from "effect"
import { statfs } from "node:fs/promises"
import { RunnerConfig } from "../config/RunnerConfig.ts"
import type { Hold } from "../server/RunnerServer.ts"
import { CannotWork } from "./WorkErrors.ts"

const HoldFile = Schema.fromJsonString(
  Schema.Struct({ origin: Schema.String, runnerToken: Schema.String, uuid: Schema.String, jobToken: Schema.String })
)
const decodeHold = Schema.decodeUnknownEffect(HoldFile)

/** Disk space for an input, as a multiple of its size: the input, the encode, and the final file. */
const roomFactor = 3

/** A folder for the files of one job. */
export interface WorkFolder {
  readonly path: string
  /**
   * Reserves space for an input of this size and everything made from it. A later call for the same input replaces the
   * former.
   */
  readonly reserve: (input: string, bytes: number) => Effect.Effect<void, CannotWork>
}

/** The folder of a running job. */
export interface GuardedFolder extends WorkFolder {
  /** Fails once its files exceed the available space, whatever was reserved, so that the disk is not filled. */
  readonly guard: Effect.Effect<never, CannotWork>
}

/** The reservation of a job: bytes of each input, and the size of its files if that was larger. */
interface Room {
  inputs: ReadonlyMap<string, number>
  used: number
}

const roomOf = ({ inputs, used }: Room): number =>
  Math.max(used, [...inputs.values()].reduce((sum, bytes) => sum + bytes, 0) * roomFactor)

/** How often the size of files is measured. */
const weighEvery = Duration.seconds(5)

/** Temporary files: one folder per job, deleted with the job. */
export class WorkFolders extends Context.Service<
  WorkFolders,
  {
    /** A new folder. It contains a note that identifies the job until the job ends. */
    readonly open: (hold: Hold) => Effect.Effect<GuardedFolder, PlatformError.PlatformError, Scope.Scope>
    /** Removes what a former process left, and returns the jobs it held. */
    readonly sweep: Effect.Effect<ReadonlyArray<Hold>, PlatformError.PlatformError>
  }
>()("@kinora/runner/work/WorkFolders") {
  static readonly layer = Layer.effect(
    WorkFolders,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const { join } = yield* Path.Path
      const { storage } = yield* RunnerConfig
      const root = join(storage.directory, "work")
      const rooms = new Map<string, Room>()

      const size = (path: string) =>
        fs.stat(path).pipe(
          Effect.map((info) => (info.type === "File" ? Number(info.size) : 0)),
          // Deleted meanwhile.
          Effect.orElseSucceed(() => 0)
        )

      const weigh = Effect.fnUntraced(function* (path: string) {
        const names = yield* Effect.orElseSucceed(fs.readDirectory(path, { recursive: true }), () => [])
        const sizes = yield* Effect.forEach(names, (name) => size(join(path, name)))
        return sizes.reduce((sum, one) => sum + one, 0)
      })

      const total = () => [...rooms.values()].reduce((sum, room) => sum + roomOf(room), 0)
      const free = Effect.map(
        Effect.promise(() => statfs(root)),
        ({ bavail, bsize }) => bavail * bsize
      )
      // Two jobs that check at once would both find the same space free.
      const turn = yield* Semaphore.make(1)

      const reserve = (room: Room) =>
        Effect.fnUntraced(function* (input: string, bytes: number) {
          const inputs = new Map(room.inputs).set(input, bytes)
          const all = total() - roomOf(room) + roomOf({ ...room, inputs })
          // Reserved bytes of others that are not written yet.
          const missing = all - (yield* weigh(root))
          if (all > storage.maxBytes || missing + storage.reserveBytes > (yield* free)) {
            return yield* new CannotWork({ message: `There is not enough free space for an input of ${bytes} bytes` })
          }
          room.inputs = inputs
        }, turn.withPermits(1))

      const guard = (room: Room, path: string) =>
        Effect.gen(function* () {
          const used = yield* weigh(path)
          const outgrown = used > roomOf(room)
          if (outgrown) room.used = used
          if ((outgrown && total() > storage.maxBytes) || (yield* free) < storage.reserveBytes) {
            return yield* new CannotWork({
              message: `There is not enough free space for the files of the job, ${used} bytes so far`
            })
          }
          yield* Effect.sleep(weighEvery)
        }).pipe(Effect.forever)

      const remove = (path: string) =>
        Effect.ignore(fs.remove(path, { recursive: true, force: true }), {
          log: "Warn",
          message: "A work folder could not be removed"
        })

      const open = Effect.fn("WorkFolders.open")(function* (hold: Hold) {
        const path = join(root, hold.uuid)
        yield* Effect.acquireRelease(fs.makeDirectory(path, { recursive: true, mode: 0o700 }), () =>
          Effect.andThen(
            remove(path),
            Effect.sync(() => void rooms.delete(hold.uuid))
          )
        )
        const { jobToken, origin, runnerToken, uuid } = hold
        const note = JSON.stringify({ jobToken, origin, runnerToken, uuid })
        yield* fs.writeFileString(join(path, "job.json"), note, { mode: 0o600 })
        const room: Room = { inputs: new Map(), used: 0 }
        rooms.set(uuid, room)
        return { path, reserve: reserve(room), guard: guard(room, path) }
      })

      const sweep = Effect.gen(function* () {
        yield* fs.makeDirectory(root, { recursive: true, mode: 0o700 })
        const names = yield* fs.readDirectory(root)
        const holds = yield* Effect.forEach(names, (name) =>
          Effect.gen(function* () {
            const hold = yield* fs.readFileString(join(root, name, "job.json")).pipe(
              Effect.flatMap(decodeHold),
              Effect.map((found) => [found]),
              // The process died before the note was complete: the server notices by the missing reports.
              Effect.orElseSucceed(() => [])
            )
            yield* remove(join(root, name))
            return hold
          })
        )
        return holds.flat()
      }).pipe(Effect.withSpan("WorkFolders.sweep"))

      return WorkFolders.of({ open, sweep })
    })
  )
}
