import type { MediaInfo } from "../../src/probe/MediaInfo.ts"
import { assert, it } from "@effect/vitest"
import { renditionFor, sheetFor } from "../../src/work/RequestedOutputs.ts"

const info = (width: number, height: number, fps: number) =>
  ({
    duration: 100,
    audio: [{}],
    video: { width, height, fps, nominalFps: fps, variableFps: false }
  }) as unknown as MediaInfo

const told = (source: MediaInfo, resolution: number, fps: number) => {
  const made = renditionFor(source, { resolution, fps })
  return made && [made.resolution, made.width, made.height, made.frameRate.text, made.keyframeEvery]
}

it("makes the size and the rate that a server asks for", () => {
  assert.deepStrictEqual(told(info(1920, 1080, 60), 720, 60), [720, 1280, 720, "60", 240])
  assert.deepStrictEqual(told(info(1920, 1080, 60), 480, 30), [480, 854, 480, "30", 120])
  // Not a fraction of its rate: asked for all the same.
  assert.deepStrictEqual(told(info(1920, 1080, 60), 720, 50), [720, 1280, 720, "50", 200])
  assert.deepStrictEqual(told(info(1080, 1920, 25), 1080, 25), [1080, 1080, 1920, "25", 100])
  // Servers tell whole rates.
  assert.deepStrictEqual(told(info(1920, 1080, 30000 / 1001), 360, 30), [360, 640, 360, "30000/1001", 120])
  assert.deepStrictEqual(told(info(640, 360, 12.5), 360, 13), [360, 640, 360, "12500/1000", 50])
  assert.deepStrictEqual(told(info(640, 360, 12.4), 360, 12), [360, 640, 360, "12400/1000", 50])
  // No rate: as it is.
  assert.deepStrictEqual(told(info(640, 360, 25), 360, 0), [360, 640, 360, "25", 100])
})

it("is as good as it is to be", () => {
  const asked = { resolution: 720, fps: 25 }
  const source = info(1920, 1080, 25)
  assert.strictEqual(renditionFor(source, asked)?.crf, 22)
  assert.strictEqual(renditionFor(source, { ...asked, quality: { h264: 18, hevc: 1, av1: 1, vp9: 1 } })?.crf, 18)
})

it("makes sound alone, and a picture of sound", () => {
  assert.deepStrictEqual(told(info(1920, 1080, 25), 0, 0)?.slice(0, 3), [0, 0, 0])
  const sound = { ...info(1, 1, 1), video: undefined } as MediaInfo
  assert.deepStrictEqual(told(sound, 480, 5)?.slice(0, 4), [480, 854, 480, "5000/1000"])
  assert.strictEqual(told({ ...info(640, 360, 25), audio: [] }, 0, 0), undefined)
})

it("lays out sprites as they are asked for", () => {
  const sprites = { size: { width: 192, height: 108 }, count: { width: 10, height: 11 }, duration: 2 }
  assert.deepInclude(sheetFor(info(1920, 1080, 25), sprites), { totalWidth: 1920, totalHeight: 1188, count: 50 })
})
