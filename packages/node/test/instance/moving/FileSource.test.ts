import { assert, layer } from "@effect/vitest"
import type { SourceFile } from "@kinora/storage/instance/moving/SourceFiles"
import { Effect } from "effect"
import { FetchHttpClient } from "effect/http"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bringFile } from "../../../src/instance/moving/FileSource.ts"

const options = { storage: undefined, link: false, acceptMissing: false }

/** A server that gives these answers one after the other, and the last one again; how many it gave. */
const server = (answers: ReadonlyArray<(response: ServerResponse) => void>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      let count = 0
      const http = createServer((_, response) => answers[Math.min(count++, answers.length - 1)]!(response))
      await new Promise<void>((listening) => http.listen(0, "127.0.0.1", listening))
      const { port } = http.address() as AddressInfo
      const file: SourceFile = {
        ...{ kind: "web video", id: 1, bucket: "web_videos", name: "a.mp4", folders: [], filename: "a.mp4" },
        ...{ size: 5, infoHash: null, url: `http://127.0.0.1:${port}/a.mp4` }
      }
      return { http, file, count: () => count }
    }),
    ({ http }) =>
      Effect.promise(() => new Promise<void>((done) => (http.closeAllConnections(), http.close(() => done()))))
  )

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "kinora-moving-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

layer(FetchHttpClient.layer, { excludeTestServices: true })("a file at an address", (it) => {
  it.effect("is asked for again while its server fails or breaks off", () =>
    Effect.gen(function* () {
      const { count, file } = yield* server([
        (response) => void response.writeHead(503).end(),
        (response) => {
          response.writeHead(200, { "content-length": 5 }).write("by")
          setImmediate(() => response.destroy())
        },
        (response) => void response.end("bytes")
      ])
      const path = join(yield* folder, "draft")
      const { size } = yield* bringFile(options, file, path)
      assert.strictEqual(size, 5)
      assert.strictEqual(readFileSync(path, "utf8"), "bytes")
      assert.strictEqual(count(), 3)
    }).pipe(Effect.scoped)
  )

  it.effect("is asked for once where its server does not have it", () =>
    Effect.gen(function* () {
      const { count, file } = yield* server([(response) => void response.writeHead(404).end()])
      const absent = yield* Effect.flip(bringFile(options, file, join(yield* folder, "draft")))
      assert.include(absent.reason, "cannot be fetched")
      assert.isFalse(absent.mayRecover)
      assert.strictEqual(count(), 1)
    }).pipe(Effect.scoped)
  )
})
