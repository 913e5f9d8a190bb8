import { type CollaboratorState, collaboratorStateLabels } from "@kinora/domain/enums/CollaboratorState"
import { labelled } from "@kinora/domain/enums/Labelled"
import { NotificationType } from "@kinora/domain/enums/NotificationType"
import { type OwnershipState, ownershipStateLabels } from "@kinora/domain/enums/OwnershipState"
import type { Notification } from "@kinora/domain/wire/Notification"
import { actorSummary } from "../../../people/actor/ActorJson.ts"
import type { Actors } from "./Actors.ts"
import { type VideoColumns, videoInfo } from "./VideoSubjects.ts"

export interface PeopleColumns {
  /** Whoever has registered. */
  readonly registeredActorId: number | null
  readonly registrationId: number | null
  readonly registrationUsername: string
}

export const peopleColumns = `na.actor_id as "registeredActorId", r.id as "registrationId",
  r.username::text as "registrationUsername"`

export const peopleJoins = `
  left join account na on na.id = n.account_id and n.type = ${NotificationType.newUserRegistration}
  left join user_registration r on r.id = n.registration_id`

/** A new account, or a request for one. */
export const peopleSubject = (row: PeopleColumns, actors: Actors): Pick<Notification, "account" | "registration"> => {
  const account = actors.get(row.registeredActorId)
  return {
    ...(account === undefined ? {} : { account: actorSummary(account) }),
    ...(row.registrationId === null
      ? {}
      : { registration: { id: row.registrationId, username: row.registrationUsername } })
  }
}

export interface CollaboratorColumns {
  readonly collaboratorId: number | null
  readonly collaboratorState: CollaboratorState
  readonly collaboratorActorId: number | null
  readonly collaboratorChannelActorId: number | null
  readonly collaboratorOwnerActorId: number | null
}

export const collaboratorColumns = `k.id as "collaboratorId", k.state as "collaboratorState",
  ka.actor_id as "collaboratorActorId", kc.actor_id as "collaboratorChannelActorId", ko.actor_id as "collaboratorOwnerActorId"`

export const collaboratorJoins = `
  left join video_channel_collaborator k on k.id = n.collaborator_id
  left join account ka on ka.id = k.account_id
  left join video_channel kc on kc.id = k.channel_id
  left join account ko on ko.id = kc.account_id`

/** An invitation to work on a channel. */
export const collaboratorSubject = (
  row: CollaboratorColumns,
  actors: Actors
): Pick<Notification, "videoChannelCollaborator"> => {
  const [account, channel, owner] = [
    actors.get(row.collaboratorActorId),
    actors.get(row.collaboratorChannelActorId),
    actors.get(row.collaboratorOwnerActorId)
  ]
  if (row.collaboratorId === null || account === undefined || channel === undefined || owner === undefined) return {}
  return {
    videoChannelCollaborator: {
      id: row.collaboratorId,
      state: labelled(row.collaboratorState, collaboratorStateLabels),
      channel: actorSummary(channel),
      channelOwner: actorSummary(owner),
      account: actorSummary(account)
    }
  }
}

export interface OwnershipColumns {
  readonly ownershipId: number | null
  readonly ownershipState: OwnershipState
  readonly initiatorActorId: number | null
  readonly nextOwnerActorId: number | null
  /** Null: a video changes its owner. */
  readonly ownershipChannelActorId: number | null
}

export const ownershipColumns = `o.id as "ownershipId", o.state as "ownershipState", oi.actor_id as "initiatorActorId",
  oo.actor_id as "nextOwnerActorId", oc.actor_id as "ownershipChannelActorId"`

export const ownershipJoins = `
  left join ownership_change o on o.id = n.ownership_change_id
  left join account oi on oi.id = o.initiator_account_id
  left join account oo on oo.id = o.next_owner_account_id
  left join video_channel oc on oc.id = o.channel_id`

/** A change of owner, of a video as long as that is there, or of a channel. */
export const ownershipSubject = (
  row: OwnershipColumns & VideoColumns,
  actors: Actors
): Pick<Notification, "changeOwnership"> => {
  const initiator = actors.get(row.initiatorActorId)
  const nextOwner = actors.get(row.nextOwnerActorId)
  if (row.ownershipId === null || initiator === undefined || nextOwner === undefined) return {}
  const video = videoInfo(row)
  const channel = actors.get(row.ownershipChannelActorId)
  return {
    changeOwnership: {
      id: row.ownershipId,
      state: labelled(row.ownershipState, ownershipStateLabels),
      initiatorAccount: actorSummary(initiator),
      nextOwnerAccount: actorSummary(nextOwner),
      ...(video === undefined ? {} : { video }),
      ...(channel === undefined ? {} : { channel: actorSummary(channel) })
    }
  }
}
