/** Part of M0037: what is told of videos, and of how they are seen and rated. */
export const videoActivities = `
-- What others were told of a video last. The digest is of all that is told but counters.
create table video_told (
  video_id integer primary key references video (id) on delete cascade,
  announced boolean not null,
  times integer not null default 1,
  channel_actor_id integer not null,
  account_actor_id integer not null,
  -- Former channels and owners, whose followers have it too.
  former integer[] not null default '{}',
  digest bytea
);
-- Videos whose counters have moved: they are told at intervals, however many there are.
create table video_recount (
  video_id integer primary key references video (id) on delete cascade,
  due timestamptz not null
);
create index video_recount_due on video_recount (due);

-- Whether others are told of a video without asking. What moderators took away is not told anew; the copies others have
-- may stay.
create function video_is_pushed(of_video integer) returns boolean language sql stable as $$
  select case when v.privacy = 1 or (v.privacy = 2 and federation_setting('federateUnlisted', false)) then
      case when coalesce(t.announced, false) then video_is_federated(v.id) else video_is_dereferenced(v.id) end
    else false end
  from video v left join video_told t on t.video_id = v.id where v.id = of_video
$$;

-- Whose followers hear of a video: those of its channel, of its account and of the instance.
create function video_followed(of_video integer) returns integer[] language sql stable as $$
  select array[c.actor_id, a.actor_id, instance_actor()]
  from video v join video_channel c on c.id = v.channel_id join account a on a.id = v.account_id where v.id = of_video
$$;

create function followers_urls(actors integer[]) returns text[] language sql stable as $$
  select coalesce(array_agg(coalesce(a.followers_url, a.url || '/followers') order by u.n), '{}')
  from unnest(actors) with ordinality u (id, n) join actor a on a.id = u.id
$$;

-- Whether nothing but its state keeps a video from others: it is being transcoded anew, edited or moved, and comes back.
-- What they have of it stays until then.
create function video_only_works(of_video integer) returns boolean language sql stable as $$
  select v.state not in (1, 4, 5) and (v.privacy = 1 or (v.privacy = 2 and federation_setting('federateUnlisted', false)))
    and not exists (select from video_blacklist b where b.video_id = v.id and b.unfederated)
  from video v where v.id = of_video
$$;

create function send_video_announce(of_video integer, video_url text, of_actor integer, followed integer[], times integer)
returns void language plpgsql as $$
begin
  perform send_activity(
    video_url || '/announces/' || of_actor || case when times > 1 then '#' || times else '' end, 'Announce', of_actor,
    to_json(video_url)::text, 1::smallint, array[of_actor], '{}', public_audience(followers_urls(followed), '{}')
  );
end $$;

create function send_video_delete(video_url text, times integer, sender integer, followed integer[]) returns void
language plpgsql as $$
begin
  perform send_activity(
    video_url || '/delete' || case when times > 1 then '#' || times else '' end, 'Delete', sender, to_json(video_url)::text,
    1::smallint, followed, '{}', public_audience(followers_urls(followed), '{}')
  );
end $$;

-- Tells of a video as it is now whatever others do not know yet. was: whether it was for everybody before the
-- transaction; recounted: its counters are told, too.
create function tell_video(of_video integer, was boolean, recounted boolean) returns void language plpgsql as $$
declare
  v video;
  told video_told;
  is_told boolean;
  pushed boolean;
  by_account integer;
  by_channel integer;
  followed integer[];
  body text;
  now_digest bytea;
begin
  if not federation_setting('enabled', true) then return; end if;
  select * into v from video where id = of_video and not remote;
  if not found then return; end if;
  select * into told from video_told where video_id = v.id;
  is_told := found;
  followed := video_followed(v.id);
  if is_told then followed := followed || told.account_actor_id || told.channel_actor_id || told.former; end if;
  if not has_remote_followers(followed) then
    -- Whoever comes later asks for what there is, and must be told when it goes.
    delete from video_told where video_id = v.id;
    return;
  end if;
  -- Two that change parts of one video take turns here, so that the latter sees what both have made of it.
  perform 1 from video where id = v.id for no key update;
  select * into v from video where id = of_video;
  select * into told from video_told where video_id = v.id;
  is_told := found;
  pushed := video_is_pushed(v.id);
  by_channel := followed[1];
  by_account := followed[2];
  if not pushed then
    if video_only_works(v.id) then return; end if;
    if (is_told and told.announced) or (not is_told and was) then
      perform send_video_delete(v.url, coalesce(told.times, 1), by_account, followed);
    end if;
    if is_told then update video_told set announced = false, digest = null where video_id = v.id; end if;
    return;
  end if;
  -- What moderators hide without taking it from others is not talked about.
  if not video_is_dereferenced(v.id) then return; end if;
  body := ap_video(v.id);
  now_digest := sha256(convert_to(
    (body::jsonb - array['updated', 'views', 'downloads'])::text || coalesce(ap_chapters(v.id), '') || v.player_theme, 'UTF8'
  ));
  if (is_told and told.announced) or (not is_told and was) then
    if is_told and told.channel_actor_id <> by_channel then
      perform send_activity(
        v.url || '/announces/' || told.channel_actor_id || '/undo' || case when told.times > 1 then '#' || told.times else '' end,
        'Undo', told.channel_actor_id,
        (jsonb_build_object('type', 'Announce', 'id', v.url || '/announces/' || told.channel_actor_id
            || case when told.times > 1 then '#' || told.times else '' end,
          'actor', (select url from actor where id = told.channel_actor_id), 'object', v.url)
          || public_audience('{}', '{}'))::text,
        1::smallint, array[told.channel_actor_id], '{}', public_audience('{}', '{}'), 'Base', v.url
      );
      perform send_video_announce(v.id, v.url, by_channel, followed[1:3], told.times);
    end if;
    if recounted or told.digest is distinct from now_digest then
      perform send_activity(
        v.url || '/updates/' || wire_time(clock_timestamp()), 'Update', by_account, body, 1::smallint, followed, '{}',
        null, 'Video'
      );
    end if;
  else
    perform send_activity(
      v.url || '/activity' || case when is_told then '#' || told.times + 1 else '' end, 'Create', by_account, body,
      1::smallint, array[by_account], '{}', null, 'Video'
    );
    perform send_video_announce(v.id, v.url, by_channel, followed[1:3], coalesce(told.times, 0) + 1);
    perform send_video_announce(v.id, v.url, instance_actor(), followed[1:3], coalesce(told.times, 0) + 1);
  end if;
  insert into video_told as t (video_id, announced, channel_actor_id, account_actor_id, digest)
    values (v.id, true, by_channel, by_account, now_digest)
    on conflict (video_id) do update set announced = true, channel_actor_id = excluded.channel_actor_id,
      account_actor_id = excluded.account_actor_id, digest = excluded.digest,
      former = array(
        select distinct u from unnest(t.former || t.channel_actor_id || t.account_actor_id) u
        where u not in (excluded.channel_actor_id, excluded.account_actor_id)
      ),
      times = t.times + (not t.announced)::integer;
end $$;

create function video_begun() returns trigger language plpgsql as $$
begin
  if not somebody_listens() then return null; end if;
  if not outbox_again('video', new.id) then perform tell_video(new.id, false, false); end if;
  return null;
end $$;
create constraint trigger video_begun after insert on video deferrable initially deferred for each row
  when (not new.remote and new.state in (1, 4, 5) and new.privacy in (1, 2)) execute function video_begun();

create function video_moved() returns trigger language plpgsql as $$
begin
  if not somebody_listens() then return null; end if;
  if not outbox_again('video', new.id) then
    perform tell_video(
      new.id, old.state in (1, 4, 5) and (old.privacy = 1 or (old.privacy = 2 and federation_setting('federateUnlisted', false))),
      false
    );
  end if;
  return null;
end $$;
create constraint trigger video_moved after update of name, category, licence, language, privacy, state, nsfw, nsfw_flags,
  nsfw_summary, description, support, duration, aspect_ratio, is_live, wait_transcoding, download_enabled, comments_policy,
  embed_privacy_policy, originally_published_at, published_at, updated_at, channel_id, account_id, player_theme
  on video deferrable initially deferred for each row
  when (not new.remote and (new.state in (1, 4, 5) or old.state in (1, 4, 5) or new.privacy <> old.privacy))
  execute function video_moved();

-- Parts of videos.
create function video_part_moved() returns trigger language plpgsql as $$
declare
  of_video integer;
begin
  if not somebody_listens() then return null; end if;
  if tg_op = 'DELETE' then of_video := old.video_id; else of_video := new.video_id; end if;
  if exists (select from video where id = of_video and not remote and state in (1, 4, 5) and privacy in (1, 2))
    and not outbox_again('video', of_video) then
    perform tell_video(of_video, exists (select from video_told where video_id = of_video and announced), false);
  end if;
  return null;
end $$;
-- One that nobody was told of may be known all the same: who came later asked for what there was. A video that is held as
-- it is made never was.
create function video_blocked() returns trigger language plpgsql as $$
declare
  of_video constant integer := case when tg_op = 'DELETE' then old.video_id else new.video_id end;
  v video;
  known boolean;
begin
  if not somebody_listens() then return null; end if;
  select * into v from video where id = of_video and not remote;
  if not found or outbox_again('video', of_video) then return null; end if;
  select announced into known from video_told where video_id = of_video;
  perform tell_video(
    of_video,
    coalesce(known, tg_op <> 'DELETE' and new.type = 1 and v.state in (1, 4, 5) and v.created_at < now() and (
      v.privacy = 1 or (v.privacy = 2 and federation_setting('federateUnlisted', false))
    )),
    false
  );
  return null;
end $$;
create constraint trigger video_part_moved after insert or update or delete on video_blacklist
  deferrable initially deferred for each row execute function video_blocked();

${["thumbnail", "video_tag", "streaming_playlist", "storyboard", "video_caption"]
  .map(
    (table) => `create constraint trigger video_part_moved after insert or update or delete on ${table}
  deferrable initially deferred for each row execute function video_part_moved();`
  )
  .join("\n")}

create function video_file_moved() returns trigger language plpgsql as $$
declare
  changed video_file := case when tg_op = 'DELETE' then old else new end;
  of_video integer := changed.video_id;
begin
  if not somebody_listens() then return null; end if;
  if of_video is null then
    select video_id into of_video from streaming_playlist where id = changed.streaming_playlist_id;
  end if;
  if exists (select from video where id = of_video and not remote and state in (1, 4, 5) and privacy in (1, 2))
    and not outbox_again('video', of_video) then
    perform tell_video(of_video, exists (select from video_told where video_id = of_video and announced), false);
  end if;
  return null;
end $$;
create constraint trigger video_file_moved after insert or update or delete on video_file
  deferrable initially deferred for each row execute function video_file_moved();

-- With its account or its channel a video goes without a word: those who hear that these are gone drop it.
create function video_goes() returns trigger language plpgsql as $$
declare
  followed constant integer[] := video_followed(old.id);
  told video_told;
begin
  if followed is not null then
    select * into told from video_told where video_id = old.id;
    if (found and told.announced) or (
      told.video_id is null and video_is_federated(old.id)
      and (old.privacy = 1 or federation_setting('federateUnlisted', false))
    ) then
      perform send_video_delete(old.url, coalesce(told.times, 1), followed[2], followed || coalesce(told.former, '{}'));
    end if;
  end if;
  return old;
end $$;
create trigger video_goes before delete on video for each row
  when (not old.remote) execute function video_goes();

-- Ratings are told soon, views when there is time.
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
create trigger video_counted after update of likes, dislikes, views, downloads on video for each row
  when (not new.remote and new.privacy in (1, 2) and new.state in (1, 4, 5)
    and (old.likes, old.dislikes, old.views, old.downloads) is distinct from (new.likes, new.dislikes, new.views, new.downloads))
  execute function video_counted();

create function tell_recounted(of_video integer) returns void language plpgsql as $$
begin
  perform 1 from video where id = of_video for no key update;
  delete from video_recount where video_id = of_video and due <= now();
  if found and video_is_pushed(of_video) then
    perform tell_video(of_video, true, true);
  end if;
end $$;

-- A rating of ours is told to the instance of the video, which counts it. Its id differs from those of former ones.
create function rate_named() returns trigger language plpgsql as $$
declare
  wanted text;
begin
  select a.url || '/' || new.type || 's/' || new.video_id into wanted
    from account o join actor a on a.id = o.actor_id join video v on v.id = new.video_id
    where o.id = new.account_id and a.server_id is null and v.remote;
  if found then new.url := fresh_activity_uri(wanted); end if;
  return new;
end $$;
create trigger rate_named before insert or update of type on account_video_rate
  for each row execute function rate_named();

create function rate_moved() returns trigger language plpgsql as $$
declare
  target record;
  audience jsonb;
begin
  if tg_op = 'UPDATE' and old.type = new.type then return null; end if;
  select v.url, inbox_of(c.actor_id) as inbox, owner.url as owner_url, a.id as actor_id, a.url as actor_url into target
    from video v join video_channel c on c.id = v.channel_id join account w on w.id = v.account_id
      join actor owner on owner.id = w.actor_id
      join account o on o.id = case when tg_op = 'DELETE' then old.account_id else new.account_id end
      join actor a on a.id = o.actor_id
    where v.id = case when tg_op = 'DELETE' then old.video_id else new.video_id end and v.remote and a.server_id is null;
  if not found then return null; end if;
  audience := public_audience(array[target.owner_url], array[target.actor_url || '/followers']);
  if tg_op <> 'INSERT' then
    perform send_activity(
      old.url || '/undo', 'Undo', target.actor_id,
      (audience || jsonb_build_object('type', initcap(old.type), 'id', old.url, 'actor', target.actor_url, 'object', target.url))::text,
      2::smallint, '{}', array[target.inbox], audience, 'Base', target.actor_url || ' ' || target.url
    );
  end if;
  if tg_op <> 'DELETE' then
    perform send_activity(
      new.url, initcap(new.type), target.actor_id, to_json(target.url)::text, 2::smallint, '{}', array[target.inbox], audience,
      'Base', target.actor_url || ' ' || target.url
    );
  end if;
  return null;
end $$;
create trigger rate_moved after insert or update or delete on account_video_rate
  for each row execute function rate_moved();

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

-- Views of videos of others are counted where these are at home, and told there; nothing is kept of them here.
create or replace function apply_views(of_video integer) returns integer language plpgsql as $$
declare
  of_others boolean;
  added integer;
begin
  -- The video first, as who deletes it does; sessions that are being written have their turn next time.
  select remote into of_others from video where id = of_video for no key update;
  if of_others then
    with free as (
      select id from video_viewing where video_id = of_video and counted_at is not null and not applied
      for update skip locked
    ), counted as (
      update video_viewing v set applied = true from free f where v.id = f.id returning v.id
    )
    select count(*) into added from counted;
    perform tell_view(of_video) from generate_series(1, added);
    delete from video_viewing where video_id = of_video and viewer is null and applied;
    return added;
  end if;
  with free as (
    select id from video_viewing where video_id = of_video and counted_at is not null and not applied
    for update skip locked
  ), counted as (
    update video_viewing v set applied = true from free f where v.id = f.id
    returning (v.counted_at at time zone 'UTC')::date as day
  ), daily as (
    insert into video_view_day (video_id, day, views) select of_video, day, count(*) from counted group by day
    on conflict (video_id, day) do update set views = video_view_day.views + excluded.views
  )
  select count(*) into added from counted;
  if added > 0 then update video set views = views + added, trend_views = trend_views + added where id = of_video; end if;
  return added;
end $$;

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
create trigger viewing_ended after update of viewer on video_viewing for each row
  when (old.viewer is not null and new.viewer is null) execute function viewing_ended();
`
