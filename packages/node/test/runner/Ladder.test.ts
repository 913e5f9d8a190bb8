import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { send } from "../instance/about/Client.ts"
import { filesAfterRemovals, outcome, upload } from "../video/process/Pipeline.ts"
import { sourceNode } from "../video/source/SourceNode.ts"
import { oddClip, plainClip, soundClip } from "../video/upload/Clips.ts"
import { newUser } from "../video/upload/UploadNode.ts"
import { doJob, type Offer, offers, resultFile, succeed } from "./Encoder.ts"
import { boardState, jobs, newRunner, reaches, resultsLeft, workUntil } from "./Ladders.ts"
import { accept, post } from "./Runners.ts"

layer(sourceNode({ processing: { remoteRunners: true } }), { excludeTestServices: true, timeout: 180_000 })(
  "A ladder made by runners",
  (it) => {
    it.effect(
      "is given out, handed in and published, and what is of no use is given out again",
      () =>
        Effect.gen(function* () {
          const owner = yield* newUser("remote")
          const one = yield* newRunner("one")
          const two = yield* newRunner("two")
          const video = yield* upload(owner, oddClip())
          yield* workUntil(reaches(video.id, "waiting-children"))
          const offered = yield* offers(one)
          assert.deepStrictEqual(
            offered.map(({ payload, type }) => [type, payload.output.resolution]),
            [
              ["generate-video-storyboard", undefined],
              ["vod-hls-transcoding", 242],
              ["vod-hls-transcoding", 144]
            ]
          )
          const [sheet, other, tried] = offered as [Offer, Offer, Offer]
          const files = `http://localhost:9000/api/v1/runners/jobs/${tried.uuid}/files/videos/${video.uuid}`
          assert.deepStrictEqual<unknown>(tried.payload, {
            input: { videoFileUrl: `${files}/max-quality`, separatedAudioFileUrl: [] },
            output: { resolution: 144, fps: 25, separatedAudio: false }
          })

          const tokens = yield* accept(tried.uuid, one)
          const clip = readFileSync(plainClip())
          const playlist = resultFile("resolutionPlaylistFile", "#EXTM3U\nhttp://127.0.0.1/elsewhere.mp4\n")
          for (const [parts, status, field] of [
            [[resultFile("videoFile", "no film at all"), playlist], 400, "payload[videoFile]"],
            [[resultFile("videoFile", clip)], 400, "payload[resolutionPlaylistFile]"],
            [[resultFile("storyboardFile", clip)], 400, "payload[storyboardFile]"],
            [[resultFile("videoFile", clip), resultFile("videoFile", clip), playlist], 400, "payload[videoFile]"],
            [[], 400, "payload[videoFile]"]
          ] as const) {
            const refused = yield* succeed(tried.uuid, tokens, parts)
            assert.deepStrictEqual([refused.status, Object.keys(refused.json["invalid-params"])], [status, [field]])
          }
          const good = [resultFile("videoFile", clip), playlist]
          assert.strictEqual((yield* succeed(tried.uuid, { ...tokens, runnerToken: two }, good)).status, 404)
          assert.strictEqual((yield* succeed(other.uuid, tokens, good)).status, 404)
          assert.strictEqual((yield* succeed(tried.uuid, { ...tokens, jobToken: "" }, good)).status, 400)
          assert.strictEqual((yield* post(`/jobs/${tried.uuid}/success`, { ...tokens })).status, 415)
          assert.deepInclude(
            (yield* jobs).find(({ uuid }) => uuid === tried.uuid),
            { state: { id: 2, label: "Processing" }, failures: 0 }
          )

          // A film, but not the one that was asked for.
          assert.strictEqual((yield* succeed(tried.uuid, tokens, good)).status, 204)
          const again = yield* succeed(tried.uuid, tokens, good)
          assert.deepStrictEqual([again.status, again.json.code], [400, "runner_job_not_in_processing_state"])
          assert.strictEqual((yield* post(`/jobs/${tried.uuid}/update`, { ...tokens })).status, 204)
          assert.strictEqual((yield* doJob(other, two)).status, 204)
          // What is there is looked at before the rest has come.
          assert.strictEqual(yield* boardState(video.id), "waiting")
          assert.strictEqual((yield* doJob(sheet, one)).status, 204)
          yield* workUntil(Effect.map(offers(one), (left) => left.length === 1))
          const returned = (yield* jobs).find(({ uuid }) => uuid === tried.uuid)!
          assert.deepInclude(returned, { failures: 1, state: { id: 1, label: "Pending" } })
          assert.include(returned.error ?? "", "144p")
          assert.strictEqual((yield* outcome(video.id)).state, 2)

          assert.strictEqual((yield* doJob(tried, two)).status, 204)
          yield* workUntil(reaches(video.id, "completed"))
          const made = yield* outcome(video.id)
          assert.deepInclude(made, { state: 1, thumbnails: 2, storyboards: 1, source: null })
          assert.deepStrictEqual(
            [made.web, made.hls],
            [
              [144, 242],
              [144, 242]
            ]
          )
          const told = (yield* send(`/api/v1/videos/${video.uuid}`)).json
          assert.strictEqual(told.streamingPlaylists[0].files.length, 2)
          const path = new URL(told.streamingPlaylists[0].playlistUrl).pathname
          assert.include((yield* send(path)).text, "#EXT-X-STREAM-INF")
          assert.deepStrictEqual(yield* resultsLeft, [])
          const { expected, present } = yield* filesAfterRemovals
          assert.deepStrictEqual(present, expected)
          assert.isTrue((yield* jobs).every(({ state }) => state.id === 3))
        }),
      90_000
    )

    it.effect("of a sound is a video of its picture", () =>
      Effect.gen(function* () {
        const owner = yield* newUser("sounds")
        const runner = yield* newRunner("three")
        const video = yield* upload(owner, soundClip())
        yield* workUntil(reaches(video.id, "waiting-children"))
        const offered = yield* offers(runner)
        assert.deepStrictEqual(
          offered.map(({ type }) => type),
          ["vod-audio-merge-transcoding"]
        )
        assert.strictEqual((yield* doJob(offered[0]!, runner)).status, 204)
        yield* workUntil(reaches(video.id, "completed"))
        const made = yield* outcome(video.id)
        assert.strictEqual(made.state, 1)
        assert.includeMembers([...made.hls], [0])
      })
    )
  }
)
