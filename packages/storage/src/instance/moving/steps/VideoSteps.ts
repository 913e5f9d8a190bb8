import { type MovingStep, times } from "./MovingStep.ts"

const videos: MovingStep = {
  name: "video",
  table: "video",
  columns: {
    ...{ id: "integer", uuid: "uuid", name: "text", category: "integer", licence: "integer", language: "text" },
    ...{ privacy: "integer", nsfw: "boolean", description: "text", support: "text", duration: "integer" },
    ...{ views: "integer", likes: "integer", dislikes: "integer", remote: "boolean", isLive: "boolean", url: "text" },
    ...{
      commentsPolicy: "integer",
      commentsEnabled: "boolean",
      downloadEnabled: "boolean",
      waitTranscoding: "boolean"
    },
    ...{ state: "integer", aspectRatio: "double precision", inputFileUpdatedAt: "timestamptz" },
    ...{ publishedAt: "timestamptz", originallyPublishedAt: "timestamptz", channelId: "integer" },
    ...{ nsfwFlags: "integer", nsfwSummary: "text", embedPrivacyPolicy: "integer", ...times }
  },
  needed: ["id", "uuid", "name", "privacy", "remote", "url", "state", "channelId"],
  write: (rows) => [
    `with made as (
       insert into video (id, uuid, channel_id, account_id, remote, url, name, category, licence, language, privacy, state, nsfw,
         nsfw_flags, nsfw_summary, description, support, duration, aspect_ratio, is_live, wait_transcoding, download_enabled,
         comments_policy, embed_privacy_policy, views, likes, dislikes, input_file_updated_at, originally_published_at,
         published_at, created_at, updated_at, server_id, announced) overriding system value
       select r.id, r.uuid, c.id, c.account_id, r.remote, r.url, r.name, r.category, r.licence, r.language, r.privacy, r.state,
         coalesce(r.nsfw, false), coalesce(r."nsfwFlags", 0), r."nsfwSummary", r.description, r.support,
         greatest(coalesce(r.duration, 0), 0), r."aspectRatio", coalesce(r."isLive", false), coalesce(r."waitTranscoding", false),
         coalesce(r."downloadEnabled", true),
         coalesce(r."commentsPolicy", case when r."commentsEnabled" then 1 else 2 end, 1), coalesce(r."embedPrivacyPolicy", 1),
         coalesce(r.views, 0), coalesce(r.likes, 0), coalesce(r.dislikes, 0), r."inputFileUpdatedAt", r."originallyPublishedAt",
         coalesce(r."publishedAt", r."createdAt"), r."createdAt", r."updatedAt", case when r.remote then a.server_id end, true
       from ${rows} join video_channel c on c.id = r."channelId" join actor a on a.id = c.actor_id
       where r.remote = (a.server_id is not null)
       on conflict do nothing returning id, remote, updated_at
     ), others as (
       insert into remote_video (video_id, fetched_at) select id, updated_at from made where remote
     ) select 1 from made`
  ]
}

const tags: MovingStep = {
  name: "videoTag",
  table: "videoTag",
  key: ["videoId", "tagId"],
  columns: { videoId: "integer", tagId: "integer", ...times },
  added: { tagName: "text" },
  select: {
    tables: ["videoTag", "tag"],
    text: `select l.*, t.name as "tagName" from public."videoTag" l join public.tag t on t.id = l."tagId"`
  },
  write: (rows) => [
    `insert into tag (name) select distinct on (r."tagName"::citext) r."tagName" from ${rows} where r."tagName" is not null
     on conflict (name) do nothing returning 1`,
    `insert into video_tag (video_id, tag_id) select distinct v.id, t.id from ${rows}
     join video v on v.id = r."videoId" join tag t on t.name = r."tagName"::citext on conflict do nothing returning 1`
  ]
}

const passwords: MovingStep = {
  name: "videoPassword",
  table: "videoPassword",
  columns: { id: "integer", password: "text", videoId: "integer", ...times },
  write: (rows) => [
    `insert into video_password (id, video_id, password, created_at, updated_at) overriding system value
     select r.id, v.id, r.password, r."createdAt", r."updatedAt" from ${rows} join video v on v.id = r."videoId"
     on conflict do nothing returning 1`
  ]
}

const schedules: MovingStep = {
  name: "scheduleVideoUpdate",
  table: "scheduleVideoUpdate",
  columns: { id: "integer", updateAt: "timestamptz", privacy: "integer", videoId: "integer", ...times },
  write: (rows) => [
    `insert into video_schedule_update (video_id, update_at, privacy) select v.id, r."updateAt", r.privacy
     from ${rows} join video v on v.id = r."videoId" on conflict do nothing returning 1`
  ]
}

const blocks: MovingStep = {
  name: "videoBlacklist",
  table: "videoBlacklist",
  columns: { id: "integer", reason: "text", unfederated: "boolean", type: "integer", videoId: "integer", ...times },
  write: (rows) => [
    `insert into video_blacklist (id, video_id, type, reason, unfederated, created_at, updated_at) overriding system value
     select r.id, v.id, coalesce(r.type, 1), r.reason, coalesce(r.unfederated, false), r."createdAt", r."updatedAt"
     from ${rows} join video v on v.id = r."videoId" on conflict do nothing returning 1`
  ]
}

