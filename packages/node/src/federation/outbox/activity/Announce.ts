import { type Audience, publicAudience } from "@kinora/federation/activities/Audience"
import { type ActivityDraft, lanes } from "../send/ActivityDraft.ts"
import { numbered } from "./Numbered.ts"

/** An Announce of a video by its channel or the instance, one of several where the video was published anew. */
export interface VideoAnnounce {
  readonly videoUrl: string
  readonly actorId: number
  readonly times: number
}

const baseUri = ({ actorId, videoUrl }: VideoAnnounce): string => `${videoUrl}/announces/${actorId}`

/** Its id. */
const announceUri = (announce: VideoAnnounce): string => numbered(baseUri(announce), announce.times)

/** A video is passed on to the followers of an actor. */
export const announceActivity = (announce: VideoAnnounce, audience: Audience): ActivityDraft => ({
  type: "Announce",
  uri: announceUri(announce),
  object: announce.videoUrl,
  audience,
  lane: lanes.content,
  recipients: { followersOf: [announce.actorId], inboxes: [] }
})

/** A video is passed on no longer. */
export const undoAnnounceActivity = (announce: VideoAnnounce, actorUrl: string): ActivityDraft => ({
  type: "Undo",
  uri: numbered(`${baseUri(announce)}/undo`, announce.times),
  object: {
    type: "Announce",
    id: announceUri(announce),
    actor: actorUrl,
    object: announce.videoUrl,
    ...publicAudience()
  },
  audience: publicAudience(),
  lane: lanes.content,
  thing: announce.videoUrl,
  recipients: { followersOf: [announce.actorId], inboxes: [] }
})
