import { type MovingStep, times } from "./MovingStep.ts"

const playlists: MovingStep = {
  name: "videoPlaylist",
  table: "videoPlaylist",
  columns: {
    ...{
      id: "integer",
      name: "text",
      description: "text",
      privacy: "integer",
      url: "text",
      uuid: "uuid",
      type: "integer"
    },
    ...{ ownerAccountId: "integer", videoChannelId: "integer", videoChannelPosition: "integer", ...times }
  },
  write: (rows) => [
    `with made as (
       insert into video_playlist (id, uuid, url, name, description, privacy, type, owner_account_id, channel_id,
         channel_position, remote, created_at, updated_at) overriding system value
       select r.id, r.uuid, r.url, r.name, r.description,
         case when r.type = 2 then 3 when r.privacy = 1 and c.id is null then 2 else r.privacy end, coalesce(r.type, 1),
         o.id, c.id, case when c.id is not null then coalesce((
           select max(channel_position) from video_playlist p where p.channel_id = c.id
         ), 0) + row_number() over (partition by c.id order by r."videoChannelPosition", r.id) end, a.server_id is not null,
         r."createdAt", r."updatedAt"
       from ${rows} join account o on o.id = r."ownerAccountId" join actor a on a.id = o.actor_id
         left join video_channel c on c.id = r."videoChannelId" and c.account_id = o.id and coalesce(r.type, 1) = 1
       returning id, remote, updated_at
     ), others as (
       insert into remote_playlist (playlist_id, fetched_at) select id, updated_at from made where remote
     ) select 1 from made`
  ]
}

/** In the order of their places, which are numbered anew without gaps. */
const elements: MovingStep = {
  name: "videoPlaylistElement",
  table: "videoPlaylistElement",
  key: ["videoPlaylistId", "position", "id"],
  columns: {
    ...{ id: "integer", url: "text", position: "integer", startTimestamp: "integer", stopTimestamp: "integer" },
    ...{ videoPlaylistId: "integer", videoId: "integer", ...times }
  },
  write: (rows) => [
    `insert into video_playlist_element (id, url, playlist_id, video_id, position, start_timestamp, stop_timestamp, created_at,
       updated_at) overriding system value
     select r.id, case when p.remote then r.url end, p.id, v.id, coalesce((
         select max(position) from video_playlist_element e where e.playlist_id = p.id
       ), 0) + row_number() over (partition by p.id order by r.position, r.id), r."startTimestamp", r."stopTimestamp",
       r."createdAt", r."updatedAt"
     from ${rows} join video_playlist p on p.id = r."videoPlaylistId" left join video v on v.id = r."videoId"
     returning 1`
  ]
}

const history: MovingStep = {
  name: "userVideoHistory",
  table: "userVideoHistory",
  columns: { id: "integer", currentTime: "integer", videoId: "integer", userId: "integer", ...times },
  write: (rows) => [
    `insert into user_video_history (user_id, video_id, current_time_seconds, created_at, updated_at)
     select u.id, v.id, r."currentTime", r."createdAt", r."updatedAt"
     from ${rows} join app_user u on u.id = r."userId" join video v on v.id = r."videoId" on conflict do nothing returning 1`
  ]
}

const ownershipChanges: MovingStep = {
  name: "videoChangeOwnership",
  table: "videoChangeOwnership",
  columns: {
    ...{
      id: "integer",
      status: "text",
      state: "integer",
      initiatorAccountId: "integer",
      nextOwnerAccountId: "integer"
    },
    ...{ videoId: "integer", ...times }
  },
  write: (rows) => [
    `insert into ownership_change (id, state, initiator_account_id, next_owner_account_id, video_id, created_at, updated_at)
       overriding system value
     select r.id, coalesce(r.state, case r.status when 'WAITING' then 1 when 'REFUSED' then 2 when 'ACCEPTED' then 3 end), i.id, n.id,
       v.id, r."createdAt", r."updatedAt"
     from ${rows} join account i on i.id = r."initiatorAccountId" join account n on n.id = r."nextOwnerAccountId"
       join video v on v.id = r."videoId" on conflict do nothing returning 1`
  ]
}

