import { operator } from "@kinora/domain/users/Operator"
import { assert, layer } from "@effect/vitest"
import { PartEncoder } from "@kinora/media/parts/PartEncoder"
import { PartOutput } from "@kinora/media/parts/PartOrder"
import { RunnerLadders } from "@kinora/storage/runner/RunnerLadders"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { KinoraConfig } from "../../src/platform/config/Config.ts"
import { PartFiles } from "../../src/runner/parts/PartFiles.ts"
import { RunnerJobs } from "../../src/runner/job/RunnerJobs.ts"
import { send } from "../instance/about/Client.ts"
import { outcome, upload } from "../video/process/Pipeline.ts"
import { baseUrl } from "../instance/about/TestNode.ts"
import { sourceNode } from "../video/source/SourceNode.ts"
import { newUser } from "../video/upload/UploadNode.ts"
import { doJob, ffmpeg, type Offer, resultFile, succeed } from "./Encoder.ts"
import { jobs, newRunner, reaches, resultsLeft, workUntil } from "./Ladders.ts"
import { accept, post } from "./Runners.ts"

const partType = "kinora-vod-part-transcoding"
const standard = ["vod-web-video-transcoding", "vod-hls-transcoding", "generate-video-storyboard"]

const decodeOutput = Schema.decodeUnknownSync(PartOutput)

/** A folder that goes with the test. */
const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "kinora-parts-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** 13 s with a sound that has to be encoded, a keyframe a second. */
const clip = (into: string) => {
  const path = join(into, "long.mkv")
  const picture = ["-f", "lavfi", "-i", "testsrc2=size=192x144:rate=25:duration=13"]
  const sound = ["-f", "lavfi", "-i", "sine=frequency=440:duration=13"]
  const codecs = [
    "-c:v",
    "libx264",
    "-preset",
    "ultrafast",
    "-g",
    "25",
    "-crf",
    "35",
    "-pix_fmt",
    "yuv420p",
    "-c:a",
    "mp3"
  ]
  execFileSync(ffmpeg, ["-v", "error", "-y", ...picture, ...sound, ...codecs, path])
  return path
}

const shortSound = (into: string) => {
  const path = join(into, "short.mp4")
  const sound = ["-f", "lavfi", "-i", "sine=frequency=440:duration=5", "-c:a", "aac"]
  execFileSync(ffmpeg, ["-v", "error", "-y", ...sound, path])
  return path
}

const offersOf = (runnerToken: string, jobTypes?: ReadonlyArray<string>) =>
  Effect.map(
    post("/jobs/request", { runnerToken, ...(jobTypes === undefined ? {} : { jobTypes }) }),
    ({ json }) => json.availableJobs as ReadonlyArray<Offer>
  )

const fetchFrom = async (url: string, tokens: object, from: number) => {
  const headers = { "content-type": "application/json", ...(from === 0 ? {} : { range: `bytes=${from}-` }) }
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(tokens) })
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
}

/** Bytes of an input, from an offset on. */
const read = (address: string, tokens: object, from: number) =>
  Effect.flatMap(baseUrl, (base) => Effect.promise(() => fetchFrom(base + new URL(address).pathname, tokens, from)))

/** Does a part as `kinora-runner` does; `spoil` changes what is handed in. */
const doPart = Effect.fnUntraced(function* (
  offer: Offer,
  runnerToken: string,
  spoil: (output: PartOutput) => PartOutput = (output) => output
) {
  const directory = yield* folder
  const tokens = yield* accept(offer.uuid, runnerToken)
  const address = offer.payload.input.videoFileUrl!
  const whole = yield* read(address, tokens, 0)
  assert.strictEqual(whole.status, 200)
  const rest = yield* read(address, tokens, 100)
  assert.deepStrictEqual([rest.status, Buffer.compare(rest.bytes, whole.bytes.subarray(100))], [206, 0])
  const source = join(directory, "source.nut")
  writeFileSync(source, whole.bytes)
  const output = spoil(decodeOutput(offer.payload.output))
  const path = yield* (yield* PartEncoder).encode({ source, directory, output })
  return yield* succeed(offer.uuid, tokens, [resultFile("videoFile", readFileSync(path))])
}, Effect.scoped)

