import * as OTPAuth from "otpauth"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { cachedClip } from "../../../../media/test/support/CachedClip.ts"
import { type Acts, form, type Given, type Values } from "./Act.ts"
import { asUser, channel, idOf, picture, someUser, userId, video } from "./Things.ts"

/** Passwords that no entry may have. */
export const newPassword = "a-new-secret-password"

const registration: Given<Values> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const name = `r${randomUUID().slice(0, 8)}`
  const rows = yield* sql<{ id: number }>`
    insert into user_registration (username, email, password_hash, registration_reason)
    values (${name}, ${`${name}@example.com`}, '$argon2id$secret-hash', 'Please') returning id`
  return { registrationId: idOf(rows) }
})

const blockedUser: Given<Values> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const values = yield* someUser
  yield* sql`update app_user set blocked = true where id = ${Number(values["id"])}`
  return values
})

const noted: Given<Values> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const values = yield* someUser
  const rows = yield* sql<{ id: number }>`
    insert into user_note (user_id, author_id, author, text) values (${Number(values["id"])}, 1, 'root', 'A note')
    returning id`
  return { ...values, noteId: idOf(rows) }
})

const mailing: Given<Values> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ id: number }>`
    insert into mailing (subject, body, next_at) values ('News', 'Hello', now() + interval '1 day') returning id`
  return { mailingId: idOf(rows) }
})

const session: Given<Values> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const values = yield* someUser
  const rows = yield* sql<{ id: number }>`
    insert into oauth_token (
      access_token_hash, access_expires_at, refresh_token_hash, refresh_expires_at, oauth_client_id, user_id
    )
    select sha256(${randomUUID()}::bytea), now() + interval '1 day', sha256(${randomUUID()}::bytea),
      now() + interval '1 day', (select min(id) from oauth_client), ${Number(values["id"])}
    returning id`
  return { ...values, tokenSessionId: idOf(rows) }
})

const withTwoFactor: Given<Values> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const values = yield* someUser
  yield* sql`update app_user set otp_secret = 'a sealed secret' where id = ${Number(values["id"])}`
  return values
})

