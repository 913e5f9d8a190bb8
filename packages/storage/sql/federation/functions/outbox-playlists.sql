-- Marks of playlists for the outbox. Only public ones are sent; unlisted ones can be asked for.

create function playlist_followed(of_playlist integer) returns integer[] language sql stable as $$
  select array[a.actor_id, c.actor_id, instance_actor()]
  from video_playlist p join account a on a.id = p.owner_account_id left join video_channel c on c.id = p.channel_id
  where p.id = of_playlist
$$;

-- before: whether everybody could see it.
create function playlist_marked() returns trigger language plpgsql as $$
begin
  perform mark_change('playlist', new.id, jsonb_build_object(
    'before', jsonb_build_object('public', tg_op = 'UPDATE' and old.privacy = 1)
  ));
  return null;
end $$;

-- Parts of one that is not public are not marked: its own row is, if anything.
create function playlist_part_marked() returns trigger language plpgsql as $$
declare
  of_playlist constant integer := case when tg_op = 'DELETE' then old.playlist_id else new.playlist_id end;
begin
  if exists (select from video_playlist where id = of_playlist and not remote and type = 1 and privacy = 1) then
    perform mark_change('playlist', of_playlist, '{"before": {"public": true}}');
  end if;
  return null;
end $$;

-- A playlist that goes with its account is not sent by itself: it has no owner any more.
create function playlist_end_marked() returns trigger language plpgsql as $$
declare
  followed constant integer[] := playlist_followed(old.id);
  known playlist_published;
begin
  if followed is not null then
    select * into known from playlist_published where playlist_id = old.id;
    perform mark_change('playlist', old.id, jsonb_build_object(
      'before', jsonb_build_object('public', old.privacy = 1),
      'after', jsonb_build_object('deletedUrl', old.url, 'senderId', followed[1],
        'followed', array_remove(followed || coalesce(known.known, '{}'), null),
        'announced', known.announced, 'times', coalesce(known.times, 1))
    ));
  end if;
  return old;
end $$;
