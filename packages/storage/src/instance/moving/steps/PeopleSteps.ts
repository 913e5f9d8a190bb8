import { isFileName, type MovingStep, times } from "./MovingStep.ts"

const usernames = `r."username" ~ '^[a-z0-9._]{1,50}$'`

/** Preferences, under the names that the REST API and the old table share. */
const preferences = `jsonb_strip_nulls(jsonb_build_object(
  'emailPublic', r."emailPublic",
  'nsfwPolicy', case when r."nsfwPolicy" in ('do_not_list', 'warn', 'blur', 'display') then r."nsfwPolicy" end,
  'nsfwFlagsDisplayed', r."nsfwFlagsDisplayed", 'nsfwFlagsHidden', r."nsfwFlagsHidden",
  'nsfwFlagsBlurred', r."nsfwFlagsBlurred", 'nsfwFlagsWarned', r."nsfwFlagsWarned",
  'autoPlayVideo', r."autoPlayVideo", 'autoPlayNextVideo', r."autoPlayNextVideo",
  'autoPlayNextVideoPlaylist', r."autoPlayNextVideoPlaylist", 'p2pEnabled', r."p2pEnabled",
  'videosHistoryEnabled', r."videosHistoryEnabled", 'videoLanguages', r."videoLanguages", 'language', r."language",
  'noInstanceConfigWarningModal', r."noInstanceConfigWarningModal", 'noWelcomeModal', r."noWelcomeModal",
  'noAccountSetupWarningModal', r."noAccountSetupWarningModal", 'newFeaturesInfoRead', r."newFeaturesInfoRead"
))`

/** No password leads to it: of users who log in by a plugin, and of those whose hash is of no kind that is known. */
const noPassword = "!"

const servers: MovingStep = {
  name: "server",
  table: "server",
  columns: { id: "integer", host: "text", redundancyAllowed: "boolean", ...times },
  needed: ["id", "host"],
  write: (rows) => [
    `insert into server (id, host, redundancy_allowed, created_at, updated_at) overriding system value
     select r.id, r.host, coalesce(r."redundancyAllowed", false), r."createdAt", r."updatedAt" from ${rows}
     on conflict do nothing returning 1`
  ]
}

const actors: MovingStep = {
  name: "actor",
  table: "actor",
  columns: {
    ...{ id: "integer", type: "text", preferredUsername: "text", url: "text", publicKey: "text", privateKey: "text" },
    ...{ followersCount: "integer", followingCount: "integer", inboxUrl: "text", outboxUrl: "text" },
    ...{ sharedInboxUrl: "text", followersUrl: "text", followingUrl: "text", remoteCreatedAt: "timestamptz" },
    ...{ serverId: "integer", ...times }
  },
  needed: ["id", "type", "preferredUsername", "url", "publicKey", "privateKey", "inboxUrl", "serverId"],
  transform: "actor",
  write: (rows) => [
    `with made as (
       insert into actor (id, type, preferred_username, server_id, url, inbox_url, outbox_url, shared_inbox_url, followers_url,
         following_url, playlists_url, public_key, private_key, followers_count, following_count, remote_created_at, created_at,
         updated_at) overriding system value
       select r.id, r.type, r."preferredUsername", r."serverId", r.url, r."inboxUrl", r."outboxUrl", r."sharedInboxUrl",
         r."followersUrl", r."followingUrl", case when r."serverId" is null then r.url || '/playlists' end,
         coalesce(r."publicKey", ''), case when r."serverId" is null then r."privateKey" end,
         case when r."serverId" is null then 0 else greatest(r."followersCount", 0) end,
         case when r."serverId" is null then 0 else greatest(r."followingCount", 0) end,
         r."remoteCreatedAt", r."createdAt", r."updatedAt"
       from ${rows}
       where r."privateKey" is not null and r."serverId" is null or exists (select from server s where s.id = r."serverId")
       on conflict do nothing returning id, server_id, url, public_key, updated_at
     ), remote as (
       insert into remote_actor (actor_id, fetched_at) select id, updated_at from made where server_id is not null
     ), keys as (
       insert into actor_key (actor_id, key_id, kind, value)
       select id, url || '#main-key', 'pem', public_key from made where server_id is not null and public_key <> ''
       on conflict do nothing
     ) select 1 from made`
  ]
}

