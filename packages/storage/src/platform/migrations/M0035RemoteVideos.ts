/** Part of M0035: videos of other instances, written by one statement and told of by the functions that tell of ours. */
export const M0035RemoteVideos = `
create table remote_video (
  video_id integer primary key references video (id) on delete cascade,
  fetched_at timestamptz not null default now(),
  -- What it was last given as: the same again, as some send with every like, changes nothing.
  given uuid,
  tracker_urls text[] not null default '{}',
  likes_url text,
  dislikes_url text,
  shares_url text,
  comments_url text,
  chapters_url text
);

alter table video_file add column torrent_url text;

create function remote_files(of_video integer, of_playlist integer) returns jsonb language sql stable as $$
  select coalesce(jsonb_agg(jsonb_build_object('url', file_url, 'extension', extname, 'resolution', resolution,
      'width', width, 'height', height, 'size', size, 'fps', fps, 'hasAudio', has_audio, 'hasVideo', has_video,
      'metadataUrl', metadata_url, 'torrentUrl', torrent_url, 'infoHash', info_hash) order by id), '[]')
  from video_file where (of_playlist is null and video_id = of_video) or streaming_playlist_id = of_playlist
$$;

-- Changes a video only where there is something to change: mostly there is not, since those who write files say so before.
create or replace function video_files_kept(ids integer[]) returns void language plpgsql as $$
declare
  v record;
  hls boolean;
  web boolean;
  bytes bigint;
begin
  -- Two that change files of one video take turns, and each counts what the other has written.
  for v in select id, remote, has_hls, has_web_videos, local_files_size from video where id = any(ids) order by id
    for no key update
  loop
    hls := exists (select from streaming_playlist where video_id = v.id);
    web := exists (select from video_file where video_id = v.id);
    bytes := 0;
    if not v.remote then
      bytes := (select coalesce(sum(size), 0) from video_file where video_id = v.id)
        + (select coalesce(sum(h.size), 0) from streaming_playlist s join video_file h on h.streaming_playlist_id = s.id
          where s.video_id = v.id);
    end if;
    if (v.has_hls, v.has_web_videos, v.local_files_size) is distinct from (hls, web, bytes) then
      update video set has_hls = hls, has_web_videos = web, local_files_size = bytes where id = v.id;
    end if;
  end loop;
end $$;

-- Whether what is written are the parts of a video that is just being made: there are none yet.
create function video_begins() returns boolean language sql stable as
$$ select coalesce(current_setting('kinora.video_begins', true), '') = 'on' $$;

-- Playlist and files by one statement: what keeps the video's figures looks at them when all of them are there.
create function set_remote_files(of_video integer, files jsonb, hls jsonb) returns void language plpgsql as $$
declare
  known streaming_playlist;
begin
  if not video_begins() then
    select * into known from streaming_playlist where video_id = of_video;
    if files = remote_files(of_video, null) and hls = coalesce(
      case when known.id is not null then jsonb_build_object(
        'url', known.playlist_url, 'segmentsUrl', known.segments_sha256_url, 'files', remote_files(of_video, known.id)
      ) end, 'null') then return; end if;
    if exists (select from video_file where video_id = of_video) then delete from video_file where video_id = of_video; end if;
    if known.id is not null then delete from streaming_playlist where id = known.id; end if;
  end if;
  with playlist as (
    insert into streaming_playlist (video_id, playlist_url, segments_sha256_url)
      select of_video, hls->>'url', hls->>'segmentsUrl' where jsonb_typeof(hls) = 'object' returning id
  ), given as (
    select of_video as video, null::integer as playlist, f, n from jsonb_array_elements(files) with ordinality e (f, n)
    union all
    select null, p.id, f, n from playlist p,
      jsonb_array_elements(case jsonb_typeof(hls) when 'object' then hls->'files' else '[]' end) with ordinality e (f, n)
  )
  insert into video_file (video_id, streaming_playlist_id, file_url, extname, resolution, width, height, size, fps,
      has_audio, has_video, metadata_url, torrent_url, info_hash)
    select video, playlist, f->>'url', f->>'extension', (f->>'resolution')::integer, (f->>'width')::integer,
      (f->>'height')::integer, (f->>'size')::bigint, (f->>'fps')::real, (f->>'hasAudio')::boolean,
      (f->>'hasVideo')::boolean, f->>'metadataUrl', f->>'torrentUrl', f->>'infoHash'
    from given order by playlist nulls first, n;
end $$;

create function set_remote_pictures(of_video integer, pictures jsonb, board jsonb, captions jsonb) returns void
language plpgsql as $$
begin
  if (case when video_begins() then pictures <> '[]' else pictures <> (
    select coalesce(jsonb_agg(
      jsonb_build_object('type', type, 'url', remote_url, 'width', width, 'height', height) order by id), '[]')
    from thumbnail where video_id = of_video
  ) end) then
    if exists (select from thumbnail where video_id = of_video) then delete from thumbnail where video_id = of_video; end if;
    insert into thumbnail (video_id, type, filename, width, height, remote_url)
      select of_video, (t->>'type')::smallint, gen_random_uuid() || '.jpg', (t->>'width')::integer,
        (t->>'height')::integer, t->>'url'
      from jsonb_array_elements(pictures) with ordinality e (t, n) order by n;
  end if;
  if coalesce(nullif(board, 'null'), '{}') <> coalesce((
    select jsonb_build_object('url', remote_url, 'width', total_width, 'height', total_height, 'tileWidth', sprite_width,
      'tileHeight', sprite_height, 'tileSeconds', sprite_duration)
    from storyboard where video_id = of_video), '{}') then
    if exists (select from storyboard where video_id = of_video) then delete from storyboard where video_id = of_video; end if;
    if jsonb_typeof(board) = 'object' then
      insert into storyboard (video_id, filename, total_width, total_height, sprite_width, sprite_height, sprite_duration,
          remote_url)
        values (of_video, gen_random_uuid() || '.jpg', (board->>'width')::integer, (board->>'height')::integer,
          (board->>'tileWidth')::integer, (board->>'tileHeight')::integer, (board->>'tileSeconds')::integer, board->>'url');
    end if;
  end if;
  if (case when video_begins() then captions <> '[]' else captions <> (
    select coalesce(jsonb_agg(jsonb_build_object('language', language, 'automaticallyGenerated', automatically_generated,
      'url', remote_url) order by id), '[]')
    from video_caption where video_id = of_video
  ) end) then
    if exists (select from video_caption where video_id = of_video) then
      delete from video_caption where video_id = of_video;
    end if;
    insert into video_caption (video_id, language, filename, automatically_generated, remote_url)
      select of_video, c->>'language', gen_random_uuid() || '-' || (c->>'language') || '.vtt',
        (c->>'automaticallyGenerated')::boolean, c->>'url'
      from jsonb_array_elements(captions) with ordinality e (c, n) order by n;
  end if;
end $$;

create function set_remote_tags(of_video integer, names text[]) returns void language plpgsql as $$
declare
  kept constant citext[] := array(
    select t.name from video_tag vt join tag t on t.id = vt.tag_id where vt.video_id = of_video order by t.name
  );
  wanted constant citext[] := array(select distinct n::citext from unnest(names) n order by 1);
begin
  if kept = wanted then return; end if;
  if exists (select from unnest(wanted) n where not exists (select from tag where name = n)) then
    insert into tag (name) select n from unnest(wanted) n where not exists (select from tag where name = n) order by 1
      on conflict (name) do nothing;
  end if;
  if not kept <@ wanted then
    delete from video_tag vt using tag t where vt.video_id = of_video and t.id = vt.tag_id and t.name <> all(wanted);
  end if;
  insert into video_tag (video_id, tag_id) select of_video, t.id from tag t where t.name = any(wanted)
    on conflict do nothing;
end $$;

-- What a video is searched by has its tags, which come after it: for the one at the address that is set here, it is left to
-- whoever writes these.
create function write_video_document(of_video integer) returns void language plpgsql as $$
begin
  insert into video_document
    select v.id, v.account_id, v.channel_id, v.server_id, v.duration, v.nsfw_flags,
      search_score(v.views, v.likes, v.comments, v.published_at), v.published_at, v.originally_published_at, v.category,
      v.licence, v.privacy, v.state, v.visible, v.nsfw, v.remote, v.is_live, false, v.language, d.document
    from video v, video_documents(array[of_video]) d where v.id = of_video;
end $$;

create or replace function video_document_begin() returns trigger language plpgsql as $$
begin
  update search_language set used = true where language = split_part(new.language, '-', 1) and not used;
  if current_setting('kinora.document_follows', true) is distinct from new.url then
    perform write_video_document(new.id);
  end if;
  return null;
end $$;

-- Writes a video of another instance with all that belongs to it. Null when its account or channel is gone, when the channel
-- is not the account's (null is whose the channel is), or when the address is one of ours; also when it belonged to another
-- account, unless its origin was asked. What is older than what is known changes nothing.
create function upsert_remote_video(named_account integer, of_channel integer, given jsonb, asked boolean) returns integer
language plpgsql as $$
declare
  of_account constant integer := (select account_id from video_channel where id = of_channel);
  of_video integer;
  known video;
  g record;
  former uuid;
  digest constant uuid := md5(given::text)::uuid;
begin
  if named_account <> of_account then return null; end if;
  perform 1 from account where id = of_account for share;
  if not found then return null; end if;
  perform 1 from video_channel where id = of_channel and account_id = of_account for share;
  if not found then return null; end if;
  select * into g from jsonb_to_record(given) as r (url text, uuid uuid, name text, category smallint, licence smallint,
    language text, privacy smallint, state smallint, nsfw boolean, "nsfwFlags" integer, "nsfwSummary" text,
    description text, support text, duration integer, "aspectRatio" real, "isLive" boolean, "waitTranscoding" boolean,
    "downloadEnabled" boolean, "commentsPolicy" smallint, views integer, downloads integer,
    "inputFileUpdated" timestamptz, "originallyPublished" timestamptz, published timestamptz, updated timestamptz,
    tags text[], trackers text[]);
  loop
    select * into known from video where url = g.url for no key update;
    exit when found;
    perform set_config('kinora.document_follows', g.url, true);
    -- What it has to be played from is told at once: the triggers of its files then find nothing to change.
    insert into video (uuid, channel_id, account_id, remote, url, name, category, licence, language, privacy, state, nsfw,
        nsfw_flags, nsfw_summary, description, support, duration, aspect_ratio, is_live, wait_transcoding,
        download_enabled, comments_policy, views, downloads, input_file_updated_at, originally_published_at, published_at,
        created_at, updated_at, has_hls, has_web_videos)
      values (
        -- A uuid that is somebody's already stays theirs.
        case when g.uuid is null or exists (select from video where uuid = g.uuid) then gen_random_uuid() else g.uuid end,
        of_channel, of_account, true, g.url, g.name, g.category, g.licence, g.language, g.privacy, g.state, g.nsfw,
        g."nsfwFlags", g."nsfwSummary", g.description, g.support, g.duration, g."aspectRatio", g."isLive",
        g."waitTranscoding", g."downloadEnabled", g."commentsPolicy", g.views, g.downloads, g."inputFileUpdated",
        g."originallyPublished", least(g.published, now()), least(g.published, now()),
        least(coalesce(g.updated, g.published, now()), now()), jsonb_typeof(given->'hls') = 'object', given->'files' <> '[]')
      on conflict do nothing returning id into of_video;
    exit when of_video is not null;
    -- Whoever took its uuid in between without taking its address.
    g.uuid := null;
  end loop;
  if of_video is null then
    if not known.remote or (known.account_id <> of_account and not asked) then return null; end if;
    of_video := known.id;
    insert into remote_video (video_id) values (of_video) on conflict (video_id) do update set fetched_at = now()
      returning remote_video.given into former;
    if g.updated < known.updated_at
      or (former = digest and known.channel_id = of_channel and known.account_id = of_account) then return of_video; end if;
    update video set channel_id = of_channel, account_id = of_account, name = g.name, category = g.category,
        licence = g.licence, language = g.language, privacy = g.privacy, state = g.state, nsfw = g.nsfw,
        nsfw_flags = g."nsfwFlags", nsfw_summary = g."nsfwSummary", description = g.description, support = g.support,
        duration = g.duration, aspect_ratio = g."aspectRatio", is_live = g."isLive",
        wait_transcoding = g."waitTranscoding", download_enabled = g."downloadEnabled",
        comments_policy = g."commentsPolicy", views = g.views, downloads = g.downloads,
        input_file_updated_at = g."inputFileUpdated", originally_published_at = g."originallyPublished",
        published_at = least(g.published, published_at, now()), updated_at = least(coalesce(g.updated, updated_at), now())
      where id = of_video;
  end if;
  -- Nobody has seen it yet: what is told of parts when they change is left out (M0043).
  if known.id is null then perform set_config('kinora.video_begins', 'on', true); end if;
  perform set_remote_files(of_video, given->'files', given->'hls');
  perform set_remote_pictures(of_video, given->'pictures', given->'storyboard', given->'captions');
  perform set_remote_tags(of_video, g.tags);
  if known.id is null then
    perform set_config('kinora.video_begins', '', true);
    perform write_video_document(of_video);
  end if;
  insert into remote_video (video_id, given, tracker_urls, likes_url, dislikes_url, shares_url, comments_url, chapters_url)
    values (of_video, digest, g.trackers, given->>'likesUrl', given->>'dislikesUrl', given->>'sharesUrl', given->>'commentsUrl',
      given->>'chaptersUrl')
    on conflict (video_id) do update set given = excluded.given, tracker_urls = excluded.tracker_urls,
      likes_url = excluded.likes_url, dislikes_url = excluded.dislikes_url, shares_url = excluded.shares_url,
      comments_url = excluded.comments_url, chapters_url = excluded.chapters_url;
  return of_video;
end $$;

create function wire_video_trackers(of_video integer) returns text[] language sql stable as $$
  select case when v.remote then coalesce((select tracker_urls from remote_video where video_id = v.id), '{}')
    else wire_trackers(wire_origin()) end
  from video v where v.id = of_video
$$;

-- Files of others are where they say; nothing of ours knows more of them.
create or replace function wire_files(of_video integer, of_playlist integer) returns json language sql stable as $$
  with video as materialized (
    select v.uuid, v.remote, o.origin, replace(url_encode(v.name), '%20', '+') as name,
      coalesce((select string_agg('&tr=' || url_encode(t), '') from unnest(wire_video_trackers(v.id)) t), '') as trackers,
      case when of_playlist is null then '/static/web-videos/' || private
        else '/static/streaming-playlists/hls/' || private || v.uuid || '/' end as folder
    from video v, (select wire_origin() as origin offset 0) o,
      lateral (select case when v.privacy > 2 then 'private/' else '' end as private) p
    where v.id = of_video
  )
  select coalesce(json_agg((
    left(row_to_json(f)::text, -1) || coalesce(',"width":' || file.width, '') || coalesce(',"height":' || file.height, '')
      || coalesce(',"playlistUrl":' || to_json(playlist), '') || coalesce(',"metadataUrl":' || to_json(known), '') || '}'
  )::json order by file.resolution desc, file.fps desc, file.id), '[]')
  from video_file file cross join video v, lateral (
    select '.' || ltrim(extname, '.') as extension,
      coalesce(torrent_url, origin || '/lazy-static/torrents/' || torrent_filename) as torrent,
      coalesce(file_url, origin || folder || filename) as address,
      coalesce(playlist_url, origin || folder || playlist_filename) as playlist,
      case when v.remote then metadata_url
        else coalesce(metadata_url, origin || format('/api/v1/videos/%s/metadata/%s', uuid, file.id)) end as known
  ) a, lateral (
    select file.id, wire_resolution(file.resolution) as resolution,
      'magnet:?xs=' || url_encode(torrent) || '&xt=urn:btih:' || info_hash || '&dn=' || v.name || trackers
        || '&ws=' || url_encode(address) as "magnetUri",
      file.size, file.fps, torrent as "torrentUrl",
      coalesce(torrent_url, origin || '/download/torrents/' || torrent_filename) as "torrentDownloadUrl",
      address as "fileUrl",
      case when v.remote then address else
        origin || case when of_playlist is null
          then format('/download/web-videos/%s-%s%s', uuid, file.resolution, extension)
          else format('/download/streaming-playlists/hls/videos/%s-%s-fragmented%s', uuid, file.resolution, extension)
        end end as "fileDownloadUrl",
      has_audio as "hasAudio", has_video as "hasVideo", file.storage
  ) f
  where (of_playlist is null and file.video_id = of_video) or file.streaming_playlist_id = of_playlist
$$;

create or replace function wire_video_details(of_video integer) returns text language sql stable as $$
  select wire_video_common(v.id, true) || wire_video_management(v.id) || ','
    || left(substr(row_to_json(x)::text, 2), -1)
  from video v, lateral (
    select v.support, wire_tags(v.id) as tags,
      wire_constant('commentsPolicy', v.comments_policy::text) as "commentsPolicy",
      v.download_enabled as "downloadEnabled", wire_time(v.input_file_updated_at) as "inputFileUpdatedAt",
      to_json(wire_video_trackers(v.id)) as "trackerUrls",
      wire_constant('embedPrivacyPolicy', v.embed_privacy_policy::text) as "embedPrivacyPolicy",
      wire_files(v.id, null) as files, wire_playlists(v.id) as "streamingPlaylists"
  ) x
  where v.id = of_video
$$;
`
