import { assert, layer } from "@effect/vitest"
import { JobUpkeep } from "@kinora/storage/platform/jobs/JobUpkeep"
import { VideoDeletion } from "@kinora/storage/video/write/VideoDeletion"
import { Effect, Exit } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { publishType, transcodingType } from "../../../src/video/process/ProcessingJobs.ts"
import { type Step, StepObserver } from "../../../src/video/process/Steps.ts"
import { oddClip, plainClip, soundClip } from "../upload/Clips.ts"
import { newUser, uploadNode } from "../upload/UploadNode.ts"
import { filesAfterRemovals, outcome, runDoomed, upload, workOff } from "./Pipeline.ts"

const steps: ReadonlyArray<Step> = [
  "publish:adopted",
  "publish:made",
  "publish:stored",
  "publish:committed",
  "transcode:made",
  "transcode:stored",
  "transcode:committed"
]

/** How many of a video's files lack what clients are told of each. */
const untold = Effect.fnUntraced(function* (videoId: number) {
  const sql = yield* SqlClient
  const [row] = yield* sql<{ count: number }>`
    select count(*) as count from video_file f left join streaming_playlist p on p.id = f.streaming_playlist_id
    where coalesce(f.video_id, p.video_id) = ${videoId} and (
      f.torrent_filename is null or f.info_hash is null or (p.id is not null and p.segments_sha256_filename is null)
    )`
  return row!.count
})

layer(uploadNode(), { excludeTestServices: true })("the way of a video", (it) => {
  it.effect("publishes a playable source at once, then replaces it by the ladder", () =>
    Effect.gen(function* () {
      const owner = yield* newUser("playable")
      const video = yield* upload(owner, plainClip(), { tags: ["one", "two"], name: "Playable" })
      assert.strictEqual((yield* outcome(video.id)).state, 2)
      const exit = yield* runDoomed(publishType)
      assert.isTrue(Exit.isSuccess(exit))
      const early = yield* outcome(video.id)
      assert.deepInclude(early, { state: 1, thumbnails: 2, web: [240], hls: [240] })
      assert.strictEqual(yield* untold(video.id), 0)
      yield* workOff
      assert.strictEqual(yield* untold(video.id), 0)
      const done = yield* outcome(video.id)
      assert.deepInclude(done, { state: 1, thumbnails: 2, storyboards: 1, web: [240], hls: [240], source: null })
      const { expected, present } = yield* filesAfterRemovals
      assert.deepStrictEqual(present, expected)
    })
  )

  it.effect(
    "publishes after the ladder when that is asked for, or when there is no other way",
    () =>
      Effect.gen(function* () {
        const owner = yield* newUser("waiting")
        const waiting = yield* upload(owner, plainClip(), { waitTranscoding: true })
        const odd = yield* upload(owner, oddClip())
        const sound = yield* upload(owner, soundClip())
        for (const _ of [1, 2, 3]) yield* runDoomed(publishType)
        for (const { id } of [waiting, odd, sound]) {
          assert.deepInclude(yield* outcome(id), { state: 2, thumbnails: 2, web: [], hls: [] })
        }
        yield* workOff
        assert.deepInclude(yield* outcome(waiting.id), { state: 1, hls: [240], web: [240] })
        assert.deepInclude(yield* outcome(odd.id), { state: 1, hls: [240, 242], web: [240, 242] })
        assert.deepInclude(yield* outcome(sound.id), { state: 1, storyboards: 1 })
        const sql = yield* SqlClient
        const [sheet] = yield* sql`
          select total_width as width, total_height as height, sprite_duration as seconds, v.duration
          from storyboard s join video v on v.id = s.video_id where v.id = ${sound.id}`
        assert.deepInclude(sheet, { width: 192, height: 108 })
        assert.isAtLeast(Number(sheet?.["seconds"]), Number(sheet?.["duration"]))
        assert.isAbove((yield* outcome(sound.id)).hls.length, 0)
        const { expected, present } = yield* filesAfterRemovals
        assert.deepStrictEqual(present, expected)
      }),
    60_000
  )

  it.effect(
    "does the work once, however often it is killed in between",
    () =>
      Effect.gen(function* () {
        const upkeep = yield* JobUpkeep
        const sql = yield* SqlClient
        const owner = yield* newUser("killed")
        for (const step of steps) {
          const video = yield* upload(owner, plainClip(), { name: `Killed at ${step}` })
          const crash = (at: Step) => (at === step ? Effect.die(new Error("killed")) : Effect.void)
          const first = yield* runDoomed(publishType).pipe(Effect.provideService(StepObserver, crash))
          assert.strictEqual(Exit.isFailure(first), step.startsWith("publish"))
          if (step.startsWith("transcode")) {
            const second = yield* runDoomed(transcodingType).pipe(Effect.provideService(StepObserver, crash))
            assert.isTrue(Exit.isFailure(second))
          }
          yield* upkeep.expireLeases("test")
          yield* workOff
          const done = yield* outcome(video.id)
          assert.deepInclude(
            done,
            { state: 1, thumbnails: 2, storyboards: 1, web: [240], hls: [240], source: null },
            step
          )
          const jobs = yield* sql<{ type: string; state: string }>`
          select type, state from job where video_id = ${video.id} order by id`
          assert.deepStrictEqual(jobs, [
            { type: publishType, state: "completed" },
            { type: transcodingType, state: "completed" }
          ])
          const { expected, present } = yield* filesAfterRemovals
          assert.deepStrictEqual(present, expected, step)
        }
      }),
    120_000
  )

  it.effect(
    "removes every file of a deleted video, also when it is deleted while it is worked on",
    () =>
      Effect.gen(function* () {
        const deletion = yield* VideoDeletion
        const owner = yield* newUser("deleter")
        const video = yield* upload(owner, plainClip())
        yield* workOff
        assert.isTrue(yield* deletion.video(video.id))
        assert.isFalse(yield* deletion.video(video.id))
        const busy = yield* upload(owner, plainClip())
        const remove = (step: Step) =>
          step === "publish:stored" ? Effect.asVoid(Effect.orDie(deletion.video(busy.id))) : Effect.void
        yield* workOff.pipe(Effect.provideService(StepObserver, remove))
        const { expected, present } = yield* filesAfterRemovals
        assert.deepStrictEqual(present, expected)
      }),
    60_000
  )
})
