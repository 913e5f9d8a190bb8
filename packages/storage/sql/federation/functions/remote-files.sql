-- Copies of pictures of others, and what else goes with a row.

create function remote_copies_gone() returns trigger language plpgsql as $$
begin
  with copies as (
    delete from remote_copy c using gone g where c.bucket = tg_argv[0] and c.name = g.filename and g.remote_url is not null
    returning c.bucket, c.name
  )
  insert into object_removal (bucket, name) select bucket, name from copies;
  return null;
end $$;

-- Names of copied torrents are those of `remoteTorrentName`.
create function remote_torrents_gone() returns trigger language plpgsql as $$
begin
  with copies as (
    delete from remote_copy c using gone g
    where c.bucket = 'torrents' and g.torrent_url is not null and c.name = g.info_hash || '-' || g.id || '.torrent'
    returning c.bucket, c.name
  )
  insert into object_removal (bucket, name) select bucket, name from copies;
  return null;
end $$;

create function remote_comment_gone() returns trigger language plpgsql as $$
begin
  insert into comment_gone (url, video_id) values (old.url, old.video_id) on conflict (url) do nothing;
  return null;
end $$;
