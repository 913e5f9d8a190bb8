import { assert, describe, it } from "@effect/vitest"
import { watchedWith } from "../../../src/video/view/UserAgent.ts"

const chrome = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0"

describe("watchedWith", () => {
  it.each([
    ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox", "desktop", "Linux"],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/140.0`,
      "Microsoft Edge",
      "desktop",
      "Windows"
    ],
    [`Mozilla/5.0 (Linux; Android 15; Pixel 9) ${chrome} Mobile Safari/537.36`, "Chrome", "mobile", "Android"],
    [`Mozilla/5.0 (Linux; Android 15; SM-X910) ${chrome} Safari/537.36`, "Chrome", "tablet", "Android"],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1",
      "Safari",
      "mobile",
      "iOS"
    ],
    ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15", "Safari", "desktop", "macOS"],
    ["VLC/3.0.20 LibVLC/3.0.20", "VLC", null, null],
    ["curl/8", null, null, null]
  ])("reads %s", (text, client, device, operatingSystem) => {
    assert.deepStrictEqual<unknown>(watchedWith(text), { client, device, operatingSystem })
  })

  it("says nothing of nothing, and takes no time over long texts", () => {
    assert.deepStrictEqual(watchedWith(undefined), { client: null, device: null, operatingSystem: null })
    assert.deepStrictEqual(watchedWith("Version/1 ".repeat(100_000)).client, null)
  })
})
