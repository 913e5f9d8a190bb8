import { liveJobType, vodPartJobType } from "@kinora/domain/enums/RunnerJobType"
import {
  type BadRequest,
  InvalidParameters,
  PayloadTooLarge,
  type RequestTimeout
} from "@kinora/domain/errors/RequestErrors"
import { InsufficientStorage, type DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { pictureKind } from "@kinora/media/images/PictureKind"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import type { LadderPart } from "@kinora/storage/runner/RunnerLadders"
import { RunnerLadders } from "@kinora/storage/runner/RunnerLadders"
import { resultObject, RunnerResultObjects } from "@kinora/storage/runner/RunnerResultObjects"
import { Clock, Context, Effect, Layer, Scope } from "effect"
import { randomUUID } from "node:crypto"
import { mkdir, readdir, rename, rm, stat, statfs } from "node:fs/promises"
import { join } from "node:path"
import type { FileSink } from "../../platform/body/MultipartBody.ts"
import { onDisk, openUploadFile } from "../../platform/body/UploadFile.ts"
import { UploadSettings } from "../../video/staging/UploadSettings.ts"

/** A file of a result: its field in the form, its stored name, and its size limit. */
interface ResultFile {
  readonly field: string
  /** Undefined: it is checked, but not kept. */
  readonly name: string | undefined
  readonly maxBytes: number
  /** Whether the first bytes belong to this kind of file. */
  readonly begins: (head: Buffer) => boolean
}

const mebibyte = 1024 ** 2

const video: ResultFile = {
  field: "payload[videoFile]",
  name: "video.mp4",
  maxBytes: 1024 ** 4,
  begins: (head) => head.subarray(4, 8).toString("latin1") === "ftyp"
}
/** We write our own playlists from the video files. Nothing of this one is used, so nothing it refers to is fetched. */
const playlist: ResultFile = {
  field: "payload[resolutionPlaylistFile]",
  name: undefined,
  maxBytes: 4 * mebibyte,
  begins: (head) => head.subarray(0, 7).toString("latin1") === "#EXTM3U"
}
const storyboard: ResultFile = {
  field: "payload[storyboardFile]",
  name: "storyboard",
  maxBytes: 32 * mebibyte,
  begins: (head) => pictureKind(head) !== undefined
}

/** The files of a result, by job type (contract: jobTypes.*.success). */
const filesOf: Readonly<Record<LadderPart["type"], ReadonlyArray<ResultFile>>> = {
  "vod-web-video-transcoding": [video],
  "vod-hls-transcoding": [video, playlist],
  "vod-audio-merge-transcoding": [video],
  "generate-video-storyboard": [storyboard],
  // Its segments have come by updates.
  [liveJobType]: [],
  [vodPartJobType]: [video]
}

/** Bytes needed to recognise the kind of a file. */
const headBytes = 16

const arrivingPrefix = "arriving-"
/**
 * After this many milliseconds without a write, the sender of a result is gone: a connection without data is closed
 * earlier.
 */
const stillMillis = 15 * 60_000
/** How long a complete result may stay unrecorded. */
const notedMillis = 10 * 60_000
/** Free disk space is checked after this many bytes. */
const lookEvery = 64 * mebibyte

export type ResultRefused = InvalidParameters | PayloadTooLarge | InsufficientStorage | BadRequest | RequestTimeout

/** A result that is arriving. */
export interface Arriving {
  /** Writes the file of a form field. The file name of the sender is ignored. */
  readonly file: (field: string) => Effect.Effect<FileSink<ResultRefused>, ResultRefused>
  /** Checks that all files are there, stores the result under a new name and returns that name. */
  readonly finish: Effect.Effect<string, ResultRefused | DatabaseUnavailable>
}

/** Files that runners made, from their arrival until they are put into use. */
export class RunnerResults extends Context.Service<
  RunnerResults,
  {
    /** Begins a result for a job of this type. If it is not finished, it is removed when the scope closes. */
    readonly begin: (type: LadderPart["type"]) => Effect.Effect<Arriving, InsufficientStorage, Scope.Scope>
    /**
     * Absolute path of a file of a finished result: the file itself, or a copy in the folder where nodes have object storage alone
     * in common. It may not be there.
     */
    readonly file: (
      result: string,
      file: "video.mp4" | "storyboard",
      folder: string
    ) => Effect.Effect<string, InsufficientStorage>
    readonly remove: (result: string) => Effect.Effect<void>
    /** Removes results that are no longer needed. */
    readonly sweep: Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/runners/RunnerResults") {
  static readonly layer = Layer.effect(
    RunnerResults,
    Effect.gen(function* () {
      const { directory, reserveDisk, stagesObjects } = yield* UploadSettings
      const ladders = yield* RunnerLadders
      const objects = yield* ObjectStore
      const staged = yield* RunnerResultObjects
      const root = join(directory, "runner-results")

      const checkRoom = Effect.flatMap(
        Effect.promise(() => statfs(root)),
        ({ bavail, bsize }) => (bavail * bsize < reserveDisk ? Effect.fail(new InsufficientStorage()) : Effect.void)
      )

      const removeFolder = (result: string) =>
        Effect.promise(() => rm(join(root, result), { recursive: true, force: true }))

      const remove = (result: string) =>
        stagesObjects
          ? Effect.andThen(
              removeFolder(result),
              Effect.ignore(staged.drop(result), {
                log: "Warn",
                message: "A result of a runner goes with the next sweep"
              })
            )
          : removeFolder(result)

      /** Puts a result where every node finds it. */
      const share = Effect.fnUntraced(function* (result: string, names: ReadonlyArray<string>) {
        for (const name of names) {
          yield* staged.intend(result, name)
          const { size } = yield* objects.put(resultObject(result, name), join(root, result, name))
          yield* staged.add(result, name, size)
        }
      })

      const file = (result: string, name: string, folder: string) =>
        stagesObjects
          ? Effect.catchTag(objects.localFile(resultObject(result, name), folder), "ObjectNotFound", () =>
              Effect.succeed(join(root, result, name))
            )
          : Effect.succeed(join(root, result, name))

      const begin = Effect.fn("RunnerResults.begin")(function* (type: LadderPart["type"]) {
        const scope = yield* Effect.scope
        const result = randomUUID()
        const folder = join(root, arrivingPrefix + result)
        yield* Effect.acquireRelease(
          onDisk(() => mkdir(folder, { recursive: true, mode: 0o700 })),
          () => Effect.promise(() => rm(folder, { recursive: true, force: true }))
        )
        const wanted = filesOf[type]
        /** The first bytes of each file that arrived. */
        const heads = new Map<ResultFile, Buffer>()

        const file = Effect.fnUntraced(function* (
          field: string
        ): Effect.fn.Return<FileSink<ResultRefused>, ResultRefused> {
          const found = wanted.find((one) => one.field === field)
          if (found === undefined || heads.has(found)) {
            const fields = wanted.map((one) => one.field).join(", ")
            return yield* InvalidParameters.one(field.slice(0, 100), `The files of this job are ${fields}`, "body")
          }
          heads.set(found, Buffer.alloc(0))
          const { name } = found
          if (name !== undefined) yield* checkRoom
          const target =
            name === undefined ? undefined : yield* Scope.provide(openUploadFile(join(folder, name), 0), scope)
          let [size, looked] = [0, 0]
          return {
            write: Effect.fnUntraced(function* (chunk: Uint8Array) {
              size += chunk.length
              if (size > found.maxBytes) return yield* new PayloadTooLarge({ maxBytes: found.maxBytes })
              if (size - looked > lookEvery) {
                looked = size
                yield* checkRoom
              }
              const head = heads.get(found)!
              if (head.length < headBytes) {
                heads.set(found, Buffer.concat([head, chunk.subarray(0, headBytes - head.length)]))
              }
              if (target !== undefined) yield* target.write(chunk)
            }),
            end: target?.flush ?? Effect.void
          }
        })

        const finish = Effect.gen(function* () {
          for (const one of wanted) {
            const head = heads.get(one)
            if (head === undefined || !one.begins(head)) {
              return yield* InvalidParameters.one(one.field, "Must be a file of its kind", "body")
            }
          }
          yield* onDisk(() => rename(folder, join(root, result)))
          if (stagesObjects) {
            const names = wanted.flatMap(({ name }) => name ?? [])
            yield* Effect.ensuring(share(result, names), removeFolder(result))
          }
          return result
        })

        return { file, finish }
      })

      /**
       * When a folder was renamed or one of its files was written. A folder that disappears meanwhile is left to the
       * next sweep.
       */
      const touched = (name: string) =>
        Effect.promise(async () => {
          const folder = join(root, name)
          const files = await readdir(folder).catch(() => [])
          const times = await Promise.all(
            [folder, ...files.map((file) => join(folder, file))].map((path) =>
              stat(path).then(
                ({ ctimeMs }) => ctimeMs,
                () => Infinity
              )
            )
          )
          return Math.max(...times)
        })
      const agesAt = (name: string) => (name.startsWith(arrivingPrefix) ? stillMillis : notedMillis)

      const sweep = Effect.gen(function* () {
        if (stagesObjects) yield* staged.dropUnneeded(notedMillis / 1000)
        const names = yield* Effect.promise(() => readdir(root).catch(() => []))
        if (names.length === 0) return
        const known = yield* ladders.results(names)
        const now = yield* Clock.currentTimeMillis
        for (const name of names) {
          const gone = known.has(name) ? known.get(name) === false : now - (yield* touched(name)) > agesAt(name)
          if (gone) yield* removeFolder(name)
        }
      }).pipe(Effect.withSpan("RunnerResults.sweep"))

      return RunnerResults.of({ begin, file, remove, sweep })
    })
  )
}
