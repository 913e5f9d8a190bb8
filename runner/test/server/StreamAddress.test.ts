import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { streamAddress } from "../../src/server/StreamAddress.ts"

const origin = "https://198.51.100.7"

describe("the address of a live", () => {
  it.effect("is read where the server is, and where everybody may read", () =>
    Effect.gen(function* () {
      for (const [server, url] of [
        ["https://videos.example.org", "rtmp://videos.example.org:1935/live/key"],
        ["http://127.0.0.1:9000", "rtmp://localhost:1935/live/key"],
        ["http://10.0.0.7:9000", "rtmps://10.0.0.7/live/key"],
        [origin, "rtmp://9.9.9.9/live/key"],
        [origin, "rtmp://[2620:fe::fe]:1936/live/key"]
      ] as const) {
        assert.strictEqual(yield* streamAddress(server, url), url)
      }
    })
  )

  it.effect("is not read within the runner's network, nor by other protocols", () =>
    Effect.gen(function* () {
      const urls = [
        "rtmp://127.0.0.1/live/key",
        "rtmp://10.0.0.8/live/key",
        "rtmp://[::1]/live/key",
        "rtmp://[fd00::1]/x"
      ]
      const odd = [
        "http://9.9.9.9/x",
        "file:///etc/passwd",
        "concat:a|b",
        "rtmp://",
        "rtmp://u:p@9.9.9.9/x",
        "rtmp://9.9.9.9/x tcUrl=y"
      ]
      for (const url of [...urls, ...odd]) {
        assert.strictEqual((yield* Effect.flip(streamAddress(origin, url)))._tag, "StreamRefused", url)
      }
    })
  )
})
