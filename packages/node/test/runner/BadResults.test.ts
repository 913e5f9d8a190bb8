import { assert, layer, vi } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { outcome, upload } from "../video/process/Pipeline.ts"
import { sourceNode } from "../video/source/SourceNode.ts"
import { oddClip, plainClip } from "../video/upload/Clips.ts"
import { newUser } from "../video/upload/UploadNode.ts"
import { doJob, type Offer, offers, resultFile, succeed } from "./Encoder.ts"
import { jobs, newRunner, reaches, resultsLeft, workUntil } from "./Ladders.ts"
import { accept } from "./Runners.ts"

// Each of them encodes more than once.
vi.setConfig({ testTimeout: 90_000 })

const given = Effect.fnUntraced(function* (name: string) {
  const runner = yield* newRunner(name)
  const video = yield* upload(yield* newUser(name), oddClip())
  yield* workUntil(reaches(video.id, "waiting-children"))
  return { video, runner, offered: (yield* offers(runner)) as readonly [Offer, Offer, Offer] }
})

const shown = ({ uuid }: Offer) => Effect.map(jobs, (all) => all.find((one) => one.uuid === uuid)!)

/** Somebody on this machine who is never to be asked. */
const bystander = Effect.acquireRelease(
  Effect.callback<{ readonly port: number; readonly asked: () => number; readonly close: () => void }>((resume) => {
    let asked = 0
    const server = createServer((_, response) => {
      asked++
      response.end("#EXTM3U")
    })
    server.on("connection", () => void asked++)
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      resume(Effect.succeed({ port, asked: () => asked, close: () => void server.close() }))
    })
  }),
  ({ close }) => Effect.sync(close)
)

layer(sourceNode({ processing: { remoteRunners: true } }), { excludeTestServices: true, timeout: 180_000 })(
  "Results that are not what they say",
  (it) => {
    it.effect("films without a picture, sheets that are none, and playlists that lead elsewhere do no harm", () =>
      Effect.gen(function* () {
        const { offered, runner, video } = yield* given("lying")
        const [sheet, high, low] = offered
        const { asked, port } = yield* bystander
        const elsewhere = `http://127.0.0.1:${port}/secret`
        const playlist = resultFile(
          "resolutionPlaylistFile",
          `#EXTM3U\n#EXT-X-MAP:URI="${elsewhere}.mp4"\n#EXTINF:4,\n${elsewhere}.ts\n#EXTINF:4,\nfile:///etc/passwd\n`
        )

        const tokens = yield* accept(low.uuid, runner)
        // What ffmpeg would follow is no film by its first bytes.
        for (const script of [
          `#EXTM3U\n#EXTINF:4,\n${elsewhere}.ts\n`,
          "ffconcat version 1.0\nfile '/etc/passwd'\n",
          `<?xml version="1.0"?><MPD><BaseURL>${elsewhere}</BaseURL></MPD>`
        ]) {
          const refused = yield* succeed(low.uuid, tokens, [resultFile("videoFile", script), playlist])
          assert.deepStrictEqual(
            [refused.status, Object.keys(refused.json["invalid-params"])],
            [400, ["payload[videoFile]"]]
          )
        }
        assert.deepStrictEqual(yield* resultsLeft, [])

        const junk = Buffer.concat([readFileSync(plainClip()).subarray(0, 64), Buffer.alloc(4096, 7)])
        assert.strictEqual((yield* succeed(low.uuid, tokens, [resultFile("videoFile", junk), playlist])).status, 204)
        assert.strictEqual((yield* doJob(high, runner)).status, 204)
        const torn = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(512, 1)])
        const sheetTokens = yield* accept(sheet.uuid, runner)
        assert.strictEqual((yield* succeed(sheet.uuid, sheetTokens, [resultFile("storyboardFile", torn)])).status, 204)
        yield* workUntil(Effect.map(shown(low), ({ failures }) => failures === 1))
        const again = yield* shown(low)
        assert.strictEqual(again.state.id, 1)
        assert.include(again.error ?? "", "The result was rejected")
        assert.strictEqual((yield* outcome(video.id)).state, 2)

        const held = yield* accept(low.uuid, runner)
        const clip = readFileSync(plainClip())
        assert.strictEqual((yield* succeed(low.uuid, held, [resultFile("videoFile", clip), playlist])).status, 204)
        // A film of another size: it comes back until it is what was asked for.
        yield* workUntil(Effect.map(shown(low), ({ failures }) => failures === 2))
        assert.strictEqual((yield* doJob(low, runner)).status, 204)
        yield* workUntil(reaches(video.id, "completed"))
        assert.deepInclude(yield* outcome(video.id), { state: 1, hls: [144, 242], storyboards: 0 })
        assert.strictEqual(asked(), 0)
        assert.deepStrictEqual(yield* resultsLeft, [])
      }).pipe(Effect.scoped)
    )

    it.effect("files that are far too large are refused as they arrive, and the job goes on", () =>
      Effect.gen(function* () {
        const { offered, runner, video } = yield* given("large")
        const [sheet, high] = offered
        const picture = Buffer.alloc(32 * 1024 ** 2 + 1)
        picture.set([0xff, 0xd8, 0xff, 0xe0])
        const tokens = yield* accept(sheet.uuid, runner)
        const refused = yield* succeed(sheet.uuid, tokens, [resultFile("storyboardFile", picture)])
        assert.strictEqual(refused.status, 413)
        const ofHigh = yield* accept(high.uuid, runner)
        const list = resultFile("resolutionPlaylistFile", Buffer.alloc(4 * 1024 ** 2 + 1, "#"))
        assert.strictEqual((yield* succeed(high.uuid, ofHigh, [list])).status, 413)
        for (const one of [sheet, high]) assert.deepInclude(yield* shown(one), { failures: 0, error: null })
        assert.deepStrictEqual([(yield* shown(sheet)).state.id, (yield* shown(high)).state.id], [2, 2])
        assert.deepStrictEqual(yield* resultsLeft, [])
        yield* (yield* SqlClient)`update job set state = 'cancelled' where video_id = ${video.id}`
      })
    )
  }
)