const cutsLeft = Effect.map(KinoraConfig, ({ storage }) => {
  const root = join(storage.tmp_persistent, "runner-parts")
  return existsSync(root) ? readdirSync(root) : []
})

/** Its renditions are in use, and nothing of the way there is left. */
const isDone = (videoId: number) =>
  Effect.map(
    Effect.all([reaches(videoId, "completed"), resultsLeft, cutsLeft]),
    ([completed, results, cuts]) => completed && results.length === 0 && cuts.length === 0
  )

const split = { shortest: 5, seconds: 4, preset: "ultrafast" } as const

const config = { transcoding: { remote_runners: { enabled: true } } }

layer(sourceNode({ config, processing: { remoteRunners: true, storyboards: false, split } }), {
  excludeTestServices: true,
  timeout: 180_000
})("A video in parts", (it) => {
  it.effect(
    "is made by runners that do parts, joined and published",
    () =>
      Effect.gen(function* () {
        const source = clip(yield* folder)
        const owner = yield* newUser("split")
        const one = yield* newRunner("parts")
        const stock = yield* newRunner("stock")
        yield* offersOf(one, [...standard, partType])
        const video = yield* upload(owner, source)
        yield* workUntil(reaches(video.id, "waiting-children"))

        assert.deepStrictEqual(yield* offersOf(stock), [])
        assert.deepStrictEqual(yield* offersOf(stock, standard), [])
        const offered = yield* offersOf(one, [partType])
        assert.deepStrictEqual(
          offered.map(({ payload, type }) => [type, decodeOutput(payload.output).kind]),
          [[partType, "audio"], ...Array.from({ length: 3 }, () => [partType, "video"])]
        )
        const [sound, first, second, third] = offered as [Offer, Offer, Offer, Offer]
        assert.strictEqual((yield* doPart(second, one)).status, 204)
        assert.strictEqual((yield* doPart(third, one)).status, 204)
        const sql = yield* SqlClient
        const board = yield* sql<{ progress: number }>`
          select progress from job where video_id = ${video.id} and state = 'waiting-children'`
        assert.deepStrictEqual(board, [{ progress: 50 }])

        // Another encoder than the others had, and a frame too few.
        const other = (output: PartOutput): PartOutput => ({ ...output, preset: "slow" }) as PartOutput
        assert.strictEqual((yield* doPart(first, one, other)).status, 204)
        // A sound of which most is missing.
        const tokens = yield* accept(sound.uuid, one)
        const brief = readFileSync(shortSound(yield* folder))
        assert.strictEqual((yield* succeed(sound.uuid, tokens, [resultFile("videoFile", brief)])).status, 204)
        yield* workUntil(Effect.map(offersOf(one, [partType]), (left) => left.length === 2))
        const silent = (yield* jobs).find(({ uuid }) => uuid === sound.uuid)!
        assert.deepInclude(silent, { failures: 1 })
        assert.match(silent.error ?? "", /ends at 5\.0 s instead of 13\.\d s/)
        assert.strictEqual((yield* doPart(sound, one)).status, 204)
        const isBack = Effect.map(offersOf(one, [partType]), (left) => left.length === 1)
        yield* workUntil(isBack)
        const refused = (yield* jobs).find(({ uuid }) => uuid === first.uuid)!
        assert.deepInclude(refused, { failures: 1 })
        assert.include(refused.error ?? "", "differently")
        const short = (output: PartOutput): PartOutput =>
          output.kind === "audio"
            ? output
            : { ...output, renditions: [{ ...output.renditions[0], frames: output.renditions[0].frames - 1 }] }
        assert.strictEqual((yield* doPart(first, one, short)).status, 204)
        yield* workUntil(isBack)
        assert.include((yield* jobs).find(({ uuid }) => uuid === first.uuid)!.error ?? "", "99 frames")

        assert.strictEqual((yield* doPart(first, one)).status, 204)
        yield* workUntil(isDone(video.id))
        assert.isTrue(yield* isDone(video.id))
        const made = yield* outcome(video.id)
        assert.deepInclude(made, { state: 1, web: [144], hls: [144] })
        const told = (yield* send(`/api/v1/videos/${video.uuid}`)).json
        assert.strictEqual(told.duration, 13)
      }),
    120_000
  )

  it.effect(
    "is given out as a whole when nobody does parts any more",
    () =>
      Effect.gen(function* () {
        const source = clip(yield* folder)
        const owner = yield* newUser("whole")
        const gone = yield* newRunner("gone")
        yield* offersOf(gone, [partType])
        const video = yield* upload(owner, source)
        yield* workUntil(reaches(video.id, "waiting-children"))
        const sql = yield* SqlClient
        const ladders = yield* RunnerLadders
        assert.deepStrictEqual(yield* ladders.giveUpStuck(partType, 60), [])
        yield* sql`update runner set last_contact = now() - interval '2 minutes'`
        yield* sql`update runner_job set updated_at = now() - interval '2 minutes' where video_id = ${video.id}`
        assert.lengthOf(yield* ladders.giveUpStuck(partType, 60), 1)
        yield* workUntil(reaches(video.id, "waiting-children"))
        const stock = yield* newRunner("later")
        const offered = yield* offersOf(stock)
        assert.deepStrictEqual(
          offered.map(({ type }) => type),
          ["vod-hls-transcoding"]
        )
        assert.strictEqual((yield* doJob(offered[0]!, stock)).status, 204)
        yield* workUntil(isDone(video.id))
        assert.isTrue(yield* isDone(video.id))
      }),
    120_000
  )

  it.effect(
    "that failed goes on with the part that is begun again, and one that is cancelled leaves nothing",
    () =>
      Effect.gen(function* () {
        const source = clip(yield* folder)
        const owner = yield* newUser("ending")
        const runner = yield* newRunner("ending")
        yield* offersOf(runner, [partType])
        const failing = yield* upload(owner, source)
        yield* workUntil(reaches(failing.id, "waiting-children"))
        const [first] = yield* offersOf(runner, [partType])
        assert.lengthOf(yield* cutsLeft, 1)
        for (let n = 0; n < 5; n++) {
          const tokens = yield* accept(first!.uuid, runner)
          yield* post(`/jobs/${first!.uuid}/error`, { ...tokens, message: `no encoder ${n}` })
        }
        yield* workUntil(reaches(failing.id, "failed"))
        const sql = yield* SqlClient
        const [failed] = yield* sql<{ error: string }>`
          select error::text as error from job where video_id = ${failing.id} and state = 'failed'`
        assert.include(failed!.error, "no encoder 4")

        const files = yield* PartFiles
        yield* files.sweep
        const { retry } = yield* RunnerJobs
        // After a day the cuts may be gone.
        yield* sql`update job set finished_at = finished_at - interval '1 day' where video_id = ${failing.id}`
        assert.strictEqual((yield* Effect.flip(retry(operator, first!.uuid)))._tag, "RunnerJobOutdated")
        yield* sql`update job set finished_at = finished_at + interval '1 day' where video_id = ${failing.id}`
        yield* retry(operator, first!.uuid)
        yield* workUntil(reaches(failing.id, "waiting-children"))
        for (const offer of yield* offersOf(runner, [partType])) yield* doPart(offer, runner)
        yield* workUntil(isDone(failing.id))
        assert.deepInclude(yield* outcome(failing.id), { state: 1, web: [144], hls: [144] })

        const dropped = yield* upload(owner, source)
        yield* workUntil(reaches(dropped.id, "waiting-children"))
        yield* files.sweep
        assert.lengthOf(yield* cutsLeft, 1)
        yield* sql`update job set state = 'cancelled', finished_at = now()
          where video_id = ${dropped.id} and state = 'waiting-children'`
        assert.deepStrictEqual(yield* offersOf(runner, [partType]), [])
        yield* files.sweep
        assert.deepStrictEqual(yield* cutsLeft, [])
      }),
    120_000
  )
})
