import { OperationFiguresReads } from "@kinora/storage/instance/stats/OperationFigures"
import { UserReads } from "@kinora/storage/people/user/UserReads"
import { buckets } from "@kinora/storage/platform/objects/ObjectKey"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Console, Effect, Layer, Stream } from "effect"
import { Command } from "effect/cli"
import { inUnits } from "../instance/backup/Progress.ts"
import { objectFolders } from "../platform/folders/ObjectFolders.ts"
import { toCliFailure } from "./CliFailure.ts"
import { operatorLayer } from "./OperatorLayer.ts"
import { count, json, printJson, renderTable } from "./Output.ts"

const layer = Layer.mergeAll(OperationFiguresReads.layer, UserReads.layer, objectFolders).pipe(
  Layer.provide(operatorLayer)
)

/** What lies in each folder of files; empty ones are left out. */
const folders = Effect.gen(function* () {
  const objects = yield* ObjectStore
  const sums = yield* Effect.forEach(buckets, (folder) =>
    Stream.runFold(
      objects.list(folder),
      () => ({ folder, files: 0, bytes: 0 }),
      (sum, { size }) => ({ folder, files: sum.files + 1, bytes: sum.bytes + size })
    )
  )
  return sums.filter(({ files }) => files > 0)
})

/** Those whose videos take the most room. */
const largestUsers = Effect.fnUntraced(function* (most: number) {
  const { data } = yield* (yield* UserReads).list({
    sort: { by: "videoQuotaUsed", descending: true },
    start: 0,
    count: most
  })
  return data.map(({ username, videoQuota, videoQuotaUsed, videosCount }) => ({
    username,
    videos: videosCount,
    bytes: videoQuotaUsed,
    quota: videoQuota
  }))
})

export const storageUsageCommand = Command.make("usage", { count, json }, (input) =>
  Effect.gen(function* () {
    const files = yield* folders
    const users = yield* largestUsers(input.count)
    const { databaseBytes, uploadBytes } = yield* (yield* OperationFiguresReads).read
    const freeBytes = yield* (yield* ObjectStore).freeBytes("streaming_playlists")
    const free = Number.isFinite(freeBytes) ? freeBytes : null
    if (input.json) return yield* printJson({ folders: files, users, databaseBytes, uploadBytes, freeBytes: free })
    const bytes = files.reduce((sum, one) => sum + one.bytes, 0)
    const number = files.reduce((sum, one) => sum + one.files, 0)
    const size = (item: { readonly bytes: number }) => inUnits(item.bytes)
    yield* Console.log(
      renderTable([...files, { folder: "all", files: number, bytes }], {
        folder: ({ folder }) => folder,
        files: (one) => one.files,
        size
      })
    )
    yield* Console.log(
      `\n${renderTable(users, {
        user: ({ username }) => username,
        videos: ({ videos }) => videos,
        size,
        quota: ({ quota }) => (quota < 0 ? "none" : inUnits(quota))
      })}`
    )
    yield* Console.log(
      `\nThe database has ${inUnits(databaseBytes)}, unfinished uploads ${inUnits(uploadBytes)}; ` +
        `${free === null ? "an unknown amount" : inUnits(free)} is free for videos.`
    )
  }).pipe(Effect.provide(layer), toCliFailure)
).pipe(
  Command.withDescription(
    "Print how much room each kind of files takes, whose videos take the most, the size of the database, and what is left. " +
      "Reads the folders, so it takes a while where there are very many files."
  ),
  Command.withShortDescription("Print what takes how much room")
)