const channelSyncs: MovingStep = {
  name: "videoChannelSync",
  table: "videoChannelSync",
  columns: {
    ...{
      id: "integer",
      externalChannelUrl: "text",
      state: "integer",
      lastSyncAt: "timestamptz",
      videoChannelId: "integer"
    },
    ...times
  },
  write: (rows) => [
    `insert into video_channel_sync (id, channel_id, external_channel_url, state, last_sync_at, created_at, updated_at)
       overriding system value
     select r.id, c.id, r."externalChannelUrl", case r.state when 2 then 3 else r.state end, r."lastSyncAt", r."createdAt",
       r."updatedAt"
     from ${rows} join video_channel c on c.id = r."videoChannelId" on conflict do nothing returning 1`
  ]
}

/** Imports that had not ended are cancelled: their work was the old program's. */
const imports: MovingStep = {
  name: "videoImport",
  table: "videoImport",
  columns: {
    ...{ id: "integer", targetUrl: "text", magnetUri: "text", torrentName: "text", state: "integer", error: "text" },
    ...{ userId: "integer", videoId: "integer", videoChannelSyncId: "integer", ...times }
  },
  write: (rows) => [
    `insert into video_import (id, user_id, video_id, channel_sync_id, target_url, magnet_uri, torrent_name, state, error, channel_id,
       created_at, updated_at) overriding system value
     select r.id, coalesce(u.id, o.user_id), v.id, s.id, r."targetUrl", r."magnetUri", r."torrentName",
       case when r.state in (1, 6) then 5 else r.state end, r.error, v.channel_id, r."createdAt", r."updatedAt"
     from ${rows} left join app_user u on u.id = r."userId" left join video v on v.id = r."videoId"
       left join account o on o.id = v.account_id left join video_channel_sync s on s.id = r."videoChannelSyncId"
     where coalesce(u.id, o.user_id) is not null on conflict do nothing returning 1`
  ]
}

/** Those about plugins and versions of the old program have no meaning here. */
const notifications: MovingStep = {
  name: "userNotification",
  table: "userNotification",
  columns: {
    ...{ id: "integer", type: "integer", read: "boolean", userId: "integer", videoId: "integer", commentId: "integer" },
    ...{ abuseId: "integer", videoBlacklistId: "integer", videoImportId: "integer", accountId: "integer" },
    ...{ actorFollowId: "integer", userRegistrationId: "integer", ...times }
  },
  dropped: ["pluginId", "applicationId", "videoCaptionId"],
  write: (rows) => [
    `insert into user_notification (id, user_id, type, web, read, event_id, account_id, video_id, comment_id, import_id, blacklist_id,
       follow_id, registration_id, abuse_id, created_at, updated_at) overriding system value
     select r.id, u.id, r.type, true, r.read, 0, a.id, v.id, c.id, i.id, b.id, f.id, g.id, x.id, r."createdAt", r."updatedAt"
     from ${rows} join app_user u on u.id = r."userId" left join account a on a.id = r."accountId"
       left join video v on v.id = r."videoId" left join video_comment c on c.id = r."commentId"
       left join video_import i on i.id = r."videoImportId" left join video_blacklist b on b.id = r."videoBlacklistId"
       left join actor_follow f on f.id = r."actorFollowId" left join user_registration g on g.id = r."userRegistrationId"
       left join abuse x on x.id = r."abuseId"
     where r.type between 1 and 21 and r.type not in (17, 18)
       and num_nonnulls(a.id, v.id, c.id, i.id, b.id, f.id, g.id, x.id) > 0
       and num_nonnulls(a.id, v.id, c.id, i.id, b.id, f.id, g.id, x.id) = num_nonnulls(r."accountId", r."videoId", r."commentId",
         r."videoImportId", r."videoBlacklistId", r."actorFollowId", r."userRegistrationId", r."abuseId")
     on conflict do nothing returning 1`
  ]
}

const homepage: MovingStep = {
  name: "actorCustomPage",
  table: "actorCustomPage",
  columns: { id: "integer", content: "text", type: "text", actorId: "integer", ...times },
  write: (rows) => [
    `insert into instance_setting (key, value) select 'homepage', to_jsonb(r.content) from ${rows}
     where r.type = 'homepage' and r.content <> '' and r."actorId" = instance_actor() on conflict (key) do nothing returning 1`
  ]
}

export const playlistSteps: ReadonlyArray<MovingStep> = [playlists, elements]

export const userDataSteps: ReadonlyArray<MovingStep> = [
  ...[history, ownershipChanges, channelSyncs, imports, notifications, homepage]
]
