import { assert, describe, it } from "@effect/vitest"
import { segmentsOf } from "../../src/hls/Mp4Index.ts"
import { masterPlaylist, mediaPlaylist, rates } from "../../src/hls/Playlists.ts"

const fragment = (offset: number, length: number, seconds: number) => ({ offset, length, seconds })

describe("Playlists", () => {
  it("writes a media playlist of byte ranges", () => {
    assert.strictEqual(
      mediaPlaylist("v.mp4", 700, [fragment(700, 100, 4.004), fragment(800, 50, 1.5)]),
      `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:4
#EXT-X-MEDIA-SEQUENCE:0
#EXT-X-PLAYLIST-TYPE:VOD
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-MAP:URI="v.mp4",BYTERANGE="700@0"
#EXTINF:4.004000,
#EXT-X-BYTERANGE:100@700
v.mp4
#EXTINF:1.500000,
#EXT-X-BYTERANGE:50@800
v.mp4
#EXT-X-ENDLIST
`
    )
  })

  it("writes a master playlist, with the sound apart when it is shared", () => {
    const variant = {
      playlist: "720.m3u8",
      bandwidth: 2000,
      averageBandwidth: 1000,
      codecs: ["avc1.64001f", "mp4a.40.2"],
      video: { width: 1280, height: 720, fps: 24000 / 1001 }
    }
    assert.include(
      masterPlaylist([variant], undefined),
      `#EXT-X-STREAM-INF:BANDWIDTH=2000,AVERAGE-BANDWIDTH=1000,RESOLUTION=1280x720,FRAME-RATE=23.976,CODECS="avc1.64001f,mp4a.40.2"\n720.m3u8\n`
    )
    const split = masterPlaylist([variant], "0.m3u8")
    assert.include(split, `GROUP-ID="audio",NAME="Audio",AUTOSELECT=YES,DEFAULT=YES,URI="0.m3u8"`)
    assert.include(split, `,AUDIO="audio"\n720.m3u8`)
  })

  it("joins short fragments to segments", () => {
    const joined = segmentsOf(
      [1, 1, 1, 1, 4, 10, 0, 2].map((seconds, index) => fragment(index * 10, 10, seconds)),
      4
    )
    assert.deepStrictEqual(joined, [fragment(0, 40, 4), fragment(40, 10, 4), fragment(50, 20, 10), fragment(70, 10, 2)])
  })

  it("tells peak and average rates", () => {
    assert.deepStrictEqual(rates([fragment(0, 1000, 4), fragment(0, 500, 4), fragment(0, 90, 0.01)]), {
      peak: 2000,
      average: 1589
    })
  })
})
