import { assert, describe, it } from "@effect/vitest"
import { deviceOf } from "../../../src/people/session/Device.ts"

const named: ReadonlyArray<readonly [string, string | null]> = [
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36 Edg/141.0",
    "Edge on Windows"
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15",
    "Safari on macOS"
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0 Mobile",
    "Chrome on iOS"
  ],
  ["curl/8.5.0", "curl 8.5.0"],
  ["yt-dlp/2026.01.01", "yt-dlp 2026.01.01"],
  ["PeerTube-mobile/1.2 (Android 15)", "PeerTube-mobile 1.2 on Android"],
  ["Mozilla/5.0 (compatible)", null],
  ["", null],
  ["\u0000\u202e<script>", null]
]

describe("the device of a session", () => {
  for (const [agent, device] of named) {
    it(`${JSON.stringify(agent.slice(0, 30))} is ${device}`, () => assert.strictEqual(deviceOf(agent), device))
  }
  it("is short whatever was sent, and nothing without a header", () => {
    assert.isNull(deviceOf(undefined))
    for (const long of ["x".repeat(9000), `a/${"1".repeat(9000)}`, "\ud800".repeat(99)]) {
      assert.isAtMost((deviceOf(long) ?? "").length, 100)
    }
  })
})
