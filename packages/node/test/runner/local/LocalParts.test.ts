import { assert, layer } from "@effect/vitest"
import { vodPartJobType } from "@kinora/domain/enums/RunnerJobType"
import { Effect } from "effect"
import { bearer, send } from "../../instance/about/Client.ts"
import { outcome, upload } from "../../video/process/Pipeline.ts"
import { clip } from "../../video/upload/Clips.ts"
import { newUser } from "../../video/upload/UploadNode.ts"
import { newRunner, reaches, resultsLeft, root, workUntil } from "../Ladders.ts"
import { accept, post } from "../Runners.ts"
import { doAll, localNode, shownJobs, workLeft } from "./LocalNode.ts"

/** 13 s, a keyframe a second. */
const long = () =>
  clip("parts.mkv", [
    ...["-f", "lavfi", "-i", "testsrc2=size=192x144:rate=25:duration=13"],
    ...["-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-crf", "35", "-pix_fmt", "yuv420p"]
  ])

const split = { shortest: 5, seconds: 4, preset: "ultrafast" } as const

layer(localNode(0, { storyboards: false, split }), { excludeTestServices: true, timeout: 180_000 })(
  "A node beside runners that do parts",
  (it) => {
    it.effect(
      "does what is left of a video when they are gone, also of one that had failed",
      () =>
        Effect.gen(function* () {
          const runnerToken = yield* newRunner("parts")
          yield* post("/jobs/request", { runnerToken, jobTypes: [vodPartJobType] })
          const video = yield* upload(yield* newUser("parts"), long())
          yield* workUntil(reaches(video.id, "waiting-children"))
          const parts = yield* shownJobs(video.id)
          assert.deepStrictEqual(
            parts.map(({ type }) => type),
            [vodPartJobType, vodPartJobType, vodPartJobType]
          )
          const [first, second] = parts
          for (let n = 0; n < 5; n++) {
            const tokens = yield* accept(first!.uuid, runnerToken)
            yield* post(`/jobs/${first!.uuid}/error`, { ...tokens, message: "no encoder" })
          }
          yield* workUntil(reaches(video.id, "failed"))

          const token = yield* root
          const path = `/api/v1/runners/jobs/${second!.uuid}/retry`
          const again = yield* send(path, { method: "POST", ...bearer(token) })
          assert.strictEqual(again.status, 204)
          assert.strictEqual(yield* doAll, 3)
          assert.isTrue((yield* shownJobs(video.id)).every(({ runner, state }) => state.id === 3 && runner?.id === 0))
          yield* workUntil(reaches(video.id, "completed"))
          assert.deepInclude(yield* outcome(video.id), { state: 1, web: [144], hls: [144] })
          assert.deepStrictEqual([yield* workLeft, yield* resultsLeft], [[], []])
        }),
      120_000
    )
  }
)
