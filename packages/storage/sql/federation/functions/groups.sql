-- Channels pass on what is said below their videos (FEP-1b12), when the instance is configured so.
--
-- Servers of groups (Lemmy and its like) take what others do in a group from the group alone; all others know nothing
-- of activities that are announced. So each inbox gets one of both and never both: what was to be delivered to an inbox
-- of a server of groups becomes the Announce.

create function announces_conversations() returns boolean language sql stable as $$
  select coalesce((select (value #>> '{}')::boolean from instance_setting where key = 'announceConversations'), false)
$$;

create function is_group_software(name text) returns boolean language sql immutable as
$$ select coalesce(lower(name) in ('lemmy', 'piefed', 'mbin', 'kbin', 'lotide', 'sublinks'), false) $$;

-- Inboxes of followers of a channel on servers of groups.
create function group_inboxes(of_channel_actor integer) returns text[] language sql stable as $$
  select coalesce(array_agg(distinct coalesce(a.shared_inbox_url, a.inbox_url)), '{}')
  from actor_follow f join actor a on a.id = f.actor_id join server s on s.id = a.server_id
  where f.target_actor_id = of_channel_actor and f.follower_remote and f.state = 'accepted' and is_group_software(s.software)
$$;

-- Announces something that was done below a public video of ours, once, to the servers of groups that follow its
-- channel but not back to where it came from (besides). payload: the activity, or the address of a comment. replaced:
-- an activity that goes there no more on its own.
create function pass_on(
  of_video integer, of_uri text, payload jsonb, of_thing text, of_lane smallint, replaced bigint default null,
  besides text default null
) returns void language plpgsql as $$
declare
  channel actor;
  groups text[];
  new_id bigint;
begin
  if not federation_setting('enabled', true) then return; end if;
  select a.* into channel from video v join video_channel c on c.id = v.channel_id join actor a on a.id = c.actor_id
    where v.id = of_video and not v.remote and v.privacy = 1 and video_is_known(v.id);
  if not found then return; end if;
  groups := group_inboxes(channel.id);
  if cardinality(groups) = 0 then return; end if;
  insert into activity (uri, type, actor_id, sender, body, context, thing) values (
    channel.url || '/announces/' || md5(of_uri), 'Announce', channel.id, channel.url,
    public_audience('{}', array[coalesce(channel.followers_url, channel.url || '/followers')]) || jsonb_build_object(
      'type', 'Announce', 'id', channel.url || '/announces/' || md5(of_uri), 'actor', channel.url,
      -- The context of all is that of the Announce; a signature would be of other words.
      'object', case jsonb_typeof(payload) when 'object' then payload - '@context' - 'signature' - '@original' else payload end
    ),
    'Comment', of_thing
  ) on conflict (uri) do nothing returning id into new_id;
  if new_id is not null then
    perform queue_deliveries(new_id, of_lane, '{}', groups, besides);
    -- It is there for nobody.
    delete from activity a where a.id = new_id and not activity_waits(new_id);
  end if;
  if replaced is not null then
    update delivery_fanout f set inboxes = array(select i from unnest(f.inboxes) i where i <> all(groups))
      where f.activity_id = replaced and f.inboxes && groups;
    delete from delivery where activity_id = replaced and inbox_url = any(groups);
  end if;
end $$;

-- What goes out about comments below videos of ours, whoever sends it: see above which inboxes get it as an Announce.
create function comment_activity_announced() returns trigger language plpgsql as $$
declare
  told jsonb;
  about text;
  subject record;
begin
  if not announces_conversations() then return null; end if;
  told := case when new.forwarded then new.document::jsonb else new.body end;
  about := coalesce(told -> 'object' ->> 'id', told ->> 'object');
  select c.url, c.video_id, c.held_for_review, c.deleted_at into subject from video_comment c join video v on v.id = c.video_id
    where c.url = about and not v.remote;
  if not found or subject.held_for_review or subject.deleted_at is not null then return null; end if;
  perform pass_on(
    subject.video_id, new.uri, told, subject.url, 1::smallint, new.id, case when new.forwarded then inbox_host(new.uri) end
  );
  return null;
end $$;

-- What is left of a comment may be nothing by the end of the transaction. Runs after comment_deleted: triggers run by
-- name.
create function comment_delete_announced() returns trigger language plpgsql as $$
declare
  told activity;
begin
  if not announces_conversations() or exists (select from video where id = old.video_id and remote) then return null; end if;
  select * into told from activity
    where uri in (comment_delete_uri(old), (activity_applied_now()).uri) and type = 'Delete' order by id desc limit 1;
  if found then
    perform pass_on(
      old.video_id, told.uri, case when told.forwarded then told.document::jsonb else told.body end, old.url, 1::smallint,
      told.id, case when told.forwarded then inbox_host(told.uri) end
    );
  end if;
  return null;
end $$;

-- What others say below videos of ours cannot always be sent on as it came; as the word of the channel it can. Where
-- what came was something else than their activity, the channel points to the comment.
create function comment_passed_on() returns trigger language plpgsql as $$
declare
  came inbox_activity;
  host text;
begin
  if not announces_conversations() or exists (select from video where id = new.video_id and remote) then return null; end if;
  -- A comment that is sent is written before its activity counts as applied.
  came := case when tg_op = 'INSERT' then create_that_came(new.url, new.server_id)
    else update_that_came(new.url, new.server_id) end;
  select s.host::text into host from server s where s.id = new.server_id;
  if came.object = new.url and came.type in ('Create', 'Update') then
    perform pass_on(
      new.video_id, came.uri, coalesce((came.body ->> '@original')::jsonb, came.body), new.url, 1::smallint, null, host
    );
  elsif tg_op = 'INSERT' or old.held_for_review then
    perform pass_on(new.video_id, new.url, to_jsonb(new.url), new.url, 1::smallint, null, host);
  end if;
  return null;
end $$;

-- Ratings of videos of ours by users of ours: those of others come by the thousand, and are in the counts of the video.
create function rate_passed_on() returns trigger language plpgsql as $$
declare
  r account_video_rate := case when tg_op = 'DELETE' then old else new end;
  rater actor;
  address text;
  told jsonb;
begin
  if not announces_conversations() or (tg_op = 'UPDATE' and old.type = new.type) then return null; end if;
  select a.* into rater from account o join actor a on a.id = o.actor_id where o.id = r.account_id and a.server_id is null;
  select url into address from video where id = r.video_id and not remote;
  if rater.id is null or address is null then return null; end if;
  -- Others take a known id for a known rating.
  told := jsonb_build_object('type', initcap(r.type), 'actor', rater.url, 'object', address, 'id',
    rater.url || '/' || r.type || 's/' || r.video_id || '#' || (extract(epoch from r.created_at) * 1000000)::bigint)
    || public_audience('{}', '{}');
  if tg_op = 'DELETE' then
    told := jsonb_build_object('type', 'Undo', 'id', (told ->> 'id') || '/undo', 'actor', rater.url, 'object', told)
      || public_audience('{}', '{}');
  end if;
  perform pass_on(r.video_id, told ->> 'id', told, rater.url || ' ' || address, 2::smallint);
  return null;
end $$;
