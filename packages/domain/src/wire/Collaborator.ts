import { Schema } from "effect"
import { AccountSummary } from "./Account.ts"
import { NumberConstant, Page, Timestamp } from "./Scalars.ts"

/** Somebody who was asked to work on a channel (contract: VideoChannelCollaborator). */
const VideoChannelCollaborator = Schema.Struct({
  id: Schema.Int,
  account: AccountSummary,
  state: NumberConstant,
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "VideoChannelCollaborator" })
export type VideoChannelCollaborator = typeof VideoChannelCollaborator.Type

export const VideoChannelCollaboratorList = Page(VideoChannelCollaborator)

/** The answer to an invitation. */
export const InvitedCollaborator = Schema.Struct({ collaborator: VideoChannelCollaborator })
