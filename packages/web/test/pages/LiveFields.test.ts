import { expect, it } from "vitest"
import { advice } from "../../src/pages/live/Advice.ts"
import { liveFieldsOf, liveSettings, newLiveFields, scheduleIsWrong, windows } from "../../src/pages/live/LiveFields.ts"

const live = {
  saveReplay: true,
  replaySettings: { privacy: 2 },
  permanentLive: true,
  latencyMode: 3,
  dvrWindow: 1_800,
  schedules: [{ startAt: "2026-11-28T20:00:00.000Z" }, { startAt: "2026-12-05T20:00:00.000Z" }]
}

it("the form of a live holds what it is set to, and gives it back", () => {
  const fields = liveFieldsOf(live, Date.parse("2026-11-29T00:00:00Z"))
  expect(liveSettings(fields)).toEqual({ ...live, schedules: live.schedules.slice(1) })
})

it("a live without a replay says so, and one that is not announced too", () => {
  expect(liveSettings(newLiveFields(false))).toMatchObject({ saveReplay: false, replaySettings: null, schedules: [] })
})

it("a live is announced for a time to come", () => {
  const at = (schedule: string) => ({ ...newLiveFields(true), schedule })
  const now = new Date("2026-11-28T12:00").getTime()
  expect(["", "2026-11-28T12:01", "2026-11-28T11:59", "never"].map((it) => scheduleIsWrong(at(it), now))).toEqual([
    false,
    false,
    true,
    true
  ])
})

it("offers windows up to the longest of the instance, and the one that is set", () => {
  expect(windows(3_600, 0)).toEqual([0, 300, 1_800, 3_600])
  expect(windows(500, 60)).toEqual([0, 60, 300, 500])
})

it("says what a maker may do about a stream", () => {
  const good = {
    bitRate: 3_000_000,
    frameRate: 30,
    keyframeInterval: 2,
    recentlyDroppedFrames: 0,
    video: { codec: "h264", width: 1280, height: 720 },
    audio: { codec: "aac" }
  }
  expect(advice(good, true)).toEqual([])
  expect(advice({ ...good, keyframeInterval: 4 }, false)).toEqual([])
  expect(advice({ ...good, keyframeInterval: 4 }, true)).toEqual(["adviceKeyframes"])
  expect(advice({ ...good, audio: null, frameRate: 8 }, false)).toEqual(["adviceFrames", "adviceNoSound"])
  expect(advice({ ...good, recentlyDroppedFrames: 30 }, false)).toEqual(["adviceDropped"])
  expect(advice({ ...good, bitRate: 0, frameRate: 0 }, false)).toEqual(["adviceNothing"])
})
