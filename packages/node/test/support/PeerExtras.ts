import { generateKeyPairSync } from "node:crypto"

const { privateKey, publicKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs1", format: "pem" }
})

/** What the fixture's instance lacks: another instance with its people and things, a live, and tables of later versions. */
export const peerExtras: ReadonlyArray<string> = [
  `insert into server (id, host, "redundancyAllowed", "createdAt", "updatedAt") values (1, 'peer.example', true, now(), now())`,
  `insert into actor (id, type, "preferredUsername", url, "publicKey", "privateKey", "followersCount", "followingCount", "inboxUrl",
     "outboxUrl", "sharedInboxUrl", "followersUrl", "followingUrl", "serverId", "createdAt", "updatedAt")
   select id, type, name, 'https://peer.example/' || path, '${publicKey}', null, 7, 0, 'https://peer.example/' || path || '/inbox',
     'https://peer.example/' || path || '/outbox', 'https://peer.example/inbox', 'https://peer.example/' || path || '/followers',
     'https://peer.example/' || path || '/following', 1, now(), now()
   from (values (101, 'Person'::public.enum_actor_type, 'ann', 'accounts/ann'), (102, 'Group', 'ann_chan', 'video-channels/ann_chan'),
     (103, 'Application', 'peertube', 'accounts/peertube')) v (id, type, name, path)`,
  `insert into account (id, name, "actorId", "createdAt", "updatedAt") values (101, 'Ann', 101, now(), now()),
     (103, 'peertube', 103, now(), now())`,
  `insert into "videoChannel" (id, name, "actorId", "accountId", "createdAt", "updatedAt") values (102, 'Ann''s', 102, 101, now(), now())`,
  `insert into "actorImage" (id, filename, height, width, "fileUrl", "onDisk", type, "actorId", "createdAt", "updatedAt")
   values (101, 'ann.png', 48, 48, 'https://peer.example/ann.png', false, 1, 101, now(), now())`,
  // Followers elsewhere of user1's channel and of the instance; the instance follows the other one.
  `insert into "actorFollow" (id, state, url, "actorId", "targetActorId", "createdAt", "updatedAt") values
     (101, 'accepted', 'https://peer.example/accounts/ann/follows/5', 101, 5, now(), now()),
     (102, 'accepted', 'https://peer.example/accounts/peertube/follows/1', 103, 1, now(), now()),
     (103, 'accepted', 'http://localhost:26500/accounts/peertube/follows/103', 1, 103, now(), now()),
     (104, 'pending', 'http://localhost:26500/accounts/user2/follows/102', 6, 102, now(), now())`,
  `insert into video (id, uuid, name, privacy, nsfw, duration, views, likes, remote, url, "commentsPolicy", "downloadEnabled",
     "waitTranscoding", state, "publishedAt", "channelId", "createdAt", "updatedAt")
   values (101, '11111111-1111-4111-8111-111111111111', 'From afar', 1, false, 60, 12, 3, true, 'https://peer.example/videos/watch/1', 1,
     true, false, 1, now(), 102, now(), now()),
   (102, '22222222-2222-4222-8222-222222222222', 'Permanent live', 1, false, 0, 0, 0, false,
     'http://localhost:26500/videos/watch/22222222-2222-4222-8222-222222222222', 1, true, false, 1, now(), 2, now(), now()),
   (103, '33333333-3333-4333-8333-333333333333', 'Never transcoded', 5, true, 0, 0, 0, false,
     'http://localhost:26500/videos/watch/33333333-3333-4333-8333-333333333333', 2, false, true, 2, now(), 2, now(), now())`,
  `update video set "isLive" = true where id = 102`,
  `insert into "videoFile" (id, resolution, size, extname, fps, "formatFlags", streams, "fileUrl", "videoId", "createdAt", "updatedAt")
   values (101, 720, 1000, '.mp4', 30, 1, 3, 'https://peer.example/1.mp4', 101, now(), now())`,
  `insert into "videoStreamingPlaylist" (id, type, "playlistFilename", "playlistUrl", "p2pMediaLoaderInfohashes",
     "p2pMediaLoaderPeerVersion", "videoId", "createdAt", "updatedAt")
   values (101, 1, 'm.m3u8', 'https://peer.example/m.m3u8', '{}', 2, 101, now(), now())`,
  `insert into thumbnail (id, filename, height, width, type, "fileUrl", "onDisk", "videoId", "createdAt", "updatedAt")
   values (101, 'far.jpg', 157, 280, 1, 'https://peer.example/far.jpg', false, 101, now(), now())`,
  `insert into "videoLiveReplaySetting" (id, privacy, "createdAt", "updatedAt") values (1, 2, now(), now())`,
  `insert into "videoLive" (id, "streamKey", "saveReplay", "permanentLive", "latencyMode", "videoId", "replaySettingId", "createdAt",
     "updatedAt") values (1, 'a-key-of-the-live', true, true, 3, 102, 1, now(), now())`,
  `insert into "videoLiveSession" (id, "startDate", "endDate", "saveReplay", "endingProcessed", "replayVideoId", "liveVideoId",
     "createdAt", "updatedAt") values (1, now(), null, true, false, 1, 102, now(), now())`,
  `insert into "videoPassword" (id, password, "videoId", "createdAt", "updatedAt") values (1, 'open sesame', 103, now(), now())`,
  `insert into "scheduleVideoUpdate" (id, "updateAt", privacy, "videoId", "createdAt", "updatedAt")
   values (1, now() + interval '9 years', 1, 3, now(), now())`,
  `insert into "videoBlacklist" (id, reason, unfederated, type, "videoId", "createdAt", "updatedAt")
   values (1, 'not good', true, 1, 103, now(), now())`,
  `insert into "videoView" (id, "startDate", "endDate", views, "videoId", "createdAt")
   values (1, '2026-11-20 10:00Z', '2026-11-20 11:00Z', 3, 1, now()), (2, '2026-11-20 11:00Z', '2026-11-20 12:00Z', 4, 1, now())`,
  `insert into "localVideoViewer" (id, "startDate", "endDate", "watchTime", country, uuid, url, "videoId", "createdAt")
   values (1, now(), now(), 5, 'FR', '44444444-4444-4444-8444-444444444444', 'http://localhost:26500/x', 1, now())`,
  `insert into "localVideoViewerWatchSection" (id, "watchStart", "watchEnd", "localVideoViewerId", "createdAt")
   values (1, 0, 2, 1, now()), (2, 1, 3, 1, now())`,
  `insert into "videoRedundancy" (id, "fileUrl", url, "videoStreamingPlaylistId", "actorId", "createdAt", "updatedAt")
   values (1, 'https://peer.example/copies/', 'https://peer.example/redundancy/1', 1, 103, now(), now())`,
  `insert into "accountVideoRate" (id, type, url, "videoId", "accountId", "createdAt", "updatedAt")
   values (101, 'like', 'https://peer.example/accounts/ann/likes/1', 1, 101, now(), now())`,
  // A reply from elsewhere, one that was deleted and is answered, and one that waits for review.
  `insert into "videoComment" (id, url, text, "heldForReview", "deletedAt", "originCommentId", "inReplyToCommentId", "videoId",
     "accountId", "createdAt", "updatedAt")
   values (101, 'https://peer.example/comments/1', 'hello from afar', false, null, null, null, 4, 101, now(), now()),
     (102, 'http://localhost:26500/c/102', '', false, now(), 101, 101, 4, null, now(), now()),
     (103, 'https://peer.example/comments/3', 'again', false, null, 101, 102, 4, 101, now(), now()),
     (104, 'https://peer.example/comments/4', 'held', true, null, null, null, 4, 101, now(), now())`,
  `insert into abuse (id, reason, state, "reporterAccountId", "flaggedAccountId", "createdAt", "updatedAt", "predefinedReasons")
   values (101, 'of a comment', 3, 4, 101, now(), now(), '{1,4}'), (102, 'of an account', 1, 101, 3, now(), now(), null),
     (103, 'of a video that is gone', 2, 4, 3, now(), now(), null)`,
  `insert into "commentAbuse" (id, "abuseId", "videoCommentId", "createdAt", "updatedAt") values (101, 101, 101, now(), now())`,
  `insert into "videoAbuse" (id, "deletedVideo", "abuseId", "videoId", "createdAt", "updatedAt") values
     (103, '{"uuid": "55555555-5555-4555-8555-555555555555", "name": "gone", "nsfw": true, "channel": {"id": 2}}', 103, null, now(), now())`,
  `insert into "abuseMessage" (id, message, "byModerator", "accountId", "abuseId", "createdAt", "updatedAt")
   values (1, 'looked at it', true, 2, 101, now(), now())`,
  `insert into "serverBlocklist" (id, "accountId", "targetServerId", "createdAt", "updatedAt") values (1, 4, 1, now(), now())`,
  `insert into "userRegistration" (id, state, "registrationReason", password, username, email, "createdAt", "updatedAt")
   select 1, 1, 'let me in', password, 'waiting', 'waiting@example.com', now(), now() from "user" where username = 'user1'`,
  `insert into "userNotification" (id, type, read, "userId", "videoId", "commentId", "createdAt", "updatedAt")
   values (101, 2, false, 2, null, 101, now(), now()), (102, 18, false, 1, null, null, now(), now())`,
  `insert into "userVideoHistory" (id, "currentTime", "videoId", "userId", "createdAt", "updatedAt") values (101, 2, 4, 3, now(), now())`,
  `insert into "videoChangeOwnership" (id, status, "initiatorAccountId", "nextOwnerAccountId", "videoId", "createdAt", "updatedAt")
   values (1, 'WAITING', 3, 4, 1, now(), now())`,
  `insert into "videoChannelSync" (id, "externalChannelUrl", state, "videoChannelId", "createdAt", "updatedAt")
   values (1, 'https://elsewhere.example/channel', 3, 2, now(), now())`,
  `insert into "videoImport" (id, "targetUrl", state, "userId", "videoId", "videoChannelSyncId", "createdAt", "updatedAt")
   values (1, 'https://elsewhere.example/1', 2, 2, 1, 1, now(), now()), (2, 'https://elsewhere.example/2', 6, 2, null, 1, now(), now())`,
  `insert into "watchedWordsList" (id, "listName", words, "accountId", "createdAt", "updatedAt")
   values (1, 'bad words', '{"one","two"}', 3, now(), now())`,
  `insert into "automaticTag" (id, name) values (1, 'bad words')`,
  `insert into "videoAutomaticTag" ("videoId", "automaticTagId", "accountId", "createdAt", "updatedAt") values (1, 1, 1, now(), now())`,
  `insert into "commentAutomaticTag" ("commentId", "automaticTagId", "accountId", "createdAt", "updatedAt")
   values (101, 1, 3, now(), now())`,
  `insert into "accountAutomaticTagPolicy" (id, policy, "accountId", "automaticTagId", "createdAt", "updatedAt")
   values (1, 2, 3, 1, now(), now())`,
  `insert into "actorCustomPage" (id, content, type, "actorId", "createdAt", "updatedAt")
   values (1, '# Welcome', 'homepage', 1, now(), now())`
]

/** What a later version would have: a table, columns, and values that nobody here knows. */
export const laterVersion: ReadonlyArray<string> = [
  `insert into "user" (id, username, email, "nsfwPolicy", "p2pEnabled", role, "videoQuota", "videoQuotaDaily", "feedToken", "createdAt",
     "updatedAt") values (50, 'double', 'USER1@example.com', 'do_not_list', true, 2, -1, -1, '66666666-6666-4666-8666-666666666666', now(), now())`,
  `create table "playerSetting" (id integer primary key, theme text)`,
  `insert into "playerSetting" values (1, 'galaxy')`,
  `alter table video add column "unheardOf" jsonb`,
  `insert into "videoCaption" (id, language, filename, "automaticallyGenerated", "videoId", "createdAt", "updatedAt")
   select 101, language, 'not/a/name', false, 4, now(), now() from "videoCaption" limit 1`,
  `update "videoLive" set "latencyMode" = 9`,
  `drop table "commentAutomaticTag"`,
  `alter table "userNotificationSetting" drop column "newPluginVersion"`
]

/** The key of people elsewhere. */
export const peerKeys = { privateKey }
