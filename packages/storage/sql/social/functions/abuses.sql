-- Reports to the moderators.

-- Writes a report of something of ours: a video, a comment below a video of ours or by somebody of ours, an account or
-- a channel, by its address. Null: there is no such thing, or this was reported already, by the same activity or often
-- enough by now.
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
