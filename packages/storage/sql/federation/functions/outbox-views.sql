-- What goes out about how videos are seen.

-- Ratings are sent soon, views when there is time.
create function video_counted() returns trigger language plpgsql as $$
declare
  at constant timestamptz := now()
    + case when old.likes <> new.likes or old.dislikes <> new.dislikes then interval '5 seconds' else interval '1 hour' end;
begin
  if somebody_listens() and has_remote_followers(video_followed(new.id)) then
    insert into video_recount as r (video_id, due) values (new.id, at)
      on conflict (video_id) do update set due = excluded.due where r.due > excluded.due;
  end if;
  return null;
end $$;

-- Marks videos whose counters are due to be sent; answers how many.
create function mark_recounted(most integer) returns integer language plpgsql as $$
declare
  due_now constant integer[] := array(
    select video_id from video_recount where due <= now() order by due limit most for update skip locked
  );
begin
  delete from video_recount where video_id = any(due_now);
  perform mark_change('video', id, '{"before": {"open": true}, "after": {"recounted": true}}') from unnest(due_now) id;
  return cardinality(due_now);
end $$;

-- Tells the instance of a video what somebody here did with it. While a host does not answer there is no point in
-- collecting more.
create function tell_video_origin(of_video integer, of_uri text, of_type text, of_object jsonb, of_context text) returns void
language plpgsql as $$
declare
  target record;
begin
  select v.url, inbox_of(c.actor_id) as inbox, owner.url as owner_url into target
    from video v join video_channel c on c.id = v.channel_id join account w on w.id = v.account_id
      join actor owner on owner.id = w.actor_id
    where v.id = of_video and v.remote;
  if not found or (
    select count(*) from (select from delivery where host = inbox_host(target.inbox) and lane = 3 limit 100) d
  ) >= 100 then return; end if;
  perform send_activity(
    of_uri, of_type, instance_actor(), coalesce(of_object || jsonb_build_object('object', target.url), to_jsonb(target.url))::text,
    3::smallint, '{}', array[target.inbox], public_audience(array[target.owner_url], '{}'), of_context
  );
end $$;

-- One activity a view, as it is counted there.
create function tell_view(of_video integer) returns void language sql as $$
  select tell_video_origin(
    of_video, (select url from actor where id = instance_actor()) || '/views/videos/' || of_video || '/' || gen_random_uuid(),
    'View', null, 'View'
  )
$$;

-- What of it was watched, once somebody has left.
create function viewing_ended() returns trigger language plpgsql as $$
declare
  action uuid := gen_random_uuid();
begin
  if not exists (select from video where id = new.video_id and remote) then return null; end if;
  if new.watch_time > 0 then
    perform tell_video_origin(
      new.video_id, wire_origin() || '/videos/local-viewer/' || action || '/activity', 'Create',
      jsonb_build_object(
        'type', 'WatchAction', 'id', wire_origin() || '/videos/local-viewer/' || action, 'uuid', action,
        'startTime', wire_time(new.started_at), 'endTime', wire_time(new.seen_at),
        'actionStatus', 'CompletedActionStatus', 'duration', 'PT' || new.watch_time || 'S',
        'watchSections', coalesce((
          select jsonb_agg(jsonb_build_object('startTimestamp', lower(r), 'endTimestamp', upper(r) - 1)) from unnest(new.watched) r
        ), '[]')
      ), 'WatchAction'
    );
  end if;
  if new.counted_at is null or new.applied then delete from video_viewing where id = new.id; end if;
  return null;
end $$;

-- Tells that something is true until a time. What was said of it before and is not sent yet needs not be sent any more;
-- and nothing else about the video waits for it. Answers how many it goes to.
create function send_viewers(
  of_uri text, video_url text, until text, viewers integer, followed integer[], inboxes text[], audience jsonb
) returns integer language plpgsql as $$
declare
  sent bigint;
begin
  -- What somebody writes off at this moment is not waited for, what somebody expands is.
  perform from delivery_fanout f join activity a on a.id = f.activity_id where a.uri = of_uri for update of f;
  delete from delivery where id in (
    select d.id from delivery d where d.activity_id = (select id from activity where uri = of_uri) for update skip locked
  );
  delete from activity where uri = of_uri;
  sent := send_activity(
    of_uri, 'View', instance_actor(), to_json(video_url)::text, 3::smallint, followed, inboxes,
    audience || jsonb_build_object('expires', until) || case when viewers is null then '{}'
      else jsonb_build_object('result', jsonb_build_object(
        'type', 'InteractionCounter', 'interactionType', 'WatchAction', 'userInteractionCount', viewers)) end,
    'View', of_uri
  );
  return (select count(*) from delivery where activity_id = sent)
    + coalesce((select cardinality(f.inboxes) from delivery_fanout f where f.activity_id = sent), 0);
end $$;

-- Who watches now: how many a video of ours has is sent to who follows it, and each viewer of a video elsewhere, by a
-- hash that identifies nobody, to its instance. Said again before it ends. At most so many deliveries, for the videos
-- that have the most viewers; answers how many those were.
create function tell_viewers(within_seconds float8, most integer) returns integer language plpgsql as $$
declare
  instance actor;
  v record;
  told integer := 0;
  until constant text := wire_time(clock_timestamp() + interval '150 seconds');
begin
  if not federation_setting('enabled', true) or not pg_try_advisory_xact_lock(1986618213) then return 0; end if;
  select * into instance from actor where id = instance_actor();
  if somebody_listens() then
    for v in
      select w.id, w.url, w.uuid, n.viewers + n.remote as viewers, w.privacy, array[c.actor_id, instance.id] as followed
      from video_viewers n join video w on w.id = n.video_id join video_channel c on c.id = w.channel_id
      where n.viewers + n.remote > 0 and not w.remote and video_is_pushed(w.id)
      order by n.viewers + n.remote desc, w.id limit 200
    loop
      exit when told >= most;
      told := told + send_viewers(
        instance.url || '/views/videos/' || v.id || '/' || v.uuid, v.url, until, v.viewers, v.followed, '{}',
        jsonb_build_object('cc', '[]'::jsonb,
          'to', to_jsonb(case when v.privacy = 1 then array[ap_public()] else '{}' end || followers_urls(v.followed)))
      );
    end loop;
  end if;
  for v in
    select w.id, w.url, w.uuid, g.viewer, inbox_of(c.actor_id) as inbox, owner.url as owner_url
    from video_viewing g join video w on w.id = g.video_id and w.remote join video_channel c on c.id = w.channel_id
      join account o on o.id = w.account_id join actor owner on owner.id = o.actor_id
    where g.viewer is not null and g.seen_at > now() - within_seconds * interval '1 second'
    order by g.seen_at desc limit 1000
  loop
    exit when told >= most;
    told := told + send_viewers(
      instance.url || '/views/videos/' || v.id || '/' || encode(sha256(v.viewer), 'hex') || '-' || v.uuid, v.url, until,
      null, '{}', array[v.inbox], public_audience(array[v.owner_url], '{}')
    );
  end loop;
  return told;
end $$;
