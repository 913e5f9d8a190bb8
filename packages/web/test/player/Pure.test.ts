import { assert, describe, it } from "@effect/vitest"
import { withFileToken } from "../../src/player/Access.ts"
import { backoffDelay } from "../../src/player/Backoff.ts"
import { chapterAt } from "../../src/player/Chapters.ts"
import { actionOf } from "../../src/player/Keys.ts"
import {
  recallPosition,
  recallQuality,
  recallVolume,
  rememberPosition,
  rememberQuality,
  rememberVolume,
  type Shelf
} from "../../src/player/Memory.ts"
import { readOptions } from "../../src/player/Options.ts"
import { auto, indexFor, qualityLabel } from "../../src/player/Source.ts"
import { tileAt } from "../../src/player/Storyboard.ts"
import { formatClock, parseTime, spokenTime } from "../../src/player/Time.ts"

const shelf = (): Shelf & { readonly kept: Map<string, string> } => {
  const kept = new Map<string, string>()
  return { kept, getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) }
}

describe("times", () => {
  it("are shown as clocks", () => {
    assert.deepStrictEqual([0, 7.9, 65, 3723, Number.NaN, -1].map(formatClock), [
      "0:00",
      "0:07",
      "1:05",
      "1:02:03",
      "0:00",
      "0:00"
    ])
  })
  it("are spoken", () => {
    assert.strictEqual(spokenTime(3661), "1 hour 1 minute 1 second")
    assert.strictEqual(spokenTime(0), "0 seconds")
  })
  it("are read from addresses, and nothing else is", () => {
    assert.deepStrictEqual(
      ["90", "90s", "1m30s", "1:30", "1h2m3s", "0:01:02"].map(parseTime),
      [90, 90, 90, 90, 3723, 62]
    )
    for (const text of [null, "", "abc", "-5", "1e9", "<script>", "9".repeat(40), "1:2:3:4", "NaN"]) {
      assert.isUndefined(parseTime(text), String(text))
    }
  })
})

describe("options", () => {
  it("take only what is allow-listed", () => {
    const options = readOptions("?start=12&autoplay=1&muted=true&loop=yes&controls=0&title=<b>&color=red&src=//evil", {
      autoplay: false
    })
    assert.deepStrictEqual(options, {
      ...readOptions("", { autoplay: false }),
      start: 12,
      autoplay: true,
      muted: true,
      controls: false
    })
  })
  it("are those of the peer's embeds", () => {
    const options = readOptions(
      "?start=1m30s&stop=100&loop=1&controlBar=0&title=0&warningTitle=0&subtitle=pt-BR&playbackRate=1.5&api=1&mode=web-video&p2p=0&bigPlayBackgroundColor=%23abcdef80&foregroundColor=rgba(1,2,3,0.5)&waitPasswordFromEmbedAPI=1",
      { autoplay: true }
    )
    assert.deepStrictEqual(options, {
      start: 90,
      stop: 100,
      autoplay: true,
      muted: false,
      loop: true,
      controls: true,
      controlBar: false,
      title: false,
      subtitle: "pt-BR",
      playbackRate: 1.5,
      mode: "files",
      colors: { bigPlay: "#abcdef80", foreground: "rgba(1,2,3,0.5)" },
      api: true,
      passwordComes: true
    })
  })
  it("refuse what is not of their kind", () => {
    for (const query of [
      "playbackRate=99&subtitle=../x&mode=__proto__&bigPlayBackgroundColor=url(//evil)&foregroundColor=red;}*{",
      "playbackRate=0&subtitle=&mode=constructor&bigPlayBackgroundColor=var(--x)&foregroundColor=image(red)",
      "playbackRate=NaN&subtitle=<b>&mode=hls&bigPlayBackgroundColor=&foregroundColor=env(x)"
    ]) {
      assert.deepStrictEqual(readOptions(`?${query}`, { autoplay: false }), readOptions("", { autoplay: false }), query)
    }
  })
})

