import { Schema } from "effect"
import { constraints } from "../enums/Constraints.ts"
import { videoStatsDevices } from "../wire/VideoStats.ts"
import { field, optional, type Reader } from "../fields/Field.ts"
import { jsonOrForm } from "./Payload.ts"
import { nullable, oneOf, text } from "../fields/Readers.ts"
import { toInteger } from "../fields/Values.ts"

const maxPosition = 2_147_483_647

/** Players send fractional seconds: fractions are cut off. */
const seconds: Reader<number> = {
  message: "Must be the seconds from the beginning of the video, 0 or more",
  documented: { type: "integer", minimum: 0 },
  parse: (input) => {
    const value = typeof input === "number" ? Math.floor(input) : toInteger(input)
    return value !== undefined && value >= 0 && value <= maxPosition ? value : undefined
  }
}

const name = (what: string) =>
  text({
    ...constraints.view.uaInfo,
    message: `Must be the name of ${what}, at most ${constraints.view.uaInfo.max} characters`
  })

/** That somebody watches a video (contract: UserViewingVideo, and what setVideoWatching takes). */
export const UserViewingVideo = Schema.Struct({
  currentTime: field(seconds),
  viewEvent: optional(nullable(oneOf(["seek"], "Must be seek, when it is given"))),
  sessionId: optional(nullable(text({ min: 1, max: 200, message: "Must be a text of at most 200 characters" }))),
  client: optional(nullable(name("a program"))),
  device: optional(nullable(oneOf(videoStatsDevices, `Must be one of ${videoStatsDevices.join(", ")}`))),
  operatingSystem: optional(nullable(name("an operating system")))
})
export type UserViewingVideo = typeof UserViewingVideo.Type

export const userViewingVideo = jsonOrForm(UserViewingVideo)
