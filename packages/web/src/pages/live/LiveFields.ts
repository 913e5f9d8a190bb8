import { LiveLatencyMode, liveLatencyModes } from "@kinora/domain/enums/Live"
import { videoPrivacies, VideoPrivacy } from "@kinora/domain/enums/VideoPrivacy"
import type { Output } from "../../api/Endpoints.ts"

export type Live = Output<"GET /api/v1/videos/live/:id">
export type LiveConfig = Output<"GET /api/v1/config">["live"]

/** What a live is set to, as its form has it. */
export interface LiveFields {
  readonly permanentLive: boolean
  readonly saveReplay: boolean
  readonly replayPrivacy: VideoPrivacy
  readonly latencyMode: LiveLatencyMode
  /** Seconds; 0: viewers cannot go back. */
  readonly dvrWindow: number
  /** Local time as the browser's field has it, "" for none. */
  readonly schedule: string
}

export const newLiveFields = (saveReplay: boolean): LiveFields => ({
  permanentLive: false,
  saveReplay,
  replayPrivacy: VideoPrivacy.public,
  latencyMode: LiveLatencyMode.default,
  dvrWindow: 0,
  schedule: ""
})

/** An instant as a field for local time has it. */
const localTime = (iso: string): string => {
  const at = new Date(iso)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** The form of a live as it is. A beginning that is past is not kept. */
export const liveFieldsOf = (live: Live, now: number): LiveFields => {
  const next = live.schedules.find(({ startAt }) => Date.parse(startAt) > now)
  return {
    permanentLive: live.permanentLive,
    saveReplay: live.saveReplay,
    replayPrivacy: videoPrivacies.find((id) => id === live.replaySettings?.privacy) ?? VideoPrivacy.public,
    latencyMode: liveLatencyModes.find((id) => id === live.latencyMode) ?? LiveLatencyMode.default,
    dvrWindow: live.dvrWindow,
    schedule: next === undefined ? "" : localTime(next.startAt)
  }
}

/** What is sent of the form. */
export const liveSettings = (fields: LiveFields) => ({
  permanentLive: fields.permanentLive,
  saveReplay: fields.saveReplay,
  replaySettings: fields.saveReplay ? { privacy: fields.replayPrivacy } : null,
  latencyMode: fields.latencyMode,
  dvrWindow: fields.dvrWindow,
  schedules: fields.schedule === "" ? [] : [{ startAt: new Date(fields.schedule).toISOString() }]
})

/** What is wrong with the form at a time (milliseconds since the epoch). */
export const scheduleIsWrong = ({ schedule }: LiveFields, now: number): boolean =>
  schedule !== "" && !(Date.parse(schedule) > now)

const usualWindows = [0, 300, 1_800, 3_600, 7_200, 14_400, 28_800] as const

/** Windows that can be chosen, in seconds: the usual ones that the instance allows, its longest, and the one that is set. */
export const windows = (longest: number, chosen: number): ReadonlyArray<number> =>
  [...new Set([...usualWindows.filter((it) => it <= longest), longest, chosen])].toSorted((a, b) => a - b)