const chapters: MovingStep = {
  name: "videoChapter",
  table: "videoChapter",
  columns: { id: "integer", timecode: "integer", title: "text", videoId: "integer", ...times },
  write: (rows) => [
    `update video v set chapters_by_hand = true from ${rows} where v.id = r."videoId" and not v.remote and not v.chapters_by_hand
     returning 1`,
    `insert into video_chapter (video_id, timecode, title) select v.id, r.timecode, r.title
     from ${rows} join video v on v.id = r."videoId" on conflict do nothing returning 1`
  ]
}

const lives: MovingStep = {
  name: "videoLive",
  table: "videoLive",
  columns: {
    ...{ id: "integer", streamKey: "text", saveReplay: "boolean", permanentLive: "boolean", latencyMode: "integer" },
    ...{ videoId: "integer", replaySettingId: "integer", ...times }
  },
  added: { replayPrivacy: "integer", sealedKey: "text", keyDigest: "text" },
  select: {
    tables: ["videoLive", "videoLiveReplaySetting"],
    text: `select l.*, s.privacy as "replayPrivacy" from public."videoLive" l
      left join public."videoLiveReplaySetting" s on s.id = l."replaySettingId"`
  },
  transform: "live",
  write: (rows) => [
    `insert into live_video (video_id, key_digest, sealed_key, save_replay, replay_privacy, permanent, latency_mode, created_at,
       updated_at)
     select v.id, decode(r."keyDigest", 'hex'), r."sealedKey", coalesce(r."saveReplay", false), r."replayPrivacy",
       coalesce(r."permanentLive", false), coalesce(r."latencyMode", 1), r."createdAt", r."updatedAt"
     from ${rows} join video v on v.id = r."videoId" where not v.remote and r."sealedKey" is not null
     on conflict do nothing returning 1`
  ]
}

const liveSessions: MovingStep = {
  name: "videoLiveSession",
  table: "videoLiveSession",
  columns: {
    ...{ id: "integer", startDate: "timestamptz", endDate: "timestamptz", error: "integer", saveReplay: "boolean" },
    ...{ endingProcessed: "boolean", replayVideoId: "integer", liveVideoId: "integer", replaySettingId: "integer" },
    ...times
  },
  write: (rows) => [
    `insert into live_session (id, video_id, holder, started_at, ended_at, error, save_replay, ending_processed, replay_video_id)
       overriding system value
     select r.id, v.id, '', r."startDate", coalesce(r."endDate", r."updatedAt", r."startDate"),
       case when r.error between 1 and 9 then r.error end, coalesce(r."saveReplay", false), true, p.id
     from ${rows} join video v on v.id = r."liveVideoId" left join video p on p.id = r."replayVideoId"
     where not v.remote on conflict do nothing returning 1`
  ]
}

const views: MovingStep = {
  name: "videoView",
  table: "videoView",
  columns: {
    ...{ id: "integer", startDate: "timestamptz", endDate: "timestamptz", views: "integer", videoId: "integer" },
    createdAt: "timestamptz"
  },
  write: (rows) => [
    `insert into video_view_day as d (video_id, day, views)
     select v.id, (r."startDate" at time zone 'UTC')::date, sum(r.views) from ${rows} join video v on v.id = r."videoId"
     where r.views > 0 group by 1, 2 on conflict (video_id, day) do update set views = d.views + excluded.views returning 1`,
    `select 1 from ${rows} join video v on v.id = r."videoId" where r.views >= 0`
  ]
}

const viewers: MovingStep = {
  name: "localVideoViewer",
  table: "localVideoViewer",
  columns: {
    ...{ id: "integer", startDate: "timestamptz", endDate: "timestamptz", watchTime: "integer", videoId: "integer" },
    createdAt: "timestamptz"
  },
  added: { sections: "jsonb" },
  dropped: ["country", "subdivisionName", "uuid", "url"],
  select: {
    tables: ["localVideoViewer", "localVideoViewerWatchSection"],
    text: `select l.*, (
        select jsonb_agg(jsonb_build_array(s."watchStart", s."watchEnd")) from public."localVideoViewerWatchSection" s
        where s."localVideoViewerId" = l.id
      ) as sections from public."localVideoViewer" l`
  },
  write: (rows) => [
    `insert into video_viewing (video_id, started_at, seen_at, position, sought, watch_time, watched, counted_at, applied)
     select v.id, r."startDate", coalesce(r."endDate", r."startDate"), 0, false, greatest(coalesce(r."watchTime", 0), 0),
       coalesce((
         select range_agg(int4range((s ->> 0)::integer, (s ->> 1)::integer)) from jsonb_array_elements(r.sections) s
         where (s ->> 0)::integer < (s ->> 1)::integer
       ), '{}'), r."createdAt", true
     from ${rows} join video v on v.id = r."videoId" returning 1`
  ]
}

const shares: MovingStep = {
  name: "videoShare",
  table: "videoShare",
  columns: { id: "integer", url: "text", actorId: "integer", videoId: "integer", ...times },
  write: (rows) => [
    `insert into video_share (id, actor_id, video_id, url, created_at) overriding system value
     select r.id, a.id, v.id, r.url, r."createdAt" from ${rows} join actor a on a.id = r."actorId" join video v on v.id = r."videoId"
     on conflict do nothing returning 1`
  ]
}

export const videoSteps: ReadonlyArray<MovingStep> = [
  ...[videos, tags, passwords, schedules, blocks, chapters, lives, liveSessions, views, viewers, shares]
]
