-- What goes out about videos.

-- Each once, in the order given.
create function followers_urls(actors integer[]) returns text[] language sql stable as $$
  select coalesce(array_agg(coalesce(a.followers_url, a.url || '/followers') order by u.n), '{}')
  from (select id, min(n) as n from unnest(actors) with ordinality u (id, n) group by id) u join actor a on a.id = u.id
$$;

-- Whether nothing but its state keeps a video from others: it is being transcoded anew, edited or moved, and comes
-- back. What they have of it stays until then.
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

create function send_video_unshare(of_video integer, video_url text, of_actor integer, times integer) returns void
language plpgsql as $$
declare
  announce constant text := video_url || '/announces/' || of_actor;
  again constant text := case when times > 1 then '#' || times else '' end;
begin
  perform send_activity(
    announce || '/undo' || again, 'Undo', of_actor,
    (jsonb_build_object('type', 'Announce', 'id', announce || again,
      'actor', (select url from actor where id = of_actor), 'object', video_url)
      || public_audience('{}', '{}'))::text,
    1::smallint, array[of_actor], '{}', public_audience('{}', '{}'), 'Base', video_url
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
-- transaction; recounted: its counters are sent, too.
create function tell_video(of_video integer, was boolean, recounted boolean) returns void language plpgsql as $$
declare
  v video;
  told video_published;
  is_told boolean;
  pushed boolean;
  by_account integer;
  by_channel integer;
  followed integer[];
  body text;
  audience jsonb;
  now_digest bytea;
begin
  if not federation_setting('enabled', true) then return; end if;
  select * into v from video where id = of_video and not remote;
  if not found then return; end if;
  select * into told from video_published where video_id = v.id;
  is_told := found;
  followed := video_followed(v.id);
  if is_told then followed := followed || told.account_actor_id || told.channel_actor_id || told.former; end if;
  if not has_remote_followers(followed) then
    -- Whoever comes later asks for what there is, and must learn when it goes.
    delete from video_published where video_id = v.id;
    return;
  end if;
  -- Two that change parts of one video take turns here, so that the latter sees what both have made of it.
  perform 1 from video where id = v.id for no key update;
  select * into v from video where id = of_video;
  select * into told from video_published where video_id = v.id;
  is_told := found;
  pushed := video_is_pushed(v.id);
  by_channel := followed[1];
  by_account := followed[2];
  if not pushed then
    if video_only_works(v.id) then return; end if;
    if (is_told and told.announced) or (not is_told and was) then
      perform send_video_delete(v.url, coalesce(told.times, 1), by_account, followed);
    end if;
    if is_told then update video_published set announced = false, digest = null where video_id = v.id; end if;
    return;
  end if;
  -- What moderators hide without taking it from others is not talked about.
  if not video_is_dereferenced(v.id) then return; end if;
  body := ap_video(v.id);
  now_digest := sha256(convert_to(
    (body::jsonb - array['updated', 'views', 'downloads'])::text || coalesce(ap_chapters(v.id), ''), 'UTF8'
  ));
  -- What is not for everybody is for those who follow, and passed on by nobody.
  if v.privacy <> 1 then
    audience := jsonb_build_object('to', to_jsonb(followers_urls(followed[1:3])), 'cc', '[]'::jsonb);
  end if;
  if (is_told and told.announced) or (not is_told and was) then
    if is_told and told.shared and (told.channel_actor_id <> by_channel or v.privacy <> 1) then
      perform send_video_unshare(v.id, v.url, told.channel_actor_id, told.times);
    end if;
    if is_told and told.shared and v.privacy <> 1 then
      perform send_video_unshare(v.id, v.url, instance_actor(), told.times);
    end if;
    if is_told and v.privacy = 1 and (told.channel_actor_id <> by_channel or not told.shared) then
      perform send_video_announce(v.id, v.url, by_channel, followed[1:3], told.times);
    end if;
    if is_told and v.privacy = 1 and not told.shared then
      perform send_video_announce(v.id, v.url, instance_actor(), followed[1:3], told.times);
    end if;
    if recounted or told.digest is distinct from now_digest then
      perform send_activity(
        v.url || '/updates/' || wire_time(clock_timestamp()), 'Update', by_account, body, 1::smallint, followed, '{}',
        audience, 'Video'
      );
    end if;
  else
    perform send_activity(
      v.url || '/activity' || case when is_told then '#' || told.times + 1 else '' end, 'Create', by_account, body,
      1::smallint, case when v.privacy = 1 then array[by_account] else followed[1:3] end, '{}', audience, 'Video'
    );
    if v.privacy = 1 then
      perform send_video_announce(v.id, v.url, by_channel, followed[1:3], coalesce(told.times, 0) + 1);
      perform send_video_announce(v.id, v.url, instance_actor(), followed[1:3], coalesce(told.times, 0) + 1);
    end if;
  end if;
  insert into video_published as t (video_id, announced, shared, channel_actor_id, account_actor_id, digest)
    values (v.id, true, v.privacy = 1, by_channel, by_account, now_digest)
    on conflict (video_id) do update set announced = true, shared = excluded.shared,
      channel_actor_id = excluded.channel_actor_id,
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

-- What a transaction opens, nobody knew before it.
create function video_opened() returns trigger language plpgsql as $$
declare
  known constant text := coalesce(current_setting('kinora.opened', true), '');
begin
  if video_is_open(new.privacy, new.state) and (tg_op = 'INSERT' or not video_is_open(old.privacy, old.state)) then
    -- Of so many together none is taken for known.
    perform set_config('kinora.opened', case when known = '*' or length(known) > 1000 then '*'
      else coalesce(nullif(known, ''), ',') || new.id || ',' end, true);
  end if;
  return null;
end $$;

-- Whether others could know of a video, which is open, before this transaction.
create function video_was_open(of_video integer) returns boolean language sql stable as $$
  select k <> '*' and position(',' || of_video || ',' in k) = 0 from (select coalesce(current_setting('kinora.opened', true), '') k) s
$$;

create function video_moved() returns trigger language plpgsql as $$
declare
  was constant boolean := video_is_open(old.privacy, old.state);
begin
  if not somebody_listens() or outbox_again('video', new.id) then return null; end if;
  -- Where many are changed at once nobody waits until all is sent; what is taken away is sent at once.
  if was and outbox_count('videos') > 20
    and exists (select from video v where v.id = new.id and video_is_open(v.privacy, v.state)) then
    insert into video_recount as r (video_id, due, counted, edited) values (new.id, now(), false, true)
      on conflict (video_id) do update set due = least(r.due, excluded.due), edited = true;
  else
    perform tell_video(new.id, was, false);
  end if;
  return null;
end $$;

-- Parts of videos. What goes out about one that is not open follows from its own row.
create function tell_video_part(of_video integer) returns void language plpgsql as $$
begin
  if exists (select from video v where v.id = of_video and not v.remote and video_is_open(v.privacy, v.state))
    and not outbox_again('video', of_video) then
    perform tell_video(of_video, video_was_open(of_video), false);
  end if;
end $$;

create function video_part_moved() returns trigger language plpgsql as $$
begin
  if somebody_listens() then
    perform tell_video_part(case when tg_op = 'DELETE' then old.video_id else new.video_id end);
  end if;
  return null;
end $$;

-- A video that was never announced may be known all the same: who came later asked for what there was. A video that is
-- held as it is made never was.
create function video_blocked() returns trigger language plpgsql as $$
declare
  of_video constant integer := case when tg_op = 'DELETE' then old.video_id else new.video_id end;
  v video;
  known boolean;
begin
  if not somebody_listens() then return null; end if;
  select * into v from video where id = of_video and not remote;
  if not found or outbox_again('video', of_video) then return null; end if;
  select announced into known from video_published where video_id = of_video;
  perform tell_video(
    of_video,
    coalesce(known, tg_op <> 'DELETE' and new.type = 1 and v.state in (1, 4, 5) and v.created_at < now() and (
      v.privacy = 1 or (v.privacy = 2 and federation_setting('federateUnlisted', false))
    )),
    false
  );
  return null;
end $$;

create function video_file_moved() returns trigger language plpgsql as $$
declare
  changed video_file := case when tg_op = 'DELETE' then old else new end;
  of_video integer := changed.video_id;
begin
  if not somebody_listens() then return null; end if;
  if of_video is null then
    select video_id into of_video from streaming_playlist where id = changed.streaming_playlist_id;
  end if;
  perform tell_video_part(of_video);
  return null;
end $$;

-- How it is to be played is an object of its own.
create function video_theme_moved() returns trigger language plpgsql as $$
declare
  followed constant integer[] := video_followed(new.id);
begin
  -- Of one that was opened just now others ask for all there is.
  if followed is null or not has_remote_followers(followed) or not video_was_open(new.id) or not video_is_pushed(new.id)
    or not video_is_dereferenced(new.id) or outbox_again('video_theme', new.id) then return null; end if;
  perform send_activity(
    new.url || '/player-settings/updates/' || wire_time(clock_timestamp()), 'Update', followed[2], ap_player_settings(new.id),
    1::smallint, followed, '{}',
    case when new.privacy = 1 then null
      else jsonb_build_object('to', to_jsonb(followers_urls(followed)), 'cc', '[]'::jsonb) end,
    'PlayerSettings'
  );
  return null;
end $$;

-- With its account or its channel a video goes without an activity of its own: those who learn that these are gone
-- drop it. Those who followed where it was before learn nothing of that.
create function video_goes() returns trigger language plpgsql as $$
declare
  followed constant integer[] := video_followed(old.id);
  told video_published;
begin
  if followed is not null then
    select * into told from video_published where video_id = old.id;
    if current_setting('kinora.leaving', true) = old.account_id::text
      or current_setting('kinora.leaving_channel', true) = old.channel_id::text then
      if told.announced and told.former <> '{}' then
        perform send_video_delete(old.url, told.times, followed[2], told.former);
      end if;
    elsif told.announced or (told.video_id is null and video_is_known(old.id)) then
      perform send_video_delete(old.url, coalesce(told.times, 1), followed[2], followed || coalesce(told.former, '{}'));
    end if;
  end if;
  return old;
end $$;
