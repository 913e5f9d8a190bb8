import { describe, expect, it } from "vitest"
import { besidePlaylist } from "../../../src/instance/moving/HlsReferences.ts"

describe("files that a playlist names", () => {
  it("are its lines and URI attributes, each once", () => {
    const text = [
      "#EXTM3U",
      '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",URI="en.m3u8",NAME="a, URI=b"',
      '#EXT-X-MAP:URI="a-fragmented.mp4",BYTERANGE="100@0"',
      "#EXT-X-STREAM-INF:BANDWIDTH=1",
      "a-240.m3u8\r",
      "a-fragmented.mp4",
      ""
    ].join("\n")
    expect(besidePlaylist(text)).toEqual(["en.m3u8", "a-fragmented.mp4", "a-240.m3u8"])
  })

  it("lead nowhere else", () => {
    for (const odd of [
      "../up.mp4",
      "/etc/passwd",
      "https://peer.example/a.mp4",
      ".hidden",
      "a/b.mp4",
      "a\\b",
      "",
      "a b",
      "-x"
    ]) {
      expect(besidePlaylist(`${odd}\n#EXT-X-MAP:URI="${odd}"`), odd).toEqual([])
    }
  })
})
