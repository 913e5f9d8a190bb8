import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, it, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import { type Destination, CustomUpload, destinationsOf } from "../../src/server/CustomUpload.ts"
import { serve } from "./Protocol.ts"

const origin = "http://videos.example.org:9000"

const named = (value: unknown, at = origin) => {
  const found = destinationsOf(at, { input: {}, output: { resolution: 720, videoFileCustomUpload: value } })
  return found && [...found].map(([field, { method, url }]) => [field, method, url.href])
}

it("reads where a job wants its files", () => {
  assert.deepStrictEqual(named({ url: "https://storage.example.net/a?sign=1", method: "POST" }), [
    ["payload[videoFile]", "POST", "https://storage.example.net/a?sign=1"]
  ])
  assert.deepStrictEqual(named({ url: `${origin}/upload` }), [["payload[videoFile]", "PUT", `${origin}/upload`]])
  assert.deepStrictEqual(named(null), [])
  assert.deepStrictEqual([...(destinationsOf(origin, undefined) ?? [])], [])
  // The server's own machine may be at a private address, over TLS.
  assert.isDefined(named({ url: "https://192.168.1.7/a" }, "http://192.168.1.7:9000"))
  for (const value of [
    { url: "http://storage.example.net/a" },
    { url: "http://videos.example.org/another-port" },
    { url: "https://user:password@storage.example.net/a" },
    { url: "https://127.0.0.1/a" },
    { url: "https://2130706433/a" },
    { url: "https://[::ffff:10.0.0.1]/a" },
    { url: "https://[fd00:ec2::254]/latest" },
    { url: "https://169.254.169.254/latest" },
    { url: "file:///etc/passwd" },
    { url: "https://storage.example.net/a", method: "DELETE" },
    { url: 1 },
    "https://storage.example.net/a",
    []
  ]) {
    assert.isUndefined(named(value), JSON.stringify(value))
  }
})

const services = CustomUpload.layer.pipe(
  Layer.provide(NodeHttpClient.layerNodeHttp),
  Layer.provideMerge(NodeServices.layer)
)

layer(services)("A file that a job wants elsewhere", (it) => {
  const film = Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = `${yield* fs.makeTempDirectoryScoped()}/output.mp4`
    yield* fs.writeFileString(path, "x".repeat(600_000))
    return { field: "payload[videoFile]", path, name: "output.mp4", type: "video/mp4" }
  })
  const to = (address: string, method: Destination["method"] = "PUT") => ({ url: new URL(address), method })

  it.effect("is sent as it is, or as a form, and nothing with it", () =>
    Effect.gen(function* () {
      const custom = yield* CustomUpload
      const file = yield* film
      const { origin: here, received } = yield* serve(
        (_, response) => void response.writeHead(200).end("<ok/>"),
        (_, response) => void response.writeHead(204).end()
      )
      yield* custom.put(here, file, to(`${here}/film?sign=1`))
      yield* custom.put(here, file, to(`${here}/form`, "POST"))
      const [put, post] = received
      assert.deepStrictEqual(
        [put?.path, put?.body.length, put?.headers["content-type"]],
        ["/film?sign=1", 600_000, "video/mp4"]
      )
      assert.strictEqual(put?.headers["content-length"], "600000")
      const form = yield* Effect.promise(() =>
        new Response(new Uint8Array(post!.body), {
          headers: { "content-type": post!.headers["content-type"]! }
        }).formData()
      )
      assert.deepStrictEqual([...form.keys()], ["payload[videoFile]"])
    }).pipe(Effect.scoped)
  )

  it.effect("is tried again when the storage is down, refused otherwise, and follows nobody", () =>
    Effect.gen(function* () {
      const custom = yield* CustomUpload
      const file = yield* film
      const { origin: here, received } = yield* serve(
        (_, response) => void response.writeHead(503).end(),
        (_, response) => void response.writeHead(403).end("<Error>secret</Error>"),
        (_, response) => void response.writeHead(307, { location: "http://127.0.0.1:1/" }).end()
      )
      const put = Effect.flip(custom.put(here, file, to(`${here}/film?sign=secret`)))
      const errors = [yield* put, yield* put, yield* put]
      assert.deepStrictEqual(
        errors.map(({ _tag }) => _tag),
        ["ServerUnreachable", "ServerRefused", "ServerRefused"]
      )
      assert.isFalse(errors.some(({ message }) => message.includes("secret")))
      assert.strictEqual(received.length, 3)
      assert.strictEqual(
        (yield* Effect.flip(custom.put("http://127.0.0.1:1", file, to("http://127.0.0.1:1/"))))._tag,
        "ServerUnreachable"
      )
    }).pipe(Effect.scoped)
  )

  it.effect("does not go to a private address under another name", () =>
    Effect.gen(function* () {
      const custom = yield* CustomUpload
      const { origin: here, received } = yield* serve()
      const { port } = new URL(here)
      const error = yield* Effect.flip(custom.put(here, yield* film, to(`https://localhost:${port}/film`)))
      assert.deepStrictEqual([error._tag, error.message.includes("private network")], ["ServerRefused", true])
      assert.strictEqual(received.length, 0)
    }).pipe(Effect.scoped)
  )
})
