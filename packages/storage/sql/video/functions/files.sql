-- Renditions and streaming playlists in answers, and what the files of a video come to.

-- Files of the video itself, or of its streaming playlist. Absent: sizes that are not known, the playlist of a web
-- video.
create function wire_files(of_video integer, of_playlist integer) returns json language sql stable as $$
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

create function wire_playlists(of_video integer) returns json language sql stable as $$
  select coalesce(json_agg(row_to_json(p)), '[]') from (
    select s.id, s.type,
      coalesce(s.playlist_url, o.origin || folder || s.playlist_filename) as "playlistUrl",
      coalesce(s.segments_sha256_url, o.origin || folder || s.segments_sha256_filename) as "segmentsSha256Url",
      coalesce((
        select json_agg(json_build_object('baseUrl', r.base_url) order by r.id) from (
          select id, base_url from video_redundancy
          where streaming_playlist_id = s.id and (expires_at is null or expires_at > now()) order by id limit 20
        ) r
      ), '[]'::json) as redundancies, wire_files(v.id, s.id) as files
    from streaming_playlist s join video v on v.id = s.video_id, (select wire_origin() as origin) o,
      lateral (select '/static/streaming-playlists/hls/' || case when v.privacy > 2 then 'private/' else '' end || v.uuid
        || '/' as folder) d
    where s.video_id = of_video order by s.id
  ) p
$$;

-- Changes a video only where there is something to change: mostly there is not, since those who write files say so
-- before.
create function video_files_kept(ids integer[]) returns void language plpgsql as $$
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

create function video_file_kept() returns trigger language plpgsql as $$
begin
  perform video_files_kept(array(
    select distinct coalesce(c.video_id, s.video_id) from changed c
    left join streaming_playlist s on s.id = c.streaming_playlist_id
    where coalesce(c.video_id, s.video_id) is not null
  ));
  return null;
end $$;

create function streaming_playlist_kept() returns trigger language plpgsql as $$
begin
  perform video_files_kept(array(select distinct video_id from changed));
  return null;
end $$;
