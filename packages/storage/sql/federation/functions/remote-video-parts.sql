-- Files, pictures and tags of videos of other instances.

create function remote_files(of_video integer, of_playlist integer) returns jsonb language sql stable as $$
  select coalesce(jsonb_agg(jsonb_build_object('url', file_url, 'extension', extname, 'resolution', resolution,
      'width', width, 'height', height, 'size', size, 'fps', fps, 'hasAudio', has_audio, 'hasVideo', has_video,
      'metadataUrl', metadata_url, 'torrentUrl', torrent_url, 'infoHash', info_hash) order by id), '[]')
  from video_file where (of_playlist is null and video_id = of_video) or streaming_playlist_id = of_playlist
$$;

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
