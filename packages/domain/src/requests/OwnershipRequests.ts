import { Schema } from "effect"
import { ownershipStates } from "../enums/OwnershipState.ts"
import { AccountHandle } from "../ids/ActorHandle.ts"
import { field } from "../fields/Field.ts"
import { pageReaders } from "./Pagination.ts"
import { jsonOrForm } from "./Payload.ts"
import { query } from "./Query.ts"
import { idOf } from "../fields/Readers.ts"
import { rowId, userFields } from "./UserFields.ts"
import { videoFields } from "./VideoFields.ts"

const page = pageReaders(["createdAt"])

/** A page of activities, or of requests sent to oneself. */
export const pageQuery = query(page)

/** A page of the requests about one video or channel. */
export const ownershipQuery = query({
  ...page,
  state: idOf(ownershipStates, `Must be one of the states ${ownershipStates.join(", ")}`)
})

/** Who is asked to work on a channel (contract: inviteVideoChannelCollaborator). */
export const invitation = jsonOrForm(Schema.Struct({ accountHandle: AccountHandle }))

/** Who is to take over (contract: ChangeOwnershipCreate). */
export const giveOwnership = jsonOrForm(Schema.Struct({ username: field(userFields.username) }))

/** Where a video that is taken over goes (contract: ChangeVideoOwnershipAccept). */
export const acceptVideo = jsonOrForm(Schema.Struct({ channelId: field(videoFields.channelId) }))

/** Row id of a change of owner. */
export const OwnershipChangeId = field(rowId("a change of owner"))

/** Row id of a collaborator. */
export const CollaboratorId = field(rowId("a collaborator"))
