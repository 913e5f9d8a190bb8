/**
 * Answers to readers, kept ready as JSON text (contract: Video, VideoDetails, Account, VideoChannel).
 *
 * `video_wire` holds a list item and the details of each video, `actor_wire` the account or channel of an actor. A null
 * means "made anew when read"; triggers set it, and `refresh_wire` fills it. Every source change updates the wire rows it
 * touches even if they are null already, and the refresher locks a row before it reads the sources in a later statement:
 * so text made from an older state can never be written after a newer one is committed.
 */
export const M0003VideoWire = `
create table wire_label (
  kind text not null,
  id text not null,
  label text not null,
  primary key (kind, id)
);

create table video_wire (
  video_id integer primary key references video (id) on delete cascade,
  summary text,
  details text
) with (toast_tuple_target = 4080, fillfactor = 80);
alter table video_wire alter column summary set storage main, alter column details set storage external;
create index video_wire_missing on video_wire (video_id) where summary is null or details is null;

create table actor_wire (
  actor_id integer primary key references actor (id) on delete cascade,
  wire text
);
create index actor_wire_missing on actor_wire (actor_id) where wire is null;

create function wire_origin() returns text language sql stable as
$$ select value #>> '{}' from instance_setting where key = 'origin' $$;

create function wire_host(origin text) returns text language sql immutable as
$$ select regexp_replace(origin, '^[a-z]+://', '') $$;

create function wire_time(moment timestamptz) returns text language sql stable as
$$ select to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

create function wire_constant(of_kind text, of_id text, quoted boolean default false) returns json
language sql stable as $$
  select format('{"id":%s,"label":%s}',
    case when of_id is null then 'null' when quoted then to_json(of_id)::text else of_id end,
    to_json(coalesce((select label from wire_label where kind = of_kind and id = of_id), 'Unknown')))::json
$$;

create function wire_resolution(resolution integer) returns json language sql immutable as $$
  select format('{"id":%s,"label":%s}', resolution,
    case when resolution = 0 then '"Audio only"' else '"' || resolution || 'p"' end)::json
$$;

-- The nearest of the ratios the contract names.
create function wire_ratio(width integer, height integer) returns text language sql immutable as $$
  select name from (values ('16:9', 16.0 / 9), ('16:10', 1.6), ('4:3', 4.0 / 3), ('5:4', 1.25), ('1:1', 1.0)) r (name, ratio)
  order by abs(ratio - width::numeric / greatest(height, 1)) limit 1
$$;

-- Flickr's base 58, 22 characters.
create function short_uuid(uuid uuid) returns text language plpgsql immutable as $$
declare
  digits constant text := '123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ';
  hex constant text := replace(uuid::text, '-', '');
  rest numeric := 0;
  quotient numeric;
  answer text := '';
begin
  for part in 0..3 loop
    rest := rest * 4294967296 + ('x' || lpad(substr(hex, part * 8 + 1, 8), 16, '0'))::bit(64)::bigint;
  end loop;
  for position in 1..22 loop
    quotient := div(rest, 58);
    answer := substr(digits, (rest - quotient * 58)::integer + 1, 1) || answer;
    rest := quotient;
  end loop;
  return answer;
end $$;

-- Percent-encoding of everything but unreserved characters (RFC 3986); the short way is for addresses of ours.
create function url_encode(value text) returns text language plpgsql immutable as $$
begin
  if value ~ '^[A-Za-z0-9_.~:/-]*$' then return replace(replace(value, ':', '%3A'), '/', '%2F'); end if;
  return (
    select string_agg(
      case when character ~ '^[A-Za-z0-9_.~-]$' then character
        else regexp_replace(upper(encode(convert_to(character, 'UTF8'), 'hex')), '(..)', '%\\1', 'g') end,
      '' order by n)
    from unnest(regexp_split_to_array(value, '')) with ordinality c (character, n)
  );
end $$;

create function wire_actor_images(of_actor integer, of_type smallint, origin text) returns json
language sql stable as $$
  select coalesce(json_agg(row_to_json(i)), '[]') from (
    select path, origin || path as "fileUrl", width, height, wire_time(created_at) as "createdAt",
      wire_time(updated_at) as "updatedAt"
    from (
      select *, case of_type when 1 then '/lazy-static/avatars/' else '/lazy-static/banners/' end || filename as path
      from actor_image where actor_id = of_actor and type = of_type order by width desc
    ) image
  ) i
$$;

create function wire_actor_summary(of_id integer, display_name text, of_actor integer, origin text) returns json
language sql stable as $$
  select row_to_json(s) from (
    select of_id as id, display_name as "displayName", a.preferred_username as name, a.url,
      coalesce(s.host::text, wire_host(origin)) as host, wire_actor_images(a.id, 1::smallint, origin) as avatars
    from actor a left join server s on s.id = a.server_id where a.id = of_actor
  ) s
$$;

create function wire_account(of_account integer) returns text language sql stable as $$
  select row_to_json(s)::text from (
    select c.id, a.url, a.preferred_username as name, coalesce(s.host::text, wire_host(o.origin)) as host,
      wire_actor_images(a.id, 1::smallint, o.origin) as avatars,
      coalesce(s.redundancy_allowed, false) as "hostRedundancyAllowed",
      a.following_count as "followingCount", a.followers_count as "followersCount",
      wire_time(coalesce(a.remote_created_at, a.created_at)) as "createdAt",
      wire_time(greatest(c.updated_at, a.updated_at)) as "updatedAt",
      c.display_name as "displayName", c.description, c.user_id as "userId"
    from account c join actor a on a.id = c.actor_id left join server s on s.id = a.server_id,
      (select wire_origin() as origin) o
    where c.id = of_account
  ) s
$$;

create function wire_channel(of_channel integer) returns text language sql stable as $$
  select row_to_json(s)::text from (
    select c.id, a.url, a.preferred_username as name, coalesce(s.host::text, wire_host(o.origin)) as host,
      wire_actor_images(a.id, 1::smallint, o.origin) as avatars, wire_actor_images(a.id, 2::smallint, o.origin) as banners,
      coalesce(s.redundancy_allowed, false) as "hostRedundancyAllowed",
      a.following_count as "followingCount", a.followers_count as "followersCount",
      wire_time(coalesce(a.remote_created_at, a.created_at)) as "createdAt",
      wire_time(greatest(c.updated_at, a.updated_at)) as "updatedAt",
      c.display_name as "displayName", c.description, c.support, c.public_email as "publicEmail",
      a.server_id is null as "isLocal", wire_account(c.account_id)::json as "ownerAccount"
    from video_channel c join actor a on a.id = c.actor_id left join server s on s.id = a.server_id,
      (select wire_origin() as origin) o
    where c.id = of_channel
  ) s
$$;

create function wire_thumbnails(of_video integer, origin text) returns json language sql stable as $$
  select coalesce(json_agg(row_to_json(t)), '[]') from (
    select coalesce(remote_url, origin || case type when 1 then '/lazy-static/thumbnails/' else '/lazy-static/previews/' end
      || filename) as "fileUrl", width, height, wire_ratio(width, height) as "aspectRatio"
    from thumbnail where video_id = of_video order by width, id
  ) t
$$;

create function wire_picture(of_video integer, of_type smallint, folder text) returns text language sql stable as $$
  select coalesce((
    select folder || filename from thumbnail where video_id = of_video and type = of_type order by width desc, id limit 1
  ), '')
$$;

create function wire_truncated(description text) returns text language sql immutable as $$
  select case when length(description) > 250 then left(description, 247) || '...' else description end
$$;

-- The members a list item and the details share, without the braces.
create function wire_video_common(of_video integer, complete boolean) returns text language sql stable as $$
  select left(substr(row_to_json(x)::text, 2), -1) from (
    select v.id, v.uuid, short_uuid(v.uuid) as "shortUUID", v.url, v.name,
      wire_constant('category', v.category::text) as category,
      wire_constant('licence', v.licence::text) as licence,
      wire_constant('language', v.language, true) as language,
      wire_constant('privacy', v.privacy::text) as privacy,
      v.nsfw, v.nsfw_flags as "nsfwFlags", coalesce(v.nsfw_summary, '') as "nsfwSummary",
      wire_truncated(v.description) as "truncatedDescription",
      case when complete then v.description else wire_truncated(v.description) end as description,
      not v.remote as "isLocal", v.duration, trim_scale(round(v.aspect_ratio::numeric, 4)) as "aspectRatio",
      v.views, 0 as viewers, v.likes, v.dislikes, v.comments, v.downloads,
      wire_picture(v.id, 1::smallint, '/lazy-static/thumbnails/') as "thumbnailPath",
      wire_picture(v.id, 2::smallint, '/lazy-static/previews/') as "previewPath",
      wire_thumbnails(v.id, wire_origin()) as thumbnails,
      '/videos/embed/' || v.uuid as "embedPath",
      wire_time(v.created_at) as "createdAt", wire_time(v.updated_at) as "updatedAt",
      wire_time(v.published_at) as "publishedAt", wire_time(v.originally_published_at) as "originallyPublishedAt",
      v.is_live as "isLive"
    from video v where v.id = of_video
  ) x
$$;

create function wire_video_summary(of_video integer) returns text language sql stable as $$
  select '{' || wire_video_common(v.id, false)
    || ',"account":' || wire_actor_summary(a.id, a.display_name, a.actor_id, wire_origin())
    || ',"channel":' || wire_actor_summary(c.id, c.display_name, c.actor_id, wire_origin()) || '}'
  from video v join account a on a.id = v.account_id join video_channel c on c.id = v.channel_id
  where v.id = of_video
$$;

create function wire_trackers(origin text) returns text[] language sql immutable as
$$ select array[origin || '/tracker/announce', regexp_replace(origin, '^http', 'ws') || '/tracker/socket'] $$;

-- Files of the video itself, or of its streaming playlist. Absent: sizes that are not known, the playlist of a web video.
create function wire_files(of_video integer, of_playlist integer) returns json language sql stable as $$
  with video as materialized (
    select v.uuid, o.origin, replace(url_encode(v.name), '%20', '+') as name,
      (select string_agg('&tr=' || url_encode(t), '') from unnest(wire_trackers(o.origin)) t) as trackers,
      case when of_playlist is null then '/static/web-videos/' || private
        else '/static/streaming-playlists/hls/' || private || v.uuid || '/' end as folder
    from video v, (select wire_origin() as origin offset 0) o,
      lateral (select case when v.privacy > 2 then 'private/' else '' end as private) p
    where v.id = of_video
  )
  select coalesce(json_agg((
    left(row_to_json(f)::text, -1) || coalesce(',"width":' || file.width, '') || coalesce(',"height":' || file.height, '')
      || coalesce(',"playlistUrl":' || to_json(playlist), '') || '}'
  )::json order by file.resolution desc, file.fps desc, file.id), '[]')
  from video_file file cross join video v, lateral (
    select '.' || ltrim(extname, '.') as extension,
      origin || '/lazy-static/torrents/' || torrent_filename as torrent,
      coalesce(file_url, origin || folder || filename) as address,
      coalesce(playlist_url, origin || folder || playlist_filename) as playlist
  ) a, lateral (
    select file.id, wire_resolution(file.resolution) as resolution,
      'magnet:?xs=' || url_encode(torrent) || '&xt=urn:btih:' || info_hash || '&dn=' || v.name || trackers
        || '&ws=' || url_encode(address) as "magnetUri",
      file.size, file.fps, torrent as "torrentUrl",
      origin || '/download/torrents/' || torrent_filename as "torrentDownloadUrl",
      address as "fileUrl",
      origin || case when of_playlist is null
        then format('/download/web-videos/%s-%s%s', uuid, file.resolution, extension)
        else format('/download/streaming-playlists/hls/videos/%s-%s-fragmented%s', uuid, file.resolution, extension) end
        as "fileDownloadUrl",
      coalesce(metadata_url, origin || format('/api/v1/videos/%s/metadata/%s', uuid, file.id)) as "metadataUrl",
      has_audio as "hasAudio", has_video as "hasVideo", file.storage
  ) f
  where (of_playlist is null and file.video_id = of_video) or file.streaming_playlist_id = of_playlist
$$;

create function wire_playlists(of_video integer) returns json language sql stable as $$
  select coalesce(json_agg(row_to_json(p)), '[]') from (
    select s.id, s.type,
      coalesce(s.playlist_url, o.origin || folder || s.playlist_filename) as "playlistUrl",
      coalesce(s.segments_sha256_url, o.origin || folder || s.segments_sha256_filename) as "segmentsSha256Url",
      '[]'::json as redundancies, wire_files(v.id, s.id) as files
    from streaming_playlist s join video v on v.id = s.video_id, (select wire_origin() as origin) o,
      lateral (select '/static/streaming-playlists/hls/' || case when v.privacy > 2 then 'private/' else '' end || v.uuid
        || '/' as folder) d
    where s.video_id = of_video order by s.id
  ) p
$$;

create function wire_tags(of_video integer) returns json language sql stable as $$
  select coalesce(json_agg(t.name order by t.name), '[]')
  from video_tag vt join tag t on t.id = vt.tag_id where vt.video_id = of_video
$$;

-- Members only who manages a video sees in lists, and everybody in the details; begins with a comma.
create function wire_video_management(of_video integer) returns text language sql stable as $$
  select ',"state":' || wire_constant('state', v.state::text)
    || ',"waitTranscoding":' || v.wait_transcoding
    || case when s.video_id is null then ''
      when s.privacy is null then ',"scheduledUpdate":' || json_build_object('updateAt', wire_time(s.update_at))
      else ',"scheduledUpdate":' || json_build_object('updateAt', wire_time(s.update_at), 'privacy', s.privacy) end
    || ',"blacklisted":' || (b.id is not null) || ',"blacklistedReason":' || coalesce(to_json(b.reason)::text, 'null')
  from video v left join video_schedule_update s on s.video_id = v.id left join video_blacklist b on b.video_id = v.id
  where v.id = of_video
$$;

-- The details without braces, account and channel: those come from actor_wire.
create function wire_video_details(of_video integer) returns text language sql stable as $$
  select wire_video_common(v.id, true) || wire_video_management(v.id) || ','
    || left(substr(row_to_json(x)::text, 2), -1)
  from video v, lateral (
    select v.support, wire_tags(v.id) as tags,
      wire_constant('commentsPolicy', v.comments_policy::text) as "commentsPolicy",
      v.download_enabled as "downloadEnabled", wire_time(v.input_file_updated_at) as "inputFileUpdatedAt",
      to_json(wire_trackers(wire_origin())) as "trackerUrls",
      wire_constant('embedPrivacyPolicy', v.embed_privacy_policy::text) as "embedPrivacyPolicy",
      wire_files(v.id, null) as files, wire_playlists(v.id) as "streamingPlaylists"
  ) x
  where v.id = of_video
$$;
`