describe("memory", () => {
  it("keeps positions away from both ends, newest first, and not without end", () => {
    const kept = shelf()
    rememberPosition(kept, "a", 5, 100)
    assert.isUndefined(recallPosition(kept, "a"))
    rememberPosition(kept, "a", 50.7, 100)
    assert.strictEqual(recallPosition(kept, "a"), 50)
    rememberPosition(kept, "a", 95, 100)
    assert.isUndefined(recallPosition(kept, "a"))
    for (let i = 0; i < 100; i++) rememberPosition(kept, `v${i}`, 50, 100)
    assert.isUndefined(recallPosition(kept, "v39"))
    assert.strictEqual(recallPosition(kept, "v40"), 50)
  })
  it("survives what others wrote, and no storage at all", () => {
    const kept = shelf()
    for (const junk of ["{", "null", "[1]", '[["a","x"]]', '{"level":"loud"}', '{"level":7}']) {
      kept.setItem("kinora.positions", junk)
      kept.setItem("kinora.volume", junk)
      assert.isUndefined(recallPosition(kept, "a"))
      assert.isAtMost(recallVolume(kept).level, 1)
    }
    for (const junk of ["{", '"720"', "-3", "1.5", "[720]"]) {
      kept.setItem("kinora.quality", junk)
      assert.isUndefined(recallQuality(kept), junk)
    }
    rememberQuality(kept, 0)
    assert.strictEqual(recallQuality(kept), 0)
    rememberQuality(kept, undefined)
    assert.isUndefined(recallQuality(kept))
    rememberVolume(kept, { level: 0.4, muted: true })
    assert.deepStrictEqual(recallVolume(kept), { level: 0.4, muted: true })
    assert.deepStrictEqual(recallVolume(undefined), { level: 1, muted: false })
  })
})

describe("keys", () => {
  it("leave scrolling keys to the page unless the player has the focus", () => {
    for (const key of ["ArrowUp", "ArrowDown", "Home", "End"]) {
      assert.isUndefined(actionOf(key, false))
      assert.isDefined(actionOf(key, true))
    }
    assert.isUndefined(actionOf("Tab", true))
    assert.deepStrictEqual(actionOf("3", false), { do: "share", of: 0.3 })
  })
})

describe("the storyboard", () => {
  const board = {
    storyboardPath: "/s.jpg",
    fileUrl: "/s.jpg",
    totalWidth: 1920,
    totalHeight: 540,
    spriteWidth: 192,
    spriteHeight: 108,
    spriteDuration: 2
  }
  it("is read row by row and ends at its last picture", () => {
    assert.deepStrictEqual(tileAt(board, 0), { x: 0, y: 0 })
    assert.deepStrictEqual(tileAt(board, 19), { x: 1728, y: 0 })
    assert.deepStrictEqual(tileAt(board, 20), { x: 0, y: 108 })
    assert.deepStrictEqual(tileAt(board, 1e6), { x: 1728, y: 432 })
  })
})

describe("backoff and labels", () => {
  it("doubles from one second up to fifteen", () => {
    assert.deepStrictEqual(
      [0, 1, 2, 3, 4, 10].map((it) => backoffDelay(it, 0.5)),
      [1000, 2000, 4000, 8000, 15000, 15000]
    )
  })
  it("names high frame rates", () => {
    assert.deepStrictEqual(
      [qualityLabel(1080, 60), qualityLabel(720, 25), qualityLabel(1080, 59.94)],
      ["1080p60", "720p", "1080p60"]
    )
  })
})

describe("a remembered height", () => {
  it("means the highest that is not above it, or the lowest", () => {
    const qualities = [1080, 480, 240].map((height, id) => ({ id, height, label: `${height}p` }))
    assert.deepStrictEqual(
      [2160, 1080, 720, 240, 100].map((height) => indexFor(qualities, height)),
      [0, 0, 1, 2, 2]
    )
    assert.strictEqual(indexFor([], 720), auto)
  })
})

describe("addresses of files that are not for everybody", () => {
  it("carry the token, and playlists pass it on", () => {
    assert.strictEqual(withFileToken("/static/a.mp4", undefined), "/static/a.mp4")
    assert.strictEqual(withFileToken("/static/a.mp4", "t.1"), "/static/a.mp4?videoFileToken=t.1")
    assert.strictEqual(
      withFileToken("/static/master.m3u8?v=2", "a&b"),
      "/static/master.m3u8?v=2&videoFileToken=a%26b&reinjectVideoFileToken=true"
    )
  })
})

describe("chapters", () => {
  it("hold from where they begin", () => {
    const chapters = [
      { title: "Dawn", timecode: 2 },
      { title: "Day", timecode: 10 }
    ]
    assert.deepStrictEqual(
      [0, 1.9, 2, 9.99, 10, 500].map((at) => chapterAt(chapters, at)?.title),
      [undefined, undefined, "Dawn", "Dawn", "Day", "Day"]
    )
  })
})
