import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { inputAddress } from "../../src/server/Download.ts"
import { RunnerServer } from "../../src/server/RunnerServer.ts"
import { json, serve } from "./Protocol.ts"

const services = RunnerServer.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(NodeHttpClient.layerNodeHttp, NodeServices.layer))
)

const uuid = "2732f206-0539-45af-a82b-66098d1bc26b"
const hold = (origin: string) => ({ origin, uuid, runnerToken: "ptrt-1", jobToken: "ptrjt-1" })
const fileOf = (origin: string) => `${origin}/api/v1/runners/jobs/${uuid}/files/videos/${randomUUID()}/max-quality`

layer(services)("The protocol of runners", (it) => {
  it.effect("reads the answers of old and new servers", () =>
    Effect.gen(function* () {
      const server = yield* RunnerServer
      const input = { videoFileUrl: "http://localhost:9000/x", separatedAudioFileUrl: [] }
      const payload = { input, output: { fps: 30, resolution: 720 } }
      const { origin, received } = yield* serve(
        json(200, { id: 1, runnerToken: "ptrt-1" }),
        json(200, { availableJobs: [{ uuid, type: "vod-web-video-transcoding", payload }] }),
        json(200, { job: { uuid, type: "vod-web-video-transcoding", state: { id: 2 }, payload, jobToken: "ptrjt-1" } }),
        (_, response) => void response.writeHead(204).end()
      )
      const runnerToken = yield* server.register(origin, {
        registrationToken: "ptrrt-1",
        name: "one",
        description: undefined
      })
      const [offer] = yield* server.request({ origin, runnerToken }, ["vod-web-video-transcoding"])
      const job = yield* server.accept({ origin, runnerToken }, offer!.uuid)
      assert.deepStrictEqual(job, { ...hold(origin), type: "vod-web-video-transcoding", payload })
      yield* server.update(job, 12)
      assert.deepStrictEqual(
        received.map(({ path }) => path),
        [
          "/api/v1/runners/register",
          "/api/v1/runners/jobs/request",
          `/api/v1/runners/jobs/${uuid}/accept`,
          `/api/v1/runners/jobs/${uuid}/update`
        ]
      )
      assert.deepStrictEqual(JSON.parse(received[3]!.body.toString()), {
        jobToken: "ptrjt-1",
        runnerToken: "ptrt-1",
        progress: 12
      })
    }).pipe(Effect.scoped)
  )

  it.effect("tells a job that is gone from a runner that is unknown, a refusal and a server that is down", () =>
    Effect.gen(function* () {
      const server = yield* RunnerServer
      const { origin } = yield* serve(
        json(400, { code: "runner_job_not_in_processing_state", detail: "no" }),
        json(409, { code: "runner_job_not_in_pending_state" }),
        json(404, { detail: "Runner job not found" }),
        json(404, {
          type: "https://docs.joinpeertube.org/api-rest-reference.html#section/Errors/unknown_runner_token"
        }),
        json(400, { detail: "Incorrect", "invalid-params": { progress: {} } }),
        json(503, "down"),
        (_, response) => void response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
        (_, response) => void response.writeHead(200).end("<html>"),
        (_, response) => void response.writeHead(200).end("x".repeat(5 * 1024 ** 2))
      )
      const fails = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E>) => Effect.flip(effect)
      const tags: Array<string> = []
      for (let n = 0; n < 6; n++) tags.push((yield* fails(server.update(hold(origin), 1)))._tag)
      assert.deepStrictEqual(tags, [
        "JobLost",
        "JobLost",
        "JobLost",
        "UnknownRunner",
        "ServerRefused",
        "ServerUnreachable"
      ])
      assert.strictEqual((yield* fails(server.request(hold(origin), [])))._tag, "ServerRefused")
      assert.strictEqual((yield* fails(server.request(hold(origin), [])))._tag, "UnexpectedAnswer")
      assert.include((yield* fails(server.request(hold(origin), []))).message, "too long")
      assert.strictEqual((yield* fails(server.request(hold("http://127.0.0.1:1"), [])))._tag, "ServerUnreachable")
    }).pipe(Effect.scoped)
  )

  it.effect("shows the words of whatever answers, but no pages", () =>
    Effect.gen(function* () {
      const server = yield* RunnerServer
      const { origin } = yield* serve(
        (_, response) => void response.writeHead(413).end("Payload \u001b[31mtoo large\n"),
        (_, response) => void response.writeHead(502).end("<html>Bad gateway</html>"),
        json(400, { error: "In the words of an old server" }),
        (_, response) => void response.writeHead(404).end("nothing here")
      )
      const messages: Array<string> = []
      for (let n = 0; n < 3; n++) messages.push((yield* Effect.flip(server.update(hold(origin), 1))).message)
      assert.deepStrictEqual(messages, [
        "413 Payload  [31mtoo large",
        "502 without a reason",
        "400 In the words of an old server"
      ])
      // To a job, any 404 says that it is gone.
      assert.strictEqual((yield* Effect.flip(server.update(hold(origin), 1)))._tag, "JobLost")
    }).pipe(Effect.scoped)
  )

  it.effect("goes on with a download that was cut off, and begins anew where ranges are unknown", () =>
    Effect.gen(function* () {
      const server = yield* RunnerServer
      const fs = yield* FileSystem.FileSystem
      const path = `${yield* fs.makeTempDirectoryScoped()}/source`
      const content = "0123456789"
      const cut = (_: unknown, response: import("node:http").ServerResponse) => {
        response.writeHead(200, { "content-length": 10 })
        response.write(content.slice(0, 4), () => response.destroy())
      }
      const { origin, received } = yield* serve(
        cut,
        (_, response) =>
          void response.writeHead(206, { "content-range": "bytes 4-9/10", "content-length": 6 }).end(content.slice(4)),
        cut,
        (_, response) => void response.writeHead(200, { "content-length": 10 }).end(content),
        (_, response) => void response.writeHead(200, { "content-length": 1e12 }).end()
      )
      const rooms: Array<number> = []
      const get = server.download(hold(origin), fileOf("http://elsewhere:9000"), path, (bytes) =>
        Effect.sync(() => void rooms.push(bytes))
      )
      assert.strictEqual((yield* Effect.flip(get))._tag, "ServerUnreachable")
      yield* get
      assert.deepStrictEqual([yield* fs.readFileString(path), received[1]!.headers.range], [content, "bytes=4-"])
      yield* fs.remove(path)
      yield* Effect.flip(get)
      yield* get
      assert.strictEqual(yield* fs.readFileString(path), content)
      assert.deepStrictEqual(rooms, [10, 10, 10, 10])
      const none = server.download(hold(origin), fileOf(origin), path, () => Effect.fail("no room" as const))
      assert.strictEqual(yield* Effect.flip(none), "no room")
    }).pipe(Effect.scoped)
  )

  it.effect("sends files after the tokens, of a length that is told before", () =>
    Effect.gen(function* () {
      const server = yield* RunnerServer
      const fs = yield* FileSystem.FileSystem
      const path = `${yield* fs.makeTempDirectoryScoped()}/out.mp4`
      yield* fs.writeFileString(path, "x".repeat(1_000_000))
      const { origin, received } = yield* serve((_, response) => void response.writeHead(204).end())
      const file = { field: "payload[videoFile]", path, name: "out.mp4", type: "video/mp4" }
      yield* server.succeed(hold(origin), [file])
      const [{ body, headers }] = received as [(typeof received)[number]]
      assert.strictEqual(Number(headers["content-length"]), body.length)
      const form = yield* Effect.promise(() =>
        new Response(new Uint8Array(body), { headers: { "content-type": headers["content-type"]! } }).formData()
      )
      assert.deepStrictEqual([...form.keys()], ["jobToken", "runnerToken", "payload[videoFile]"])
      assert.strictEqual((form.get("payload[videoFile]") as File).size, 1_000_000)
    }).pipe(Effect.scoped)
  )

  it("shows tokens to nobody but the server of the job", () => {
    const at = { origin: "http://here:1", uuid }
    assert.strictEqual(
      inputAddress(at, `https://a/api/v1/runners/jobs/${uuid}/files/a`),
      `http://here:1/api/v1/runners/jobs/${uuid}/files/a`
    )
    for (const address of [
      `http://a/api/v1/runners/jobs/${randomUUID()}/files/a`,
      "http://a/",
      "file:///etc/passwd",
      "x"
    ]) {
      assert.isUndefined(inputAddress(at, address), address)
    }
  })
})
