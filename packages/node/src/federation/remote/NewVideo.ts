import type { VideoObject } from "@kinora/federation/objects/VideoObject"
import type { RemoteActor } from "@kinora/storage/federation/remote/RemoteActorRows"
import type { NewRemoteVideo } from "@kinora/storage/federation/remote/NewRemoteVideo"
import { Result } from "effect"
import type { ObjectRefused } from "./RemoteErrors.ts"
import { thumbnailsOf } from "./RemotePictures.ts"

/** What is written of a video. */
export const newVideo = (video: VideoObject): NewRemoteVideo => {
  const { chapters: _chapters, id, owners: _owners, pictures, privacy, ...rest } = video
  return { ...rest, url: id, privacy: privacy === "public" ? 1 : 2, pictures: thumbnailsOf(pictures) }
}

/** Whose a video is. */
export interface VideoOwners {
  readonly channelId: number
  readonly channelActorId: number
  /** Null: whose the channel is. */
  readonly accountId: number | null
}

/** The channel among whom a video is attributed to, and the account it belongs to. */
export const ownersAmong = (
  actors: ReadonlyArray<RemoteActor>
): Result.Result<VideoOwners, { readonly why: ObjectRefused["why"]; readonly detail: string }> => {
  const channels = actors.filter((it) => it.channelId !== null)
  const accounts = actors.filter((it) => it.accountId !== null && it.type !== "Group")
  // Of several, each sender could mean itself.
  if (channels.length > 1 || accounts.length > 1) return Result.fail({ why: "authority", detail: "a video of several" })
  const [channel] = channels
  const channelId = channel?.channelId ?? null
  if (channel === undefined || channelId === null)
    return Result.fail({ why: "document", detail: "a video without channel" })
  return Result.succeed({ channelId, channelActorId: channel.id, accountId: accounts[0]?.accountId ?? null })
}
