-- Parts of the answers about a video.

create function wire_resolution(resolution integer) returns json language sql immutable as $$
  select format('{"id":%s,"label":%s}', resolution,
    case when resolution = 0 then '"Audio only"' else '"' || resolution || 'p"' end)::json
$$;

-- The nearest of the ratios the contract names.
create function wire_ratio(width integer, height integer) returns text language sql immutable as $$
  select case
    when width < 1.125::float8 * greatest(height, 1) then '1:1'
    when width < 1.2916666::float8 * greatest(height, 1) then '5:4'
    when width < 1.4666666::float8 * greatest(height, 1) then '4:3'
    when width < 1.6888888::float8 * greatest(height, 1) then '16:10'
    else '16:9' end
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

create function wire_tags(of_video integer) returns json language sql stable as $$
  select coalesce(json_agg(t.name order by t.name), '[]')
  from video_tag vt join tag t on t.id = vt.tag_id where vt.video_id = of_video
$$;

create function wire_trackers(origin text) returns text[] language sql immutable as
$$ select array[origin || '/tracker/announce', regexp_replace(origin, '^http', 'ws') || '/tracker/socket'] $$;

create function wire_video_trackers(of_video integer) returns text[] language sql stable as $$
  select case when v.remote then coalesce((select tracker_urls from remote_video where video_id = v.id), '{}')
    else wire_trackers(wire_origin()) end
  from video v where v.id = of_video
$$;

-- A video inside a notification (contract: VideoInfo).
create function wire_video_info(of_video integer) returns jsonb language sql stable as $$
  select jsonb_build_object('id', v.id, 'uuid', v.uuid, 'shortUUID', short_uuid(v.uuid), 'name', v.name,
    'state', wire_constant('state', v.state::text))
  from video v where v.id = of_video
$$;

-- The file a video was made from (contract: VideoSource).
create function wire_video_source(of_video integer) returns text language sql stable as $$
  select '{"fileDownloadUrl":' || coalesce(to_json(url)::text, 'null') || ','
    || substr(json_strip_nulls(row_to_json(s))::text, 2) from (
    select input_filename as "inputFilename", case when resolution is null then null else wire_resolution(resolution) end as resolution,
      size, fps, width, height, wire_time(created_at) as "createdAt", metadata
    from video_source where video_id = of_video order by created_at desc limit 1
  ) s, lateral (
    select wire_origin() || '/download/original-video-files/' || filename as url
    from video_source where video_id = of_video order by created_at desc limit 1
  ) u
$$;
