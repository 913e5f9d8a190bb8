import { parseUuid } from "@kinora/domain/ids/VideoUuid"
import { MovableObjects } from "@kinora/storage/instance/inventory/MovableObjects"
import { type Bucket, buckets, type ObjectKey } from "@kinora/storage/platform/objects/ObjectKey"
import { ObjectStore, type StoreName } from "@kinora/storage/platform/objects/ObjectStore"
import { type Moved, ObjectMoves } from "@kinora/storage/platform/objects/s3/ObjectMoves"
import { Console, Effect, Layer, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { inUnits, makeProgress } from "../instance/backup/Progress.ts"
import { moveAll } from "../instance/moves/MoveAll.ts"
import { KinoraConfig } from "../platform/config/Config.ts"
import { objectFolders, s3OptionsOf } from "../platform/folders/ObjectFolders.ts"
import { CliFailure, toCliFailure } from "./CliFailure.ts"
import { commandLogging, configLayer } from "./CommandLayers.ts"
import { databaseLayer } from "./DatabaseLayer.ts"

const notConfigured = new CliFailure({
  message: "No object storage is configured: set object_storage.endpoint and object_storage.credentials.",
  exitCode: 78
})

const to = Flag.Literals("to", ["s3", "disk"]).pipe(Flag.withDescription("Where the files are to be"))

const video = Flag.String("video").pipe(
  Flag.withMetavar("UUID"),
  Flag.withDescription("Only files of this video; may be given several times"),
  Flag.atLeast(0)
)

const kind = Flag.Literals("kind", buckets).pipe(
  Flag.withDescription("Only files of this kind, such as web_videos; may be given several times"),
  Flag.atLeast(0)
)

const dryRun = Flag.Boolean("dry-run").pipe(
  Flag.withDescription("Only list the files that would be moved"),
  Flag.withDefault(false)
)

const atOnce = Flag.Int("at-once").pipe(
  Flag.withMetavar("FILES"),
  Flag.withDescription("Files that are moved at the same time"),
  Flag.withDefault(2)
)

interface Input {
  readonly to: StoreName
  readonly video: ReadonlyArray<string>
  readonly kind: ReadonlyArray<Bucket>
  readonly dryRun: boolean
  readonly atOnce: number
}

/** What would be moved, a file a line. */
const list = Effect.fnUntraced(function* (query: Parameters<MovableObjects["Service"]["list"]>[0]) {
  const movable = yield* MovableObjects
  const objects = yield* ObjectStore
  let [files, bytes] = [0, 0]
  yield* movable.list(query).pipe(
    Stream.runForEach((key) =>
      Effect.gen(function* () {
        const found = yield* Effect.option(objects.stat(key))
        if (found._tag === "None") return yield* Console.log(`missing: ${key.bucket}/${key.name}`)
        files++
        bytes += found.value.size
        yield* Console.log(`${key.bucket}/${key.name} (${inUnits(found.value.size)})`)
      })
    )
  )
  yield* Console.log(`Files to move: ${files} (${inUnits(bytes)}).`)
})

const move = Effect.fnUntraced(function* (input: Input) {
  const wrong = input.video.find((uuid) => parseUuid(uuid) === undefined)
  if (wrong !== undefined)
    return yield* new CliFailure({ message: `${wrong} is not the UUID of a video`, exitCode: 64 })
  if (input.atOnce < 1) return yield* new CliFailure({ message: "--at-once must be 1 or more", exitCode: 64 })
  const options = s3OptionsOf(yield* KinoraConfig)
  if (options === undefined) return yield* notConfigured
  const configured = buckets.filter((bucket) => options.kinds[bucket] !== undefined)
  const kinds = configured.filter((bucket) => input.kind.length === 0 || input.kind.includes(bucket))
  const query = { to: input.to, kinds, videos: input.video }
  return yield* Effect.gen(function* () {
    if (input.dryRun) return yield* list(query)
    const progress = yield* makeProgress(
      input.to === "s3" ? "Moving to object storage" : "Moving to the disk",
      undefined
    )
    const onObject = ({ bucket, name }: ObjectKey, result: Moved | "corrupt") =>
      result === "corrupt"
        ? Console.log(`damaged: ${bucket}/${name}`)
        : result.outcome === "gone"
          ? Console.log(`missing: ${bucket}/${name}`)
          : progress.file(result.bytes)
    const { bytes, corrupt, gone, moved } = yield* moveAll(query, input.atOnce, onObject)
    yield* Console.log(`Files moved: ${moved} (${inUnits(bytes)}).`)
    if (corrupt > 0 || gone > 0) {
      return yield* new CliFailure({
        message: `Files that were not moved: ${corrupt} are damaged, ${gone} are missing. \`kinora storage check\` lists what is missing.`,
        exitCode: 1
      })
    }
  }).pipe(
    Effect.provide(
      Layer.mergeAll(MovableObjects.layer, ObjectMoves.layer(options), objectFolders).pipe(Layer.provide(databaseLayer))
    )
  )
})

export const storageMoveCommand = Command.make("move", { to, video, kind, dryRun, atOnce }, (input) =>
  move(input).pipe(Effect.provide([configLayer, commandLogging]), toCliFailure)
).pipe(
  Command.withDescription(
    "Move files to object storage, or back to the disk. Each is copied, compared by size and digest, and then read from its " +
      "new place; the other copy is removed a little later by the running node. Can be run beside a running instance, and " +
      "cut off at any time: the next run goes on."
  ),
  Command.withShortDescription("Move files between the disk and object storage"),
  Command.withExamples([
    { command: "kinora storage move --to s3 --dry-run", description: "List what would be moved to object storage" },
    { command: "kinora storage move --to s3", description: "Move all kinds that have a bucket" },
    {
      command: "kinora storage move --to disk --video 3a0f2c3e-9ad1-4a0c-8e7f-7f2f6c1d2b3a",
      description: "Bring one video back to the disk"
    }
  ])
)
