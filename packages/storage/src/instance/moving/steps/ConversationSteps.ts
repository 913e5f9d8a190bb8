import { type MovingStep, times } from "./MovingStep.ts"

const ratings: MovingStep = {
  name: "accountVideoRate",
  table: "accountVideoRate",
  columns: { id: "integer", type: "text", url: "text", videoId: "integer", accountId: "integer", ...times },
  write: (rows) => [
    `insert into account_video_rate (account_id, video_id, type, url, created_at, updated_at)
     select a.id, v.id, r.type, r.url, r."createdAt", r."updatedAt"
     from ${rows} join account a on a.id = r."accountId" join video v on v.id = r."videoId" on conflict do nothing returning 1`
  ]
}

/** Those that begin a thread come first: what is fetched from elsewhere is not always in the order of its ids. */
const comments: MovingStep = {
  name: "videoComment",
  table: "videoComment",
  key: ["isReply", "id"],
  added: { isReply: "integer" },
  select: {
    tables: ["videoComment"],
    text: `select c.*, ("originCommentId" is not null)::integer as "isReply" from public."videoComment" c`
  },
  columns: {
    ...{ id: "integer", deletedAt: "timestamptz", url: "text", text: "text", heldForReview: "boolean" },
    ...{ replyApproval: "text", originCommentId: "integer", inReplyToCommentId: "integer", videoId: "integer" },
    ...{ accountId: "integer", ...times }
  },
  write: (rows) => [
    `insert into video_comment (id, url, video_id, account_id, server_id, origin_comment_id, in_reply_to_comment_id, text,
       held_for_review, deleted_at, reply_approval_url, shown, created_at, updated_at)
     select r.id, r.url, v.id, a.id, c.server_id, r."originCommentId", r."inReplyToCommentId",
       case when r."deletedAt" is null then coalesce(r.text, '') else '' end,
       coalesce(r."heldForReview", false) and r."deletedAt" is null, r."deletedAt", r."replyApproval",
       not coalesce(r."heldForReview", false) or r."deletedAt" is not null, r."createdAt", r."updatedAt"
     from ${rows} join video v on v.id = r."videoId"
       left join account a on a.id = r."accountId" and r."deletedAt" is null left join actor c on c.id = a.actor_id
     where a.id is not null or r."deletedAt" is not null
     on conflict do nothing returning 1`
  ]
}

const follows: MovingStep = {
  name: "actorFollow",
  table: "actorFollow",
  columns: {
    ...{ id: "integer", state: "text", score: "integer", url: "text", actorId: "integer", targetActorId: "integer" },
    ...times
  },
  write: (rows) => [
    `insert into actor_follow (id, actor_id, target_actor_id, state, score, url, created_at, updated_at) overriding system value
     select r.id, a.id, t.id, r.state, coalesce(r.score, 1000), r.url, r."createdAt", r."updatedAt"
     from ${rows} join actor a on a.id = r."actorId" join actor t on t.id = r."targetActorId" on conflict do nothing returning 1`
  ]
}

const reports: MovingStep = {
  name: "abuse",
  table: "abuse",
  columns: {
    ...{ id: "integer", reason: "text", state: "integer", moderationComment: "text", predefinedReasons: "smallint[]" },
    ...{ processedAt: "timestamptz", reporterAccountId: "integer", flaggedAccountId: "integer", ...times }
  },
  added: {
    ...{ videoAbuse: "integer", commentAbuse: "integer", startAt: "integer", endAt: "integer", deletedVideo: "jsonb" },
    ...{ videoId: "integer", videoCommentId: "integer" }
  },
  select: {
    tables: ["abuse", "videoAbuse", "commentAbuse"],
    text: `select a.*, v.id as "videoAbuse", c.id as "commentAbuse", v."startAt", v."endAt", v."deletedVideo", v."videoId",
        c."videoCommentId"
      from public.abuse a left join public."videoAbuse" v on v."abuseId" = a.id
        left join public."commentAbuse" c on c."abuseId" = a.id`
  },
  write: (rows) => [
    `insert into abuse (id, state, reason, predefined_reasons, moderation_comment, processed_at, reporter_account_id,
       flagged_account_id, kind, video_id, comment_id, start_at, end_at, target, created_at, updated_at) overriding system value
     select r.id, r.state, r.reason, coalesce(r."predefinedReasons", '{}'), r."moderationComment", r."processedAt", w.id, f.id,
       k.kind, v.id, c.id, case when k.kind = 'video' then r."startAt" end, case when k.kind = 'video' then r."endAt" end,
       case k.kind
         when 'comment' then jsonb_build_object('id', coalesce(c.id, 0), 'threadId', coalesce(c.origin_comment_id, c.id, 0),
           'text', coalesce(c.text, ''), 'videoId', coalesce(cv.id, 0), 'uuid', coalesce(cv.uuid, gen_random_uuid()),
           'name', coalesce(cv.name, ''))
         when 'video' then jsonb_build_object('id', coalesce(v.id, (r."deletedVideo" ->> 'id')::integer, 0),
           'uuid', coalesce(v.uuid::text, r."deletedVideo" ->> 'uuid', gen_random_uuid()::text),
           'name', coalesce(v.name, r."deletedVideo" ->> 'name', ''),
           'nsfw', coalesce(v.nsfw, (r."deletedVideo" ->> 'nsfw')::boolean, false),
           'channelId', coalesce(v.channel_id, (r."deletedVideo" #>> '{channel,id}')::integer, 0))
         else jsonb_build_object('id', coalesce(f.id, 0), 'name', coalesce(fa.preferred_username::text, ''),
           'displayName', coalesce(f.display_name, ''))
       end, r."createdAt", r."updatedAt"
     from ${rows}
       cross join lateral (select case when r."commentAbuse" is not null then 'comment' when r."videoAbuse" is not null
         then 'video' else 'account' end as kind) k
       left join account w on w.id = r."reporterAccountId" left join account f on f.id = r."flaggedAccountId"
       left join actor fa on fa.id = f.actor_id left join video v on v.id = r."videoId"
       left join video_comment c on c.id = r."videoCommentId" left join video cv on cv.id = c.video_id
     on conflict do nothing returning 1`
  ]
}