const actorImages: MovingStep = {
  name: "actorImage",
  table: "actorImage",
  columns: {
    ...{ id: "integer", filename: "text", height: "integer", width: "integer", fileUrl: "text", type: "integer" },
    ...{ actorId: "integer", ...times }
  },
  dropped: ["onDisk"],
  write: (rows) => [
    `insert into actor_image (id, actor_id, type, filename, width, height, remote_url, created_at, updated_at) overriding system value
     select r.id, a.id, r.type, case when a.server_id is null then r.filename else gen_random_uuid() || '.jpg' end,
       coalesce(r.width, r.height, 120), coalesce(r.height, r.width, 120),
       case when a.server_id is not null then r."fileUrl" end, r."createdAt", r."updatedAt"
     from ${rows} join actor a on a.id = r."actorId"
     where case when a.server_id is null then ${isFileName("r.filename")} else r."fileUrl" is not null end
     on conflict do nothing returning 1`
  ]
}

const users: MovingStep = {
  name: "user",
  table: "user",
  columns: {
    ...{ id: "integer", password: "text", username: "text", email: "text", pendingEmail: "text" },
    ...{ emailVerified: "boolean", nsfwPolicy: "text", p2pEnabled: "boolean", videosHistoryEnabled: "boolean" },
    ...{ autoPlayVideo: "boolean", autoPlayNextVideo: "boolean", autoPlayNextVideoPlaylist: "boolean" },
    ...{ videoLanguages: "text[]", adminFlags: "integer", blocked: "boolean", blockedReason: "text", role: "integer" },
    ...{ videoQuota: "bigint", videoQuotaDaily: "bigint", noInstanceConfigWarningModal: "boolean" },
    ...{ noWelcomeModal: "boolean", noAccountSetupWarningModal: "boolean", pluginAuth: "text", feedToken: "text" },
    ...{ lastLoginDate: "timestamptz", emailPublic: "boolean", otpSecret: "text", language: "text" },
    ...{ nsfwFlagsDisplayed: "integer", nsfwFlagsHidden: "integer", nsfwFlagsBlurred: "integer" },
    ...{ nsfwFlagsWarned: "integer", newFeaturesInfoRead: "integer", ...times }
  },
  added: { sealedOtp: "text", sealedFeed: "text", feedHash: "text" },
  needed: ["id", "username", "email", "password", "role"],
  dropped: ["theme"],
  transform: "user",
  write: (rows) => [
    // Addresses that differ in case only were two there, and cannot be here: the later user keeps the name and gets a mark.
    `insert into app_user (id, username, email, pending_email, email_verified, password_hash, role, admin_flags, blocked,
       blocked_reason, video_quota, video_quota_daily, preferences, plugin_auth, otp_secret, feed_token, feed_token_hash,
       last_login_at, created_at, updated_at) overriding system value
     select r.id, r.username, case when exists (select from app_user u where u.email = r.email)
         or exists (select from ${rows.replace(" as r ", " as o ")} where lower(o.email) = lower(r.email) and o.id < r.id)
         then r.id || '.duplicate.' || r.email else r.email end,
       r."pendingEmail", r."emailVerified", coalesce(r.password, '${noPassword}'), r.role, coalesce(r."adminFlags", 0),
       coalesce(r.blocked, false), r."blockedReason", greatest(coalesce(r."videoQuota", -1), -1),
       greatest(coalesce(r."videoQuotaDaily", -1), -1), ${preferences}, r."pluginAuth", r."sealedOtp", r."sealedFeed",
       decode(r."feedHash", 'hex'), r."lastLoginDate", r."createdAt", r."updatedAt"
     from ${rows} where ${usernames} on conflict do nothing returning 1`
  ]
}

/** Kinds of notifications that have the same name here and there (contract: UserNotificationSettingKeys). */
const notificationKinds = [
  "newVideoFromSubscription",
  "newCommentOnMyVideo",
  "abuseAsModerator",
  "videoAutoBlacklistAsModerator",
  "blacklistOnMyVideo",
  "myVideoPublished",
  "myVideoImportFinished",
  "newUserRegistration",
  "newInstanceFollower",
  "autoInstanceFollowing",
  "newFollow",
  "commentMention",
  "abuseStateChange",
  "abuseNewMessage",
  "newPeerTubeVersion",
  "newPluginVersion",
  "myVideoStudioEditionFinished",
  "myVideoTranscriptionGenerated",
  "automaticBlocklist"
] as const