const mutedAccount: Given<Values> = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    insert into account_block (account_id, target_account_id)
    select i.id, u.id from account i join actor a on a.id = i.actor_id and a.id = instance_actor(),
      account u where u.user_id = ${Number(yield* userId)} on conflict do nothing`
  return { accountName: "user" }
})

const collaborator: Given<Values> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const values = yield* channel
  yield* asUser("POST", `/api/v1/video-channels/${values["channelHandle"]}/collaborators/invite`, {
    accountHandle: "moderator"
  })
  const rows = yield* sql<{ id: number }>`
    select id from video_channel_collaborator where channel_id = ${Number(values["channelId"])}`
  return { ...values, collaboratorId: idOf(rows) }
})

const withPicture = (type: 1 | 2): Given<Values> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const values = yield* channel
    yield* sql`
      insert into actor_image (actor_id, type, filename, width, height)
      select actor_id, ${type}, ${`${randomUUID()}.jpg`}, 48, 48 from video_channel
      where id = ${Number(values["channelId"])}`
    return values
  })

const offeredChannel: Given<Values> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const values = yield* channel
  yield* asUser("POST", `/api/v1/video-channels/${values["channelHandle"]}/give-ownership`, { username: "moderator" })
  const rows = yield* sql<{ id: number }>`
    select id from ownership_change where channel_id = ${Number(values["channelId"])}`
  return { id: idOf(rows) }
})

const sync: Given<Values> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const values = yield* channel
  const rows = yield* sql<{ id: number }>`
    insert into video_channel_sync (channel_id, external_channel_url)
    values (${Number(values["channelId"])}, 'https://example.com/channel') returning id`
  return { ...values, channelSyncId: idOf(rows) }
})

const exported: Given<Values> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { id } = yield* someUser
  const rows = yield* sql<{ id: number }>`
    insert into user_export (user_id, with_video_files) values (${Number(id)}, false) returning id`
  return { userId: id!, id: idOf(rows) }
})

const abuse: Given<Values> = Effect.gen(function* () {
  const { id } = yield* video
  const made = yield* asUser("POST", "/api/v1/abuses", { reason: "Look at this", video: { id: Number(id) } })
  return { abuseId: String(made["abuse"]!.id) }
})

const abuseMessage: Given<Values> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const values = yield* abuse
  yield* asUser("POST", `/api/v1/abuses/${values["abuseId"]}/messages`, { message: "Please" })
  const rows = yield* sql<{ id: number }>`
    select id from abuse_message where abuse_id = ${Number(values["abuseId"])}`
  return { ...values, abuseMessageId: idOf(rows) }
})

/** Begins a resumable upload, sends all bytes, and gives the last answer. */
const upload = async (url: string, headers: Values, name: string, type: string, bytes: Uint8Array<ArrayBuffer>) => {
  const begun = await fetch(url, {
    method: "POST",
    headers: {
      ...headers,
      "content-type": "application/json",
      "x-upload-content-length": String(bytes.length),
      "x-upload-content-type": type
    },
    body: JSON.stringify({ filename: name })
  })
  const location = begun.headers.get("location")
  if (location === null) return { status: begun.status, text: await begun.text() }
  const query = new URL(location, url).search
  const last = await fetch(url + query, {
    method: "PUT",
    headers: { ...headers, "content-range": `bytes 0-${bytes.length - 1}/${bytes.length}` },
    body: bytes
  })
  return { status: last.status, text: await last.text() }
}

const clip = () =>
  cachedClip("audited.mp4", [
    ...["-f", "lavfi", "-i", "testsrc=size=64x64:rate=10:duration=1"],
    ...["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"]
  ])

/** What moderators and administrators do with users, their channels and archives, and with reports. */
export const ofPeople: Acts = {
  addUser: {
    body: { username: "newcomer", password: newPassword, email: "new@example.com", role: 2, videoQuota: -1 },
    entry: ["user", "create"],
    has: ["after"]
  },
  putUser: { given: someUser, body: { videoQuota: 5 }, entry: ["user", "update"], has: ["before", "after"] },
  delUser: { given: someUser, entry: ["user", "delete"], has: ["before"] },
  postUsersBlock: { given: someUser, body: { reason: "no" }, entry: ["user", "block"], has: ["before", "after"] },
  postUsersUnblock: { given: blockedUser, entry: ["user", "unblock"], has: ["before", "after"] },
  postUsersBulkBlock: {
    given: someUser,
    body: ({ userId: id }: Values) => ({ userIds: [Number(id)] }),
    entry: ["user", "block"],
    has: ["before", "after"]
  },
  postUsersBulkUnblock: {
    given: blockedUser,
    body: ({ userId: id }: Values) => ({ userIds: [Number(id)] }),
    entry: ["user", "unblock"],
    has: ["before", "after"]
  },
  postUsersBulkDelete: {
    given: someUser,
    body: ({ userId: id }: Values) => ({ userIds: [Number(id)] }),
    entry: ["user", "delete"],
    has: ["before"]
  },
  postUsersNotes: { given: someUser, body: { text: "A note" }, entry: ["user-note", "create"], has: ["after"] },
  putUsersNotesByNoteId: {
    given: noted,
    body: { text: "Another note" },
    entry: ["user-note", "update"],
    has: ["before", "after"]
  },
  deleteUsersNotesByNoteId: { given: noted, entry: ["user-note", "delete"], has: ["before"] },
  postUsersMailings: { body: { subject: "News", body: "Hello" }, entry: ["mailing", "create"], has: ["after"] },
  postUsersMailingsCancel: { given: mailing, entry: ["mailing", "cancel"] },
  acceptRegistration: {
    given: registration,
    body: { moderationResponse: "Welcome" },
    entry: ["registration", "accept"],
    has: ["before", "after"]
  },
  rejectRegistration: {
    given: registration,
    body: { moderationResponse: "No" },
    entry: ["registration", "reject"],
    has: ["before", "after"]
  },
  deleteRegistration: { given: registration, entry: ["registration", "delete"], has: ["before"] },
  postUsersTokenSessionsRevoke: { given: session, entry: ["session", "revoke"] },
  confirmTwoFactorRequest: {
    given: someUser,
    send: async (url, headers) => {
      const json = { ...headers, "content-type": "application/json" }
      const asked = await fetch(url.replace("confirm-request", "request"), {
        method: "POST",
        headers: json,
        body: "{}"
      })
      if (!asked.ok) return { status: asked.status, text: await asked.text() }
      const [{ otpRequest }] = (await asked.json()) as [{ otpRequest: { requestToken: string; secret: string } }]
      const body = {
        requestToken: otpRequest.requestToken,
        otpToken: new OTPAuth.TOTP({ secret: otpRequest.secret }).generate()
      }
      const answer = await fetch(url, { method: "POST", headers: json, body: JSON.stringify(body) })
      return { status: answer.status, text: await answer.text() }
    },
    entry: ["two-factor", "enable"],
    has: ["before", "after"]
  },
  disableTwoFactor: { given: withTwoFactor, body: {}, entry: ["two-factor", "disable"], has: ["before", "after"] },
  postServerBlocklistAccounts: { body: { accountName: "user" }, entry: ["server-blocklist", "block-account"] },
  deleteServerBlocklistAccountsByAccountName: {
    given: mutedAccount,
    entry: ["server-blocklist", "unblock-account"]
  },
  putVideoChannel: {
    given: channel,
    body: { displayName: "Another name" },
    entry: ["channel", "update"],
    has: ["before", "after"]
  },
  delVideoChannel: { given: channel, entry: ["channel", "delete"], has: ["before"] },
  postVideoChannelsAvatarPick: {
    given: channel,
    send: form("POST", "avatarfile", picture),
    entry: ["channel", "set-avatar"],
    has: ["before", "after"]
  },
  deleteVideoChannelsAvatar: { given: withPicture(1), entry: ["channel", "delete-avatar"], has: ["before", "after"] },
  postVideoChannelsBannerPick: {
    given: channel,
    send: form("POST", "bannerfile", picture),
    entry: ["channel", "set-banner"],
    has: ["before", "after"]
  },
  deleteVideoChannelsBanner: { given: withPicture(2), entry: ["channel", "delete-banner"], has: ["before", "after"] },
  updateChannelPlayerSettings: {
    given: channel,
    body: { theme: "lucide" },
    entry: ["channel", "set-player-settings"],
    has: ["before", "after"]
  },
  inviteVideoChannelCollaborator: {
    given: channel,
    body: { accountHandle: "moderator" },
    entry: ["channel", "invite-collaborator"],
    has: ["before", "after"]
  },
  removeVideoChannelCollaborator: {
    given: collaborator,
    entry: ["channel", "remove-collaborator"],
    has: ["before", "after"]
  },
  postVideoChannelsGiveOwnership: { given: channel, body: { username: "moderator" }, entry: ["ownership", "give"] },
  deleteVideoChannelsOwnershipById: { given: offeredChannel, entry: ["ownership", "withdraw"] },
  addVideoChannelSync: {
    given: channel,
    body: ({ channelId }: Values) => ({
      externalChannelUrl: "https://example.com/channel",
      videoChannelId: Number(channelId)
    }),
    entry: ["channel-sync", "create"]
  },
  delVideoChannelSync: { given: sync, entry: ["channel-sync", "delete"] },
  triggerVideoChannelSync: { given: sync, entry: ["channel-sync", "trigger"] },
  postVideoChannelsImportVideos: {
    given: channel,
    body: { externalChannelUrl: "https://example.com/channel" },
    entry: ["channel-sync", "import-videos"]
  },
  requestUserExport: { given: someUser, body: { withVideoFiles: false }, entry: ["user-export", "request"] },
  deleteUserExport: { given: exported, entry: ["user-export", "delete"] },
  userImportResumable: {
    given: someUser,
    send: (url, headers) =>
      upload(url, headers, "archive.zip", "application/zip", new TextEncoder().encode("no archive at all")),
    entry: ["user-import", "create"]
  },
  replaceVideoSourceResumable: {
    given: video,
    send: async (url, headers) => {
      return await upload(url, headers, "clip.mp4", "video/mp4", new Uint8Array(readFileSync(clip())))
    },
    entry: ["video", "replace-source"],
    has: ["before", "after"]
  },
  putAbusesByAbuseId: { given: abuse, body: { state: 3 }, entry: ["abuse", "update"], has: ["before", "after"] },
  deleteAbusesByAbuseId: { given: abuse, entry: ["abuse", "delete"], has: ["before"] },
  postAbusesMessages: { given: abuse, body: { message: "Thank you" }, entry: ["abuse", "message"] },
  deleteAbusesMessagesByAbuseMessageId: {
    given: abuseMessage,
    entry: ["abuse", "delete-message"],
    has: ["before"]
  }
}
