-- Lengths, covers and documents of playlists, and where they belong.

-- Whatever takes a picture away, its file goes too.
create function playlist_thumbnail_gone() returns trigger language plpgsql as $$
begin
  insert into object_removal (bucket, name) select 'thumbnails', filename from gone where remote_url is null;
  return null;
end $$;

create function playlist_length_counted() returns trigger language plpgsql as $$
begin
  update video_playlist p set videos_length = videos_length + case tg_op when 'INSERT' then c.count else -c.count end
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

-- Each account of a user has a playlist for later.
create function account_watch_later() returns trigger language plpgsql as $$
declare
  made constant uuid := gen_random_uuid();
begin
  insert into video_playlist (uuid, url, name, privacy, type, owner_account_id)
    select made, substring(url from '^[a-z]+://[^/]+') || '/video-playlists/' || made, 'Watch later', 3, 2, new.id
    from actor where id = new.actor_id
    on conflict (owner_account_id) where type = 2 do nothing;
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
