import type { NewActor } from "../../../src/people/actor/NewActor.ts"
import type { NewUser } from "../../../src/people/user/NewUser.ts"

/** A local actor with made-up keys. */
export const newActor = (type: NewActor["type"], name: string): NewActor => {
  const url = `http://localhost:9000/${type === "Group" ? "video-channels" : "accounts"}/${name}`
  return {
    type,
    preferredUsername: name,
    url,
    inboxUrl: `${url}/inbox`,
    outboxUrl: `${url}/outbox`,
    sharedInboxUrl: "http://localhost:9000/inbox",
    followersUrl: `${url}/followers`,
    followingUrl: `${url}/following`,
    playlistsUrl: `${url}/playlists`,
    publicKey: "public",
    privateKey: "private"
  }
}

/** A user named `username` with the channel `<username>_channel` and a mail address at example.com. */
export const newUser = (username: string): NewUser => ({
  username,
  email: `${username}@example.com`,
  passwordHash: "none",
  role: 2,
  videoQuota: -1,
  videoQuotaDaily: -1,
  emailVerified: null,
  account: newActor("Person", username),
  channel: newActor("Group", `${username}_channel`),
  accountDisplayName: username,
  channelDisplayName: `Main ${username} channel`
})
