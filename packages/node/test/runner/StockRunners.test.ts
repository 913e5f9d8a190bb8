import { assert, layer, vi } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { outcome, upload } from "../video/process/Pipeline.ts"
import { sourceNode } from "../video/source/SourceNode.ts"
import { oddClip, plainClip, soundClip } from "../video/upload/Clips.ts"
import { newUser } from "../video/upload/UploadNode.ts"
import { doJob, ffmpeg, offers, resultFile, succeed } from "./Encoder.ts"
import { giveUp, jobs, newRunner, reaches, workUntil } from "./Ladders.ts"
import { accept, post } from "./Runners.ts"

vi.setConfig({ testTimeout: 90_000 })

/** What runners of 6.3 and 7.x know. */
const olderTypes = ["vod-web-video-transcoding", "vod-hls-transcoding", "vod-audio-merge-transcoding"]

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "kinora-stock-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** A sound merged with its picture as stock runners do it: the picture keeps its size and runs over. */
const merged = (at: string, sound: string, overrun: number): Buffer => {
  const [picture, padded, out] = [join(at, "picture.png"), join(at, "picture.mp4"), join(at, "out.mp4")]
  const run = (...args: ReadonlyArray<string>) => execFileSync(ffmpeg, ["-y", "-loglevel", "error", ...args])
  run("-f", "lavfi", "-i", "color=red:s=426x240", "-frames:v", "1", picture)
  const still = ["-loop", "1", "-framerate", "2", "-i", picture, "-t", String(secondsOf(sound) + overrun)]
  run(...still, "-c:v", "libx264", "-pix_fmt", "yuv420p", "-preset", "ultrafast", padded)
  run("-i", padded, "-i", sound, "-map", "0:v", "-map", "1:a", "-c:v", "copy", "-c:a", "aac", out)
  return readFileSync(out)
}

/** Seconds of a sound, by decoding all of it. */
const secondsOf = (sound: string): number => {
  const raw = execFileSync(ffmpeg, ["-loglevel", "error", "-i", sound, "-f", "s16le", "-ac", "1", "-ar", "8000", "-"], {
    maxBuffer: 1024 ** 3
  })
  return raw.length / 16_000
}

layer(sourceNode({ processing: { remoteRunners: true } }), { excludeTestServices: true, timeout: 180_000 })(
  "Stock runners",
  (it) => {
    it.effect("that know no storyboards publish each rendition as it comes", () =>
      Effect.gen(function* () {
        const runner = yield* newRunner("older")
        const video = yield* upload(yield* newUser("older"), oddClip(), { waitTranscoding: false })
        yield* workUntil(reaches(video.id, "waiting-children"))
        const offered = (yield* offers(runner)).filter(({ type }) => olderTypes.includes(type))
        assert.deepStrictEqual(
          offered.map(({ payload }) => payload.output.resolution),
          [242, 144]
        )
        const [high, low] = offered
        assert.strictEqual((yield* doJob(low!, runner)).status, 204)
        yield* workUntil(Effect.map(outcome(video.id), ({ state }) => state === 1))
        assert.deepInclude(yield* outcome(video.id), { hls: [144], web: [144], thumbnails: 2, storyboards: 0 })
        yield* workUntil(reaches(video.id, "waiting-children"))

        assert.strictEqual((yield* doJob(high!, runner)).status, 204)
        yield* workUntil(reaches(video.id, "completed"))
        assert.deepInclude(yield* outcome(video.id), { state: 1, hls: [144, 242], web: [144, 242], storyboards: 0 })

        // A runner that knows storyboards comes later: the upload is gone, and a rendition stands in for it.
        const newer = yield* newRunner("newer")
        const [sheet] = yield* offers(newer)
        assert.strictEqual(sheet?.type, "generate-video-storyboard")
        assert.strictEqual((yield* doJob(sheet!, newer)).status, 204)
        yield* workUntil(Effect.map(outcome(video.id), ({ storyboards }) => storyboards === 1))
        assert.deepInclude(yield* outcome(video.id), { state: 1, hls: [144, 242] })
      })
    )

    it.effect("whose storyboard fails for good leave it to this node", () =>
      Effect.gen(function* () {
        const runner = yield* newRunner("failing")
        const video = yield* upload(yield* newUser("failing"), plainClip(), { waitTranscoding: false })
        yield* workUntil(reaches(video.id, "waiting-children"))
        const sheet = (yield* offers(runner)).find(({ type }) => type === "generate-video-storyboard")!
        for (let n = 0; n < 5; n++) {
          const tokens = yield* accept(sheet.uuid, runner)
          const { status } = yield* post(`/jobs/${sheet.uuid}/error`, { ...tokens, message: "no such filter" })
          assert.strictEqual(status, 204)
        }
        yield* workUntil(Effect.map(outcome(video.id), ({ storyboards }) => storyboards === 1))
        assert.deepInclude(yield* outcome(video.id), { state: 1 })
        yield* giveUp(video.id)
      })
    )

    it.effect("may let the picture of a sound run over, and keep its size", () =>
      Effect.gen(function* () {
        const at = yield* folder
        const runner = yield* newRunner("sounding")
        const video = yield* upload(yield* newUser("sounding"), soundClip())
        yield* workUntil(reaches(video.id, "waiting-children"))
        const [job] = (yield* offers(runner)).filter(({ type }) => type === "vod-audio-merge-transcoding")
        const tokens = yield* accept(job!.uuid, runner)
        const other = join(at, "other.wav")
        execFileSync(ffmpeg, ["-loglevel", "error", "-f", "lavfi", "-i", "sine=d=60", other])
        const another = resultFile("videoFile", merged(at, other, 0))
        assert.strictEqual((yield* succeed(job!.uuid, tokens, [another])).status, 204)
        yield* workUntil(
          Effect.map(jobs, (all) => all.some(({ failures, uuid }) => uuid === job!.uuid && failures === 1))
        )

        const again = yield* accept(job!.uuid, runner)
        writeFileSync(join(at, "sound"), readFileSync(soundClip()))
        const over = resultFile("videoFile", merged(at, join(at, "sound"), 5))
        assert.strictEqual((yield* succeed(job!.uuid, again, [over])).status, 204)
        yield* workUntil(reaches(video.id, "completed"))
        // Its storyboard, the picture it is shown with, is made here.
        yield* workUntil(Effect.map(outcome(video.id), ({ storyboards }) => storyboards === 1))
        assert.deepInclude(yield* outcome(video.id), { state: 1, hls: [0, 240] })
        const sql = yield* SqlClient
        const files = yield* sql<{ seconds: number }>`
          select (metadata -> 'format' ->> 'duration')::float8 as seconds from video_file f
          left join streaming_playlist p on p.id = f.streaming_playlist_id
          where coalesce(f.video_id, p.video_id) = ${video.id}`
        const length = secondsOf(join(at, "sound"))
        for (const { seconds } of files) assert.closeTo(seconds, length, 1)
      }).pipe(Effect.scoped)
    )
  }
)
