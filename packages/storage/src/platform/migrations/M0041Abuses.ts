/**
 * Reports to the moderators: one row for each thing somebody reported. What it was is written down, since moderators judge what was
 * reported, also when it is gone by then.
 */
export const M0041Abuses = `
create table abuse (
  id integer generated always as identity primary key,
  -- Contract AbuseState: pending, rejected, accepted.
  state smallint not null default 1 check (state between 1 and 3),
  reason text not null,
  -- Contract AbusePredefinedReason.
  predefined_reasons smallint[] not null default '{}',
  moderation_comment text,
  -- When it was first decided.
  processed_at timestamptz,
  reporter_account_id integer references account (id) on delete set null,
  -- Whose the reported thing is; of an account, the account itself.
  flagged_account_id integer references account (id) on delete set null,
  kind text not null check (kind in ('video', 'comment', 'account')),
  video_id integer references video (id) on delete set null,
  comment_id integer references video_comment (id) on delete set null,
  -- Seconds of the video it is about.
  start_at integer check (start_at >= 0),
  end_at integer check (end_at >= 0),
  -- What it was when it was reported: id, uuid, name, nsfw and channelId of a video; id, threadId, text and videoId of a comment, with
  -- that video's uuid and name; id, name and displayName of an account, and the channel where that was named.
  target jsonb not null,
  -- Id of the activity it came with; null: it was reported here.
  url text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (kind = 'video' or (start_at is null and end_at is null))
);
-- The same activity once more reports nothing anew.
create unique index abuse_url on abuse (url, kind, (target ->> 'id')) where url is not null;
create index abuse_list on abuse (created_at desc, id desc);
create index abuse_pending on abuse (id) where state = 1;
create index abuse_reporter on abuse (reporter_account_id, created_at) where reporter_account_id is not null;
create index abuse_flagged on abuse (flagged_account_id) where flagged_account_id is not null;
create index abuse_video on abuse (video_id) where video_id is not null;
create index abuse_comment on abuse (comment_id) where comment_id is not null;

-- Writes a report of something of ours: a video, a comment below a video of ours or by somebody of ours, an account or a channel, by
-- its address. Null: there is no such thing, or this was reported already, by the same activity or often enough by now.
create function add_abuse(
  of_reporter integer, activity text, of_target text, of_reason text, reasons smallint[], from_second integer,
  to_second integer, most_pending integer
) returns integer language plpgsql as $$
declare
  found_kind text;
  flagged integer;
  of_video integer;
  of_comment integer;
  what jsonb;
  made integer;
begin
  perform 1 from account where id = of_reporter for key share;
  if not found then return null; end if;
  select 'video', v.account_id, v.id, null::integer, jsonb_build_object('id', v.id, 'uuid', v.uuid, 'name', v.name,
      'nsfw', v.nsfw, 'channelId', v.channel_id)
    into found_kind, flagged, of_video, of_comment, what
    from video v where v.url = of_target and not v.remote and video_is_federated(v.id) for key share of v;
  if not found then
    select 'comment', c.account_id, null::integer, c.id, jsonb_build_object('id', c.id,
        'threadId', coalesce(c.origin_comment_id, c.id), 'text', c.text, 'videoId', v.id, 'uuid', v.uuid, 'name', v.name)
      into found_kind, flagged, of_video, of_comment, what
      from video_comment c join video v on v.id = c.video_id
      where c.url = of_target and c.deleted_at is null and (c.server_id is null or (not v.remote and video_is_federated(v.id)))
      for key share of c;
  end if;
  if found_kind is null then
    select 'account', o.id, jsonb_strip_nulls(jsonb_build_object('id', o.id, 'name', u.preferred_username,
        'displayName', o.display_name, 'channel', case when h.id is not null then a.preferred_username end))
      into found_kind, flagged, what
      from actor a left join video_channel h on h.actor_id = a.id
        join account o on o.id = h.account_id or o.actor_id = a.id join actor u on u.id = o.actor_id
      where a.url = of_target and a.server_id is null and a.type <> 'Application' for key share of o;
  end if;
  if found_kind is null then return null; end if;
  if most_pending <= (
    select count(*) from abuse a where a.reporter_account_id = of_reporter and a.state = 1 and a.kind = found_kind
      and a.target ->> 'id' = what ->> 'id'
  ) then return null; end if;
  insert into abuse (reason, predefined_reasons, reporter_account_id, flagged_account_id, kind, video_id, comment_id,
      start_at, end_at, target, url)
    values (of_reason, reasons, of_reporter, flagged, found_kind, of_video, of_comment,
      case when found_kind = 'video' then from_second end, case when found_kind = 'video' then to_second end, what, activity)
    on conflict do nothing returning id into made;
  return made;
end $$;

alter table user_notification add column abuse_id integer references abuse (id) on delete cascade;
create index user_notification_abuse on user_notification (abuse_id) where abuse_id is not null;

-- What a report is about, where it is told of (contract: Notification, its member abuse).
create function wire_abuse_info(of_abuse integer) returns jsonb language sql stable as $$
  select jsonb_strip_nulls(jsonb_build_object('id', a.id, 'state', a.state, 'video', wire_video_info(a.video_id),
    'comment', (select jsonb_build_object('id', c.id, 'threadId', coalesce(c.origin_comment_id, c.id),
        'video', wire_video_info(c.video_id))
      from video_comment c where c.id = a.comment_id and c.deleted_at is null),
    'account', case when a.kind = 'account' then wire_account_info(a.flagged_account_id) end))
  from abuse a where a.id = of_abuse
$$;

alter function wire_notification_subject(user_notification) rename to wire_notification_about;

create function wire_notification_subject(n user_notification) returns jsonb language sql stable as $$
  select wire_notification_about(n) || case when n.abuse_id is null then '{}'::jsonb
    else jsonb_build_object('abuse', wire_abuse_info(n.abuse_id)) end
$$;
`
