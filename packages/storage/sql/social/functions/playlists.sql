-- Lengths, covers and documents of playlists, and where they belong.

-- Whatever takes a picture away, its file goes too.
create function playlist_thumbnail_gone() returns trigger language plpgsql as $$
begin
  insert into object_removal (bucket, name) select 'thumbnails', filename from gone where remote_url is null;
  return null;
end $$;

create function playlist_length_grown() returns trigger language plpgsql as $$
begin
  update video_playlist p set videos_length = videos_length + c.count
    from (select playlist_id, count(*) as count from changed group by playlist_id) c where p.id = c.playlist_id;
  return null;
end $$;

create function playlist_length_shrunk() returns trigger language plpgsql as $$
begin
  update video_playlist p set videos_length = videos_length - c.count
    from (select playlist_id, count(*) as count from changed group by playlist_id) c where p.id = c.playlist_id;
  return null;
end $$;

-- What was public in the name of a channel that is gone is for its owner alone.
create function playlist_leaves_channel() returns trigger language plpgsql as $$
begin
  new.channel_position := null;
  if new.privacy = 1 then new.privacy := 3; end if;
  new.updated_at := now();
  return new;
end $$;

create function playlists_follow_channel() returns trigger language plpgsql as $$
begin
  update video_playlist set owner_account_id = new.account_id where channel_id = new.id;
  return null;
end $$;

create function watch_later_begin(of_account integer) returns void language sql as $$
  insert into video_playlist (uuid, url, name, privacy, type, owner_account_id)
  select u.uuid, substring(a.url from '^[a-z]+://[^/]+') || '/video-playlists/' || u.uuid, 'Watch later', 3, 2, c.id
  from account c join actor a on a.id = c.actor_id cross join lateral (select gen_random_uuid() as uuid where c.id > 0) u
  where c.id = of_account and c.user_id is not null
  on conflict (owner_account_id) where type = 2 do nothing
$$;

create function account_watch_later() returns trigger language plpgsql as $$
begin
  perform watch_later_begin(new.id);
  return null;
end $$;

-- The video whose picture a playlist shows: the first that everybody may see, and that nobody minds to see in a list.
create function playlist_cover(of_playlist integer) returns integer language sql stable as $$
  select v.id from video_playlist_element e join video v on v.id = e.video_id
  where e.playlist_id = of_playlist and v.privacy in (1, 2) and v.state in (1, 4, 5) and not v.nsfw
    and not exists (select 1 from video_blacklist b where b.video_id = v.id)
    and exists (select 1 from thumbnail t where t.video_id = v.id)
  order by e.position limit 1
$$;

create function search_known_playlist(query tsquery) returns boolean
language plpgsql stable set enable_seqscan = off as $$
begin
  return exists (select 1 from playlist_document d where d.document @@ query);
end $$;

create function playlist_document_follow() returns trigger language plpgsql as $$
begin
  if new.privacy = 1 and new.type = 1 then
    insert into playlist_document (id, document)
      values (new.id, search_document(new.name, null, new.description, null, null))
      on conflict (id) do update set document = excluded.document;
  else
    delete from playlist_document where id = new.id;
  end if;
  return null;
end $$;
