import type { NewActor } from "@kinora/storage/people/actor/NewActor"
import type { KeyPair } from "./KeyPair.ts"

const folders = { Person: "accounts", Application: "accounts", Group: "video-channels" } as const

/**
 * A local actor with its URLs as other instances know them (contract: activitypub.json, "urls" and "actors"). `origin`
 * is the public address of the instance, without a trailing slash.
 */
export const localActor = (
  origin: string,
  type: NewActor["type"],
  preferredUsername: string,
  keys: KeyPair
): NewActor => {
  const url = `${origin}/${folders[type]}/${preferredUsername}`
  return {
    type,
    preferredUsername,
    url,
    inboxUrl: `${url}/inbox`,
    outboxUrl: `${url}/outbox`,
    sharedInboxUrl: `${origin}/inbox`,
    followersUrl: `${url}/followers`,
    followingUrl: `${url}/following`,
    playlistsUrl: `${url}/playlists`,
    ...keys
  }
}
