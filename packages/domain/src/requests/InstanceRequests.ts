import { Schema } from "effect"
import { constraints } from "../enums/Constraints.ts"
import { videoReader } from "../ids/VideoIdOrUuid.ts"
import { field, optional, type Reader } from "../fields/Field.ts"
import { nullable, oneOf, boolean, text } from "../fields/Readers.ts"
import { userFields } from "./UserFields.ts"

const { contact, homepage } = constraints

/** Body of `PUT /custom-pages/homepage/instance`: Markdown. Without content, or with none, there is no homepage. */
export const UpdateHomepage = Schema.Struct({
  content: optional(
    nullable(text({ ...homepage.content, message: `Must be a text of at most ${homepage.content.max} characters` }))
  )
})
export type UpdateHomepage = typeof UpdateHomepage.Type

/** Body of `POST /server/contact` (contract: ContactForm). */
export const ContactForm = Schema.Struct({
  fromName: field(
    text({ ...contact.fromName, message: `Must be a name of at most ${contact.fromName.max} characters` })
  ),
  fromEmail: field(userFields.email),
  subject: optional(
    nullable(text({ ...contact.subject, message: `Must be a text of at most ${contact.subject.max} characters` }))
  ),
  body: field(
    text({
      ...contact.body,
      message: `Must be a text of ${contact.body.min} to ${contact.body.max} characters`
    })
  )
})
export type ContactForm = typeof ContactForm.Type

/** What players add up between two reports: far more than can be. */
const most = 1e12

const amount: Reader<number> = {
  message: "Must be a number, 0 or more",
  documented: { type: "number", minimum: 0 },
  parse: (input) => {
    const value = typeof input === "string" && /^\d{1,15}(?:\.\d{1,15})?$/.test(input) ? Number(input) : input
    return typeof value === "number" && value >= 0 && value <= most ? value : undefined
  }
}

const playerModes = ["p2p-media-loader", "web-video"] as const

/** Body of `POST /metrics/playback` (contract: PlaybackMetricCreate): what happened since the last report. */
export const PlaybackMetricCreate = Schema.Struct({
  playerMode: field(oneOf(playerModes, `Must be one of ${playerModes.join(", ")}`)),
  resolution: optional(nullable(amount)),
  fps: optional(nullable(amount)),
  p2pEnabled: field(boolean()),
  p2pPeers: optional(nullable(amount)),
  resolutionChanges: field(amount),
  bufferStalled: optional(nullable(amount)),
  errors: field(amount),
  downloadedBytesP2P: field(amount),
  downloadedBytesHTTP: field(amount),
  uploadedBytesP2P: field(amount),
  videoId: field(videoReader)
})
export type PlaybackMetricCreate = typeof PlaybackMetricCreate.Type
