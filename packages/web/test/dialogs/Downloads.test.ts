import { assert, describe, it } from "@effect/vitest"
import { downloadsOf } from "../../src/dialogs/Downloads.ts"
import { embedHtml } from "../../src/dialogs/EmbedCode.ts"

const file = (id: number, height: number, more: Partial<Parameters<typeof downloadsOf>[0]["files"][number]> = {}) => ({
  id,
  resolution: { id: height, label: height === 0 ? "Audio only" : `${height}p` },
  fileUrl: `https://videos.example/${id}.mp4`,
  fileDownloadUrl: `https://videos.example/download/${id}`,
  fps: 25,
  hasAudio: true,
  hasVideo: height > 0,
  size: 1_000_000 * id,
  ...more
})

describe("what can be downloaded", () => {
  it("is one file for each resolution, the best first; sound that is kept apart is put to its picture", () => {
    const found = downloadsOf({
      uuid: "u",
      files: [file(1, 360)],
      streamingPlaylists: [
        { files: [file(2, 720, { hasAudio: false, fps: 60 }), file(3, 360, { hasAudio: false }), file(4, 0)] }
      ]
    })
    assert.deepStrictEqual(
      found.map((it) => [it.label, it.size, it.address]),
      [
        ["720p · 60 fps", "6 MB", "/download/videos/generate/u?videoFileIds=2&videoFileIds=4"],
        ["360p", "1 MB", "https://videos.example/download/1"],
        ["Sound alone", "4 MB", "/download/videos/generate/u?videoFileIds=4"]
      ]
    )
    assert.deepStrictEqual(downloadsOf({ uuid: "u", files: [], streamingPlaylists: [] }), [])
  })

  it("an embed code says what was chosen, and a title closes no attribute", () => {
    const shared = { title: `"><script>`, embed: "https://videos.example/videos/embed/u" }
    const code = embedHtml(shared, { start: 90, autoplay: true, loop: false, isResponsive: true })
    assert.include(code, `src="https://videos.example/videos/embed/u?start=90s&amp;autoplay=1"`)
    assert.include(code, `title="&quot;&gt;&lt;script&gt;"`)
    assert.include(code, `width="100%"`)
    assert.notInclude(embedHtml(shared, { start: undefined, autoplay: false, loop: false, isResponsive: false }), "?")
  })
})