const reportMessages: MovingStep = {
  name: "abuseMessage",
  table: "abuseMessage",
  columns: {
    id: "integer",
    message: "text",
    byModerator: "boolean",
    accountId: "integer",
    abuseId: "integer",
    ...times
  },
  write: (rows) => [
    `insert into abuse_message (id, abuse_id, account_id, by_moderator, message, created_at) overriding system value
     select r.id, b.id, a.id, r."byModerator", r.message, r."createdAt"
     from ${rows} join abuse b on b.id = r."abuseId" left join account a on a.id = r."accountId" on conflict do nothing returning 1`
  ]
}

const watchedWords: MovingStep = {
  name: "watchedWordsList",
  table: "watchedWordsList",
  columns: { id: "integer", listName: "text", words: "text[]", accountId: "integer", ...times },
  write: (rows) => [
    `insert into watched_words_list (id, account_id, name, words, created_at, updated_at) overriding system value
     select r.id, a.id, r."listName", r.words, r."createdAt", r."updatedAt" from ${rows} join account a on a.id = r."accountId"
     on conflict do nothing returning 1`
  ]
}

/** Rows that name an automatic tag. */
const tagged = (table: string, key: string) => ({
  key: [key, "automaticTagId", "accountId"],
  columns: { [key]: "integer", automaticTagId: "integer", accountId: "integer", ...times } as const,
  added: { tagName: "text" } as const,
  select: {
    tables: [table, "automaticTag"],
    text: `select l.*, t.name as "tagName" from public."${table}" l join public."automaticTag" t on t.id = l."automaticTagId"`
  }
})

const videoTags: MovingStep = {
  name: "videoAutomaticTag",
  table: "videoAutomaticTag",
  ...tagged("videoAutomaticTag", "videoId"),
  write: (rows) => [
    `insert into video_automatic_tag (video_id, account_id, name) select v.id, a.id, r."tagName"
     from ${rows} join video v on v.id = r."videoId" join account a on a.id = r."accountId" where r."tagName" is not null
     on conflict do nothing returning 1`
  ]
}

const commentTags: MovingStep = {
  name: "commentAutomaticTag",
  table: "commentAutomaticTag",
  ...tagged("commentAutomaticTag", "commentId"),
  write: (rows) => [
    `insert into comment_automatic_tag (comment_id, account_id, name) select c.id, a.id, r."tagName"
     from ${rows} join video_comment c on c.id = r."commentId" join account a on a.id = r."accountId"
     where r."tagName" is not null on conflict do nothing returning 1`
  ]
}

const tagPolicies: MovingStep = {
  name: "accountAutomaticTagPolicy",
  table: "accountAutomaticTagPolicy",
  columns: { id: "integer", policy: "integer", accountId: "integer", automaticTagId: "integer", ...times },
  added: { tagName: "text" },
  select: tagged("accountAutomaticTagPolicy", "id").select,
  write: (rows) => [
    `insert into automatic_tag_policy (account_id, policy, name) select a.id, r.policy, r."tagName"
     from ${rows} join account a on a.id = r."accountId" where r.policy in (2, 3) and r."tagName" is not null
     on conflict do nothing returning 1`
  ]
}

export const conversationSteps: ReadonlyArray<MovingStep> = [
  ...[ratings, comments, follows, reports, reportMessages, watchedWords, videoTags, commentTags, tagPolicies]
]
