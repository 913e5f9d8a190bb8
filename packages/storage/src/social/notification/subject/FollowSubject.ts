import type { Notification, NotificationSubjects } from "@kinora/domain/wire/Notification"
import { actorSummary } from "../../../people/actor/ActorJson.ts"
import type { Actors } from "./Actors.ts"

type ActorFollow = NotificationSubjects["actorFollow"]

export interface FollowColumns {
  readonly followId: number | null
  readonly followState: ActorFollow["state"]
  readonly followerActorId: number | null
  readonly followedActorId: number | null
  /** The instance as a whole may be what is followed. */
  readonly followsInstance: boolean
}

export const followColumns = `f.id as "followId", f.state as "followState", f.actor_id as "followerActorId",
  f.target_actor_id as "followedActorId",
  exists (select from actor t where t.id = f.target_actor_id and t.type = 'Application') as "followsInstance"`

export const followJoins = `
  left join actor_follow f on f.id = n.follow_id`

/** A follow. */
export const followSubject = (row: FollowColumns, actors: Actors): Pick<Notification, "actorFollow"> => {
  const follower = actors.get(row.followerActorId)
  const followed = actors.get(row.followedActorId)
  if (row.followId === null || follower === undefined || followed === undefined) return {}
  const { displayName, host, name } = actorSummary(followed)
  const type = row.followsInstance ? "instance" : followed.channelId === null ? "account" : "channel"
  return {
    actorFollow: {
      id: row.followId,
      state: row.followState,
      follower: actorSummary(follower),
      following: { type, name, displayName, host }
    }
  }
}
