import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Schedule } from "effect"
import { bearer, send } from "../../instance/about/Client.ts"
import { People } from "../list/People.ts"
import { addVideo } from "../list/Videos.ts"
import { downloadNode } from "./DownloadNode.ts"

const node = downloadNode({}, { countsWritten: Duration.millis(50) })

layer(node, { excludeTestServices: true })("Counts of downloads", (it) => {
  const downloadsOf = (uuid: string) =>
    Effect.map(send(`/api/v1/videos/${uuid}`), ({ json }) => json.downloads as number)

  /** Counts are written in the order in which they are noted: what was noted before is written after this. */
  const written = Effect.gen(function* () {
    const { uuid } = yield* addVideo({ owner: "owner" })
    yield* send(`/download/web-videos/${uuid}-720.mp4`)
    yield* downloadsOf(uuid).pipe(
      Effect.repeat({ until: (count) => count > 0, schedule: Schedule.spaced("20 millis") }),
      Effect.timeout("20 seconds")
    )
  })

  it.effect("a client's downloads are one, its ranges, looks and refusals none", () =>
    Effect.gen(function* () {
      const { other } = yield* People
      const { token, uuid } = yield* addVideo({ owner: "owner" })
      const path = `/download/web-videos/${uuid}-720.mp4`
      yield* send(path, { headers: { range: "bytes=4-8" } })
      yield* send(path, { headers: { range: "bytes=99-" } })
      yield* send(path, { method: "HEAD" })
      yield* send(`/download/web-videos/${uuid}-480.mp4`)
      yield* send(`/download/torrents/${token}.torrent`)
      yield* written
      assert.strictEqual(yield* downloadsOf(uuid), 0)
      for (const range of ["bytes=0-", "bytes=5-", "bytes=0-3"]) yield* send(path, { headers: { range } })
      yield* written
      yield* send(path)
      yield* send(path, bearer(other))
      yield* written
      assert.strictEqual(yield* downloadsOf(uuid), 1)
    })
  )
})
