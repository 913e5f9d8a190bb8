-- What goes out about playlists. Others learn of public ones alone; unlisted ones can be asked for.

create function playlist_followed(of_playlist integer) returns integer[] language sql stable as $$
  select array[a.actor_id, c.actor_id, instance_actor()]
  from video_playlist p join account a on a.id = p.owner_account_id left join video_channel c on c.id = p.channel_id
  where p.id = of_playlist
$$;

create function send_playlist_delete(playlist_url text, times integer, followed integer[]) returns void
language plpgsql as $$
begin
  perform send_activity(
    playlist_url || '/delete' || case when times > 1 then '#' || times else '' end, 'Delete', followed[1],
    to_json(playlist_url)::text, 1::smallint, followed, '{}',
    public_audience(followers_urls(array_remove(followed, null)), '{}')
  );
end $$;

create function tell_playlist(of_playlist integer, was boolean) returns void language plpgsql as $$
declare
  p video_playlist;
  told playlist_published;
  is_told boolean;
  followed integer[];
  body text;
  now_digest bytea;
begin
  if not federation_setting('enabled', true) then return; end if;
  select * into p from video_playlist where id = of_playlist and not remote and type = 1;
  if not found then return; end if;
  followed := playlist_followed(p.id) || (select t.known from playlist_published t where t.playlist_id = p.id);
  if not has_remote_followers(followed) then
    delete from playlist_published where playlist_id = p.id;
    return;
  end if;
  perform 1 from video_playlist where id = p.id for no key update;
  select * into p from video_playlist where id = of_playlist;
  select * into told from playlist_published where playlist_id = p.id;
  is_told := found;
  if p.privacy <> 1 or not playlist_is_federated(p.id) then
    if (is_told and told.announced) or (not is_told and was) then
      perform send_playlist_delete(p.url, coalesce(told.times, 1), followed);
    end if;
    if is_told then
      update playlist_published set announced = false, known = '{}', digest = null where playlist_id = p.id;
    end if;
    return;
  end if;
  body := ap_playlist(p.id);
  now_digest := sha256(convert_to((body::jsonb - 'updated')::text || coalesce((
    select string_agg(concat_ws(':', id, video_id, position, start_timestamp, stop_timestamp), ',' order by position)
    from video_playlist_element where playlist_id = p.id
  ), ''), 'UTF8'));
  if (is_told and told.announced) or (not is_told and was) then
    if told.digest is distinct from now_digest then
      perform send_activity(
        p.url || '/updates/' || wire_time(clock_timestamp()), 'Update', followed[1], body, 1::smallint, followed, '{}', null,
        'Playlist'
      );
    end if;
  else
    perform send_activity(
      p.url || '/activity' || case when is_told then '#' || told.times + 1 else '' end, 'Create', followed[1], body,
      1::smallint, followed, '{}', null, 'Playlist'
    );
  end if;
  insert into playlist_published as t (playlist_id, announced, known, digest)
    values (p.id, true, array(select distinct u from unnest(followed) u where u is not null), now_digest)
    on conflict (playlist_id) do update set announced = true, known = excluded.known, digest = excluded.digest,
      times = t.times + (not t.announced)::integer;
end $$;

create function playlist_moved() returns trigger language plpgsql as $$
begin
  if not outbox_again('playlist', new.id) then
    perform tell_playlist(new.id, case when tg_op = 'UPDATE' then old.privacy = 1 else false end);
  end if;
  return null;
end $$;

create function playlist_part_moved() returns trigger language plpgsql as $$
declare
  of_playlist integer;
begin
  if tg_op = 'DELETE' then of_playlist := old.playlist_id; else of_playlist := new.playlist_id; end if;
  if exists (select from video_playlist where id = of_playlist and not remote and privacy = 1)
    and not outbox_again('playlist', of_playlist) then
    perform tell_playlist(of_playlist, true);
  end if;
  return null;
end $$;

create function playlist_goes() returns trigger language plpgsql as $$
declare
  followed constant integer[] := playlist_followed(old.id);
  told playlist_published;
begin
  if followed is not null then
    select * into told from playlist_published where playlist_id = old.id;
    if coalesce(told.announced, old.privacy = 1) then
      perform send_playlist_delete(old.url, coalesce(told.times, 1), followed || coalesce(told.known, '{}'));
    end if;
  end if;
  return old;
end $$;
