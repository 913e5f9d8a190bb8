/**
 * Playlists, and what stands in them.
 *
 * Elements have the places 1 to n without gaps, and so have the playlists of a channel: who changes either locks the
 * playlist's or the channel's row first. A playlist in a channel belongs to the account that owns the channel. Everybody
 * with a login has one "Watch later", made with the account.
 */
export const M0029Playlists = `
create table video_playlist (
  id integer generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  url text not null unique,
  name text not null,
  description text,
  -- 1 public, 2 unlisted, 3 private
  privacy smallint not null default 3 check (privacy in (1, 2, 3)),
  -- 1 regular, 2 watch later
  type smallint not null default 1 check (type in (1, 2)),
  owner_account_id integer not null references account (id) on delete cascade,
  channel_id integer references video_channel (id) on delete set null,
  channel_position integer check (channel_position > 0),
  remote boolean not null default false,
  -- How many elements there are, whether or not their videos are still there.
  videos_length integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((channel_id is null) = (channel_position is null)),
  check (privacy <> 1 or channel_id is not null),
  check (type = 1 or (privacy = 3 and channel_id is null)),
  unique (channel_id, channel_position) deferrable initially immediate
);
create unique index video_playlist_watch_later on video_playlist (owner_account_id) where type = 2;
create index video_playlist_owner on video_playlist (owner_account_id, created_at desc, id desc);
create index video_playlist_public on video_playlist (created_at desc, id desc) where privacy = 1;

create table video_playlist_element (
  id integer generated always as identity primary key,
  -- Of elements elsewhere; that of ours is the playlist's with "/videos/" and the id.
  url text unique,
  playlist_id integer not null references video_playlist (id) on delete cascade,
  -- Null once the video is deleted.
  video_id integer references video (id) on delete set null,
  position integer not null check (position > 0),
  -- Seconds.
  start_timestamp integer check (start_timestamp >= 0),
  stop_timestamp integer check (stop_timestamp >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Places move in one statement, at whose end they have to be different.
  unique (playlist_id, position) deferrable initially immediate
);
create index video_playlist_element_video on video_playlist_element (video_id, playlist_id);

-- Pictures somebody chose. A playlist without shows the picture of a video in it.
create table video_playlist_thumbnail (
  id integer generated always as identity primary key,
  playlist_id integer not null references video_playlist (id) on delete cascade,
  filename text not null unique,
  width integer not null,
  height integer not null,
  remote_url text,
  created_at timestamptz not null default now()
);
create index video_playlist_thumbnail_playlist on video_playlist_thumbnail (playlist_id, width);

-- Whatever takes a picture away, its file goes too.
create function playlist_thumbnail_gone() returns trigger language plpgsql as $$
begin
  insert into object_removal (bucket, name) select 'thumbnails', filename from gone where remote_url is null;
  return null;
end $$;
create trigger playlist_thumbnail_gone after delete on video_playlist_thumbnail
  referencing old table as gone for each statement execute function playlist_thumbnail_gone();

create function playlist_length_grown() returns trigger language plpgsql as $$
begin
  update video_playlist p set videos_length = videos_length + c.count
    from (select playlist_id, count(*) as count from changed group by playlist_id) c where p.id = c.playlist_id;
  return null;
end $$;
create trigger playlist_length_grown after insert on video_playlist_element
  referencing new table as changed for each statement execute function playlist_length_grown();
create function playlist_length_shrunk() returns trigger language plpgsql as $$
begin
  update video_playlist p set videos_length = videos_length - c.count
    from (select playlist_id, count(*) as count from changed group by playlist_id) c where p.id = c.playlist_id;
  return null;
end $$;
create trigger playlist_length_shrunk after delete on video_playlist_element
  referencing old table as changed for each statement execute function playlist_length_shrunk();

-- What was public in the name of a channel that is gone is for its owner alone.
create function playlist_leaves_channel() returns trigger language plpgsql as $$
begin
  new.channel_position := null;
  if new.privacy = 1 then new.privacy := 3; end if;
  new.updated_at := now();
  return new;
end $$;
create trigger playlist_leaves_channel before update of channel_id on video_playlist
  for each row when (old.channel_id is not null and new.channel_id is null) execute function playlist_leaves_channel();

create function playlists_follow_channel() returns trigger language plpgsql as $$
begin
  update video_playlist set owner_account_id = new.account_id where channel_id = new.id;
  return null;
end $$;
create trigger playlists_follow_channel after update of account_id on video_channel
  for each row when (old.account_id <> new.account_id) execute function playlists_follow_channel();

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
create trigger account_watch_later after insert on account
  for each row when (new.user_id is not null) execute function account_watch_later();
select count(*) from (select watch_later_begin(id) from account where user_id is not null offset 0) a;

-- The video whose picture a playlist shows: the first that everybody may see, and that nobody minds to see in a list.
create function playlist_cover(of_playlist integer) returns integer language sql stable as $$
  select v.id from video_playlist_element e join video v on v.id = e.video_id
  where e.playlist_id = of_playlist and v.privacy in (1, 2) and v.state in (1, 4, 5) and not v.nsfw
    and not exists (select 1 from video_blacklist b where b.video_id = v.id)
    and exists (select 1 from thumbnail t where t.video_id = v.id)
  order by e.position limit 1
$$;

-- A playlist (contract: VideoPlaylist).
create function wire_playlist(of_playlist integer) returns text language plpgsql stable as $$
declare
  origin constant text := wire_origin();
  pictures text;
  path text;
  cover integer;
begin
  select string_agg('{"fileUrl":' || to_json(coalesce(t.remote_url, origin || '/lazy-static/thumbnails/' || t.filename))
      || ',"width":' || t.width || ',"height":' || t.height || ',"aspectRatio":"' || wire_ratio(t.width, t.height) || '"}',
      ',' order by t.width, t.id),
    (array_agg('/lazy-static/thumbnails/' || t.filename order by t.width, t.id))[1]
    into pictures, path from video_playlist_thumbnail t where t.playlist_id = of_playlist;
  if pictures is null then
    cover := playlist_cover(of_playlist);
    if cover is not null then
      select string_agg('{"fileUrl":' || to_json(coalesce(t.remote_url, origin
            || case t.type when 1 then '/lazy-static/thumbnails/' else '/lazy-static/previews/' end || t.filename))
          || ',"width":' || t.width || ',"height":' || t.height
          || ',"aspectRatio":"' || wire_ratio(t.width, t.height) || '"}', ',' order by t.width, t.id),
        (array_agg('/lazy-static/thumbnails/' || t.filename order by t.width desc, t.id) filter (where t.type = 1))[1]
        into pictures, path from thumbnail t where t.video_id = cover;
    end if;
  end if;
  return (
    select '{"id":' || p.id || ',"uuid":"' || p.uuid || '","shortUUID":"' || short_uuid(p.uuid)
      || '","url":' || to_json(p.url) || ',"displayName":' || to_json(p.name)
      || ',"description":' || coalesce(to_json(p.description)::text, 'null') || ',"isLocal":' || (not p.remote)
      || ',"privacy":' || wire_constant('playlistPrivacy', p.privacy::text)
      || ',"type":' || wire_constant('playlistType', p.type::text)
      || ',"videosLength":' || p.videos_length
      || ',"thumbnailPath":' || coalesce(to_json(path)::text, 'null') || ',"thumbnails":[' || coalesce(pictures, '')
      || '],"embedPath":"/video-playlists/embed/' || p.uuid
      || '","createdAt":"' || wire_time(p.created_at) || '","updatedAt":"' || wire_time(p.updated_at)
      || '","ownerAccount":' || wire_actor_summary(a.id, a.display_name, a.actor_id, origin)
      || ',"videoChannel":'
      || coalesce(wire_actor_summary(c.id, c.display_name, c.actor_id, origin)::text, 'null')
      || ',"videoChannelPosition":' || coalesce(p.channel_position::text, 'null') || '}'
    from video_playlist p join account a on a.id = p.owner_account_id left join video_channel c on c.id = p.channel_id
    where p.id = of_playlist
  );
end $$;

-- Words of public playlists, and of no other: searches correct words by what stands here.
create table playlist_document (
  id integer primary key references video_playlist (id) on delete cascade,
  document tsvector not null
);
create index playlist_document_words on playlist_document using gin (document) with (gin_pending_list_limit = 256);
create trigger playlist_document_words after insert or delete on playlist_document
  for each row execute function document_words_follow();
create trigger playlist_document_words_changed after update of document on playlist_document
  for each row when (old.document is distinct from new.document) execute function document_words_follow();

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
create trigger playlist_document_begin after insert on video_playlist
  for each row when (new.privacy = 1) execute function playlist_document_follow();
create trigger playlist_document_follow after update of name, description, privacy, channel_id on video_playlist
  for each row when (old.name <> new.name or old.description is distinct from new.description
    or old.privacy <> new.privacy) execute function playlist_document_follow();
`