const notificationSettings: MovingStep = {
  name: "userNotificationSetting",
  table: "userNotificationSetting",
  columns: {
    id: "integer",
    userId: "integer",
    ...Object.fromEntries(notificationKinds.map((kind) => [kind, "integer"] as const)),
    ...times
  },
  write: (rows) => [
    `update app_user u set notification_settings = jsonb_strip_nulls(jsonb_build_object(${notificationKinds
      .map((kind) => `'${kind}', r."${kind}"`)
      .join(", ")})) from ${rows} where u.id = r."userId" returning 1`
  ]
}

const accounts: MovingStep = {
  name: "account",
  table: "account",
  columns: { id: "integer", name: "text", description: "text", actorId: "integer", userId: "integer", ...times },
  needed: ["id", "name", "actorId", "userId"],
  dropped: ["applicationId"],
  write: (rows) => [
    `insert into account (id, actor_id, user_id, display_name, description, created_at, updated_at) overriding system value
     select r.id, a.id, u.id, r.name, r.description, r."createdAt", r."updatedAt"
     from ${rows} join actor a on a.id = r."actorId" left join app_user u on u.id = r."userId"
     where r."userId" is null or u.id is not null on conflict do nothing returning 1`
  ],
  // The lists for later come with the playlists.
  after: ["delete from video_playlist where type = 2"]
}

const channels: MovingStep = {
  name: "videoChannel",
  table: "videoChannel",
  columns: {
    ...{ id: "integer", name: "text", description: "text", support: "text", actorId: "integer", accountId: "integer" },
    ...times
  },
  needed: ["id", "name", "actorId", "accountId"],
  write: (rows) => [
    `insert into video_channel (id, actor_id, account_id, display_name, description, support, created_at, updated_at)
       overriding system value
     select r.id, a.id, o.id, r.name, r.description, r.support, r."createdAt", r."updatedAt"
     from ${rows} join actor a on a.id = r."actorId" join account o on o.id = r."accountId"
     on conflict do nothing returning 1`
  ]
}

const registrations: MovingStep = {
  name: "userRegistration",
  table: "userRegistration",
  columns: {
    ...{ id: "integer", state: "integer", registrationReason: "text", moderationResponse: "text", password: "text" },
    ...{ username: "text", email: "text", emailVerified: "boolean", accountDisplayName: "text", channelHandle: "text" },
    ...{ channelDisplayName: "text", processedAt: "timestamptz", userId: "integer", ...times }
  },
  transform: "registration",
  write: (rows) => [
    `insert into user_registration (id, state, username, email, email_verified, password_hash, registration_reason,
       moderation_response, account_display_name, channel_handle, channel_display_name, user_id, processed_at, created_at,
       updated_at) overriding system value
     select r.id, r.state, r.username, r.email, r."emailVerified", case when r.state <> 3 then r.password end,
       r."registrationReason", r."moderationResponse", r."accountDisplayName", r."channelHandle", r."channelDisplayName",
       u.id, r."processedAt", r."createdAt", r."updatedAt"
     from ${rows} left join app_user u on u.id = r."userId" where ${usernames} on conflict do nothing returning 1`
  ]
}

const accountBlocks: MovingStep = {
  name: "accountBlocklist",
  table: "accountBlocklist",
  columns: { id: "integer", accountId: "integer", targetAccountId: "integer", ...times },
  write: (rows) => [
    `insert into account_block (account_id, target_account_id, created_at)
     select a.id, t.id, r."createdAt" from ${rows} join account a on a.id = r."accountId" join account t on t.id = r."targetAccountId"
     on conflict do nothing returning 1`
  ]
}

const serverBlocks: MovingStep = {
  name: "serverBlocklist",
  table: "serverBlocklist",
  columns: { id: "integer", accountId: "integer", targetServerId: "integer", ...times },
  write: (rows) => [
    `insert into server_block (account_id, server_id, created_at)
     select a.id, s.id, r."createdAt" from ${rows} join account a on a.id = r."accountId" join server s on s.id = r."targetServerId"
     on conflict do nothing returning 1`
  ]
}

export const peopleSteps: ReadonlyArray<MovingStep> = [
  servers,
  actors,
  actorImages,
  users,
  notificationSettings,
  accounts,
  channels,
  registrations,
  accountBlocks,
  serverBlocks
]
