import { expect, it } from "vitest"
import { createRestartCheck, withoutDirectives } from "../../src/player/LiveRestart.ts"
import { liveStateOf, nextSchedule } from "../../src/player/LiveState.ts"
import { behindEdge, spanOf } from "../../src/player/Span.ts"

const ranges = (...all: ReadonlyArray<readonly [number, number]>): TimeRanges => ({
  length: all.length,
  start: (at) => all[at]![0],
  end: (at) => all[at]![1]
})

const media = (duration: number, seekable: TimeRanges = ranges()) => ({ duration, seekable })

const point = { from: 20, edge: 54, tolerance: 2, latency: undefined }

it("a video is played from its beginning to its end, and before it is loaded to the length that is known", () => {
  expect(spanOf(media(12), 13, undefined)).toEqual({ from: 0, to: 12, isLive: false })
  expect(spanOf(media(Number.NaN), 13, undefined)).toEqual({ from: 0, to: 13, isLive: false })
})

it("a live is played within a window that ends where viewers are", () => {
  expect(spanOf(media(Infinity, ranges([20, 60])), 0, point)).toEqual({ from: 20, to: 54, isLive: true })
  expect(spanOf(media(Infinity, ranges([20, 60])), 0, undefined)).toEqual({ from: 20, to: 60, isLive: true })
  expect(spanOf(media(Infinity), 0, undefined)).toEqual({ from: 0, to: 0, isLive: true })
  // The end of its playlist makes it no other video.
  expect(spanOf(media(60), 0, { ...point, edge: 60 })).toEqual({ from: 20, to: 60, isLive: true })
})

it("the edge has the width of a segment", () => {
  const span = { from: 20, to: 54, isLive: true }
  expect(behindEdge(span, 52, point)).toBe(0)
  expect(behindEdge(span, 50.5, { ...point, tolerance: 4 })).toBe(0)
  expect(behindEdge(span, 44, point)).toBe(10)
})

it("a playlist goes on where it ended, or begins anew", () => {
  const playlist = (from: number, names: ReadonlyArray<string>, url = "a") => ({
    url,
    endSN: from + names.length - 1,
    fragments: names.map((relurl, at) => ({ sn: from + at, relurl }))
  })
  const isNew = createRestartCheck()
  expect(isNew(playlist(0, ["0.ts", "1.ts"]))).toBe(false)
  expect(isNew(playlist(1, ["1.ts", "2.ts"]))).toBe(false)
  expect(isNew(playlist(9, ["9.ts"], "a?_HLS_msn=9&_HLS_part=0"))).toBe(false)
  expect(isNew(playlist(0, ["other-0.ts"], "b"))).toBe(false)
  expect(isNew(playlist(0, ["other-0.ts"]))).toBe(true)
  expect(isNew(playlist(0, ["another-0.ts", "another-1.ts"]))).toBe(true)
})

it("a playlist is the same whatever was asked to be in it", () => {
  expect(withoutDirectives("/a.m3u8")).toBe("/a.m3u8")
  expect(withoutDirectives("/a.m3u8?_HLS_msn=9&_HLS_skip=YES")).toBe("/a.m3u8")
  expect(withoutDirectives("/a.m3u8?token=x&_HLS_msn=9&other=_HLS_")).toBe("/a.m3u8?token=x&other=_HLS_")
})

it("says where a live is", () => {
  const video = (isLive: boolean, id: number) => ({ isLive, state: { id, label: "" } })
  expect(liveStateOf(video(true, 4))).toBe("waiting")
  expect(liveStateOf(video(true, 1))).toBe("on")
  expect(liveStateOf(video(true, 5))).toBe("ended")
  expect(liveStateOf(video(false, 1))).toBe("replay")
})

it("announces the next time, and one that was to come minutes ago", () => {
  const now = Date.parse("2026-11-28T12:00:00Z")
  const at = (...times: ReadonlyArray<string>) => times.map((startAt) => ({ startAt }))
  expect(nextSchedule(undefined, now)).toBeUndefined()
  expect(nextSchedule(at("2026-11-28T11:00:00Z"), now)).toBeUndefined()
  expect(nextSchedule(at("2026-12-01T12:00:00Z", "2026-11-28T11:55:00Z"), now)).toBe(now - 300_000)
})
