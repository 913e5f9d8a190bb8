import { assert, describe, it } from "@effect/vitest"
import { LiveWindow } from "../../src/work/LiveWindow.ts"

describe("LiveWindow", () => {
  it("lists the newest segments, and says which are gone", () => {
    const window = new LiveWindow(2, 2)
    assert.deepStrictEqual(window.add({ name: "0-000000.ts", seconds: 2.04 }), [])
    assert.deepStrictEqual(window.add({ name: "0-000001.ts", seconds: 3.96 }), [])
    assert.deepStrictEqual(window.add({ name: "0-000002.ts", seconds: 0.5 }), [{ name: "0-000000.ts", seconds: 2.04 }])
    assert.strictEqual(
      window.text,
      [
        ...["#EXTM3U", "#EXT-X-VERSION:3", "#EXT-X-TARGETDURATION:4", "#EXT-X-MEDIA-SEQUENCE:1"],
        ...["#EXTINF:3.960000,", "0-000001.ts", "#EXTINF:0.500000,", "0-000002.ts", ""]
      ].join("\n")
    )
  })
})
