-- Marks of videos for the outbox. before.open: whether others could know of one before the transaction.

create function video_marked() returns trigger language plpgsql as $$
begin
  if instance_has_followers() then
    perform mark_change('video', new.id, jsonb_build_object(
      'before', jsonb_build_object('open', tg_op = 'UPDATE' and video_is_open(old.privacy, old.state))
    ));
  end if;
  return null;
end $$;

-- Parts of videos: rows with a column video_id, and files of streaming playlists. A part of a video that is not open is not
-- marked: the row of the video is, if anything.
create function video_part_marked() returns trigger language plpgsql as $$
declare
  of_video integer;
begin
  if not instance_has_followers() then return null; end if;
  of_video := case when tg_op = 'DELETE' then old.video_id else new.video_id end;
  if of_video is null then
    select video_id into of_video from streaming_playlist
      where id = case when tg_op = 'DELETE' then old.streaming_playlist_id else new.streaming_playlist_id end;
  end if;
  if exists (select from video v where v.id = of_video and not v.remote and video_is_open(v.privacy, v.state)) then
    perform mark_change('video', of_video, '{"before": {"open": true}}');
  end if;
  return null;
end $$;

-- One that was not sent may be known all the same: who came later asked for what there was. A video that is held as it is made
-- never was.
create function video_block_marked() returns trigger language plpgsql as $$
declare
  of_video constant integer := case when tg_op = 'DELETE' then old.video_id else new.video_id end;
  v video;
begin
  if not instance_has_followers() then return null; end if;
  select * into v from video where id = of_video and not remote;
  if not found then return null; end if;
  perform mark_change('video', of_video, jsonb_build_object('before', jsonb_build_object('open',
    tg_op <> 'DELETE' and new.type = 1 and v.created_at < now() and video_is_open(v.privacy, v.state)
  )));
  return null;
end $$;

-- How a video, or those of a channel, are to be played is an object of its own. Of a video that was opened just now others ask
-- for all there is.
create function theme_marked() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'video_channel' then
    if exists (select from actor where id = new.actor_id and server_id is null) then
      perform mark_change('channel-player-settings', new.id);
    end if;
  elsif instance_has_followers() and video_is_open(new.privacy, new.state) and not exists (
    select from outbox_change where kind = 'video' and thing_id = new.id and by_id = 0 and xact = pg_current_xact_id()
      and details -> 'before' -> 'open' = 'false'
  ) then
    perform mark_change('video-player-settings', new.id);
  end if;
  return null;
end $$;

-- A video that goes with its account or channel is not sent by itself, since whoever receives their Delete drops it. Those who
-- followed where it was before do not receive that one.
create function video_end_marked() returns trigger language plpgsql as $$
declare
  followed constant integer[] := video_followed(old.id);
  leaving constant boolean := coalesce(current_setting('kinora.leaving', true) = old.account_id::text, false)
    or coalesce(current_setting('kinora.leaving_channel', true) = old.channel_id::text, false);
  known video_published;
begin
  if followed is null or not instance_has_followers() then return old; end if;
  select * into known from video_published where video_id = old.id;
  if leaving and coalesce(known.former, '{}') = '{}' then return old; end if;
  perform mark_change('video', old.id, jsonb_build_object(
    'before', jsonb_build_object('open', video_is_open(old.privacy, old.state)),
    'after', jsonb_build_object('deletedUrl', old.url, 'senderId', followed[2], 'leaving', leaving,
      'followed', case when leaving then '{}' else array_remove(followed, null) end || coalesce(known.former, '{}'),
      'announced', known.announced, 'known', video_is_known(old.id), 'times', coalesce(known.times, 1))
  ));
  return old;
end $$;
