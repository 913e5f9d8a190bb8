import { Schema } from "effect"
import { videoPrivacies, type VideoPrivacy } from "../enums/VideoPrivacy.ts"
import { externalChannelUrl } from "./ChannelRequests.ts"
import { field, optional } from "../fields/Field.ts"
import { idOf } from "../fields/Readers.ts"
import { rowId } from "./UserFields.ts"
import { videoFields } from "./VideoFields.ts"

/** Those of videos but the one that needs passwords, which a synchronisation has none of. */
const privacies = videoPrivacies.filter((id): id is Exclude<VideoPrivacy, 5> => id !== 5)

/** A channel elsewhere to be followed (contract: VideoChannelSyncCreate). */
export const VideoChannelSyncCreate = Schema.Struct({
  externalChannelUrl: field(externalChannelUrl),
  videoChannelId: field(videoFields.channelId),
  videoPrivacy: optional(idOf(privacies, `Must be one of ${privacies.join(", ")}`))
})
export type VideoChannelSyncCreate = typeof VideoChannelSyncCreate.Type

/** Row id of a synchronisation. */
export const VideoChannelSyncId = field(rowId("a synchronisation"))
