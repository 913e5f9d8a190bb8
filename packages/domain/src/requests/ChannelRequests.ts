import { Schema } from "effect"
import { field, optional } from "../fields/Field.ts"
import { nullable, text } from "../fields/Readers.ts"
import { consents, rowId, userFields } from "./UserFields.ts"

const {
  channelDescription: description,
  channelDisplayName: displayName,
  channelName: name,
  channelSupport: support,
  flag
} = userFields

const publicEmail = nullable(userFields.email)

/** A channel to be made (contract: VideoChannelCreate). */
export const VideoChannelCreate = Schema.Struct({
  name: field(name),
  displayName: field(displayName),
  description: optional(description),
  support: optional(support),
  publicEmail: optional(publicEmail)
})
export type VideoChannelCreate = typeof VideoChannelCreate.Type

/** What of a channel changes; null takes a text away (contract: VideoChannelUpdate). */
export const VideoChannelUpdate = Schema.Struct({
  displayName: optional(displayName),
  description: optional(description),
  support: optional(support),
  publicEmail: optional(publicEmail),
  bulkVideosSupportUpdate: optional(flag),
  ...consents
})
export type VideoChannelUpdate = typeof VideoChannelUpdate.Type

/** Address of a channel, playlist or feed elsewhere. */
export const externalChannelUrl = text({
  min: 3,
  max: 2000,
  pattern: /^https?:\/\/[^\s/]/i,
  message: "Must be an http or https address of 3 to 2000 characters",
  documented: { format: "uri" }
})

/** A channel elsewhere whose videos are to be fetched (contract: ImportVideosInChannelCreate). */
export const ImportVideosInChannel = Schema.Struct({
  externalChannelUrl: field(externalChannelUrl),
  videoChannelSyncId: optional(rowId("a synchronisation"))
})
export type ImportVideosInChannel = typeof ImportVideosInChannel.Type
