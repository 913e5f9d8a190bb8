import type { VideoDetails } from "@kinora/domain/wire/Video"
import { assert, describe, it } from "@effect/vitest"
import { originsOf } from "../../src/web-pages/Policy.ts"

const remote = (...fileUrls: ReadonlyArray<string>) =>
  ({
    isLocal: false,
    streamingPlaylists: [],
    files: fileUrls.map((fileUrl) => ({ fileUrl })),
    thumbnails: []
  }) as unknown as VideoDetails

describe("the policy of a page with a video from elsewhere", () => {
  it("names the hosts of its files, and none that would end a directive", () => {
    const urls = [
      "https://a;frame-ancestors/v.mp4",
      "https://b,c.example/v.mp4",
      "https://*.example/v.mp4",
      "https://'self'/v.mp4",
      "javascript:alert(1)",
      "not an address",
      "https://far.example:8443/v.mp4",
      "http://[::1]:9000/v.mp4"
    ]
    assert.deepStrictEqual(originsOf(remote(...urls), "https://own.example"), [
      "https://far.example:8443",
      "http://[::1]:9000"
    ])
  })
})
