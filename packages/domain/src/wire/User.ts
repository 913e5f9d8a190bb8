import { Schema } from "effect"
import { MyUser } from "./MyUser.ts"
import { Page } from "./Scalars.ts"
import { VideoChannel } from "./VideoChannel.ts"

const { specialPlaylists: _playlists, videoChannelCollaborations: _collaborations, ...fields } = MyUser.fields

/** A user as administrators and moderators see it (contract: User, UserWithStats). Counts are there when asked for. */
export const User = Schema.Struct({
  ...fields,
  videoChannels: Schema.optionalKey(Schema.Array(VideoChannel))
}).annotate({ identifier: "User" })
export type User = typeof User.Type

export const UserList = Page(User)

/** What making a user answers (contract: AddUserResponse). */
export const AddUserResponse = Schema.Struct({
  user: Schema.Struct({ id: Schema.Int, account: Schema.Struct({ id: Schema.Int }) })
}).annotate({ identifier: "AddUserResponse" })

/** What became of each user that a request named. */
export const BulkUserOutcomes = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      id: Schema.Int,
      done: Schema.Boolean,
      detail: Schema.optionalKey(Schema.String).annotate({ description: "Why it was not done" })
    })
  )
}).annotate({ identifier: "BulkUserOutcomes" })
export type BulkUserOutcomes = typeof BulkUserOutcomes.Type
