import { OwnershipState } from "@kinora/domain/enums/OwnershipState"
import { CollaboratorState } from "@kinora/domain/enums/CollaboratorState"
import { NotificationType } from "@kinora/domain/enums/NotificationType"
import type { Answer } from "../../api/Answer.ts"
import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"

export type Offer = Output<"GET /api/v1/videos/ownership">["data"][number]
type Notification = Output<"GET /api/v1/users/me/notifications">["data"][number]
export type Invitation = NonNullable<Notification["videoChannelCollaborator"]>

/** The API answers with so many at once; more do not wait for one person. */
const count = 100

const pending = <A extends { readonly state: { readonly id: number | null } }>(offers: ReadonlyArray<A>) =>
  offers.filter((it) => it.state.id === OwnershipState.pending)

/** Videos that others want to give to the user. */
export const offeredVideos = async (signal: AbortSignal): Promise<Answer<ReadonlyArray<Offer>>> => {
  const answer = await call("GET /api/v1/videos/ownership", { query: { sort: "-createdAt", count }, signal })
  return answer.ok ? { ...answer, body: pending(answer.body.data) } : answer
}

/** Channels that others want to give to the user. */
export const offeredChannels = async (signal: AbortSignal): Promise<Answer<ReadonlyArray<Offer>>> => {
  const answer = await call("GET /api/v1/video-channels/ownership", { query: { sort: "-createdAt", count }, signal })
  return answer.ok ? { ...answer, body: pending(answer.body.data) } : answer
}

/** Channels that the user is asked to work on. The API lists them among the notifications alone. */
export const invitations = async (signal: AbortSignal): Promise<Answer<ReadonlyArray<Invitation>>> => {
  const answer = await call("GET /api/v1/users/me/notifications", {
    query: { typeOneOf: [NotificationType.invitedToCollaborate], sort: "-createdAt", count },
    signal
  })
  if (!answer.ok) return answer
  const asked = new Map<number, Invitation>()
  for (const { videoChannelCollaborator: it } of answer.body.data) {
    if (it !== undefined && it.state.id === CollaboratorState.pending) asked.set(it.id, it)
  }
  return { ...answer, body: [...asked.values()] }
}
