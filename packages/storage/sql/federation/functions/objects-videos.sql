-- What others read of videos.

-- The links of each file: itself, what is known of it, its torrent. Web videos when there is no playlist.
create function ap_file_links(
  of_video integer, of_playlist integer, of_uuid uuid, folder text, origin text, encoded_name text, trackers text
) returns text language plpgsql stable as $$
begin
  return (
    select string_agg(
      '{"type":"Link","mediaType":"' || l.media || '","href":' || to_json(l.address) || l.height || l.width
        || ',"size":' || f.size || l.fps || ',"attachment":['
        || case when f.has_audio then '{"type":"PropertyValue","name":"ffprobe_codec_type","value":"audio"},' else '' end
        || case when f.has_video then '{"type":"PropertyValue","name":"ffprobe_codec_type","value":"video"},' else '' end
        || '{"type":"PropertyValue","name":"peertube_format_flag","value":"'
        || case when of_playlist is null then 'web-video' else 'fragmented' end
        || '"}]},{"type":"Link","rel":["metadata","' || l.media || '"],"mediaType":"application/json","href":'
        || to_json(coalesce(f.metadata_url, origin || '/api/v1/videos/' || of_uuid || '/metadata/' || f.id))
        || l.height || l.width || l.fps || '}'
        || case when l.torrent is null then '' else
          ',{"type":"Link","mediaType":"application/x-bittorrent","href":' || to_json(l.torrent) || l.height || l.width
          || l.fps || '}' end
        || case when l.torrent is null or f.info_hash is null then '' else
          ',{"type":"Link","mediaType":"application/x-bittorrent;x-scheme-handler/magnet","href":'
          || to_json('magnet:?xs=' || url_encode(l.torrent) || '&xt=urn:btih:' || f.info_hash || '&dn=' || encoded_name
            || trackers || '&ws=' || url_encode(l.address)) || l.height || l.width || l.fps || '}' end,
      ',' order by f.resolution desc, f.fps desc, f.id)
    from video_file f, lateral (
      select
        case when not f.has_video then 'audio/mp4' when f.extname like '%webm' then 'video/webm'
          when f.extname like '%ogv' then 'video/ogg' else 'video/mp4' end as media,
        coalesce(f.file_url, origin || folder || f.filename) as address,
        origin || '/lazy-static/torrents/' || f.torrent_filename as torrent,
        ',"height":' || coalesce(f.height, f.resolution) as height,
        ',"width":' || coalesce(f.width::text, 'null') as width,
        ',"fps":' || f.fps as fps
    ) l
    where (of_playlist is null and f.video_id = of_video) or f.streaming_playlist_id = of_playlist
  );
end $$;

create function ap_video(of_video integer) returns text language plpgsql stable as $$
declare
  origin constant text := wire_origin();
  v video;
  account_url text;
  channel_url text;
  hls_folder text;
  encoded_name text;
  trackers text;
  web_files text;
  playlists text;
begin
  select * into v from video where id = of_video;
  if v.id is null then return null; end if;
  select a.url into account_url from account c join actor a on a.id = c.actor_id where c.id = v.account_id;
  select a.url into channel_url from video_channel c join actor a on a.id = c.actor_id where c.id = v.channel_id;
  hls_folder := '/static/streaming-playlists/hls/' || v.uuid || '/';
  encoded_name := replace(url_encode(v.name), '%20', '+');
  trackers := (select string_agg('&tr=' || url_encode(t), '') from unnest(wire_trackers(origin)) t);
  web_files := ap_file_links(v.id, null, v.uuid, '/static/web-videos/', origin, encoded_name, trackers);
  playlists := (
    select string_agg(
      '{"type":"Link","mediaType":"application/x-mpegURL","href":'
        || to_json(coalesce(s.playlist_url, origin || hls_folder || s.playlist_filename)) || ',"tag":['
        || concat_ws(',',
          '{"type":"Link","name":"sha256","mediaType":"application/json","href":'
            || to_json(coalesce(s.segments_sha256_url, origin || hls_folder || s.segments_sha256_filename)) || '}',
          ap_file_links(v.id, s.id, v.uuid, hls_folder, origin, encoded_name, trackers)) || ']}',
      ',' order by s.id)
    from streaming_playlist s
    where s.video_id = v.id and (s.playlist_url is not null or s.playlist_filename is not null)
  );
  return '{' || ap_audience(account_url, v.privacy = 1) || ',"type":"Video","id":' || to_json(v.url)
    || ',"name":' || to_json(v.name) || ',"duration":"PT' || v.duration || 'S","uuid":"' || v.uuid || '"'
    || coalesce((select ',"category":{"identifier":"' || id || '","name":' || to_json(label) || '}'
      from wire_label where kind = 'category' and id = v.category::text), '')
    || coalesce((select ',"licence":{"identifier":"' || id || '","name":' || to_json(label) || '}'
      from wire_label where kind = 'licence' and id = v.licence::text), '')
    || coalesce((select ',"language":{"identifier":' || to_json(id) || ',"name":' || to_json(label) || '}'
      from wire_label where kind = 'language' and id = v.language), '')
    || ',"views":' || v.views || ',"downloads":' || v.downloads || ',"sensitive":' || v.nsfw
    || coalesce(',"summary":' || to_json(nullif(v.nsfw_summary, '')), '')
    || ',"waitTranscoding":' || v.wait_transcoding || ',"state":' || v.state
    || ',"canReply":' || case v.comments_policy when 1 then 'null' else to_json(ap_public())::text end
    || ',"commentsPolicy":' || v.comments_policy || ',"downloadEnabled":' || v.download_enabled
    || ',"embedUrl":'
    || case v.embed_privacy_policy when 1 then to_json(origin || '/videos/embed/' || v.uuid)::text else 'null' end
    || ',"published":"' || wire_time(v.published_at)
    || '","originallyPublishedAt":' || coalesce(to_json(wire_time(v.originally_published_at))::text, 'null')
    || ',"updated":"' || wire_time(v.updated_at) || '"'
    || coalesce(',"uploadDate":"' || wire_time(v.input_file_updated_at) || '"', '')
    || ',"tag":[' || concat_ws(',',
      (select string_agg('{"type":"Hashtag","name":' || to_json(t.name::text) || '}', ',' order by t.name)
        from video_tag l join tag t on t.id = l.tag_id where l.video_id = v.id),
      case when v.nsfw and v.nsfw_flags & 1 > 0 then '{"type":"SensitiveTag","name":"violent"}' end,
      case when v.nsfw and v.nsfw_flags & 2 > 0 then '{"type":"SensitiveTag","name":"explicitSex"}' end)
    || '],"mediaType":"text/markdown","content":' || coalesce(to_json(v.description)::text, 'null')
    || ',"support":' || coalesce(to_json(v.support)::text, 'null')
    || ',"subtitleLanguage":[' || coalesce((
      select string_agg(
        '{"identifier":' || to_json(c.language) || ',"name":' || to_json(coalesce(l.label, 'Unknown'))
          || ',"automaticallyGenerated":' || c.automatically_generated
          || ',"url":[{"type":"Link","mediaType":"text/vtt","href":'
          || to_json(coalesce(c.remote_url, origin || '/lazy-static/video-captions/' || c.filename)) || '}'
          || coalesce(',{"type":"Link","mediaType":"application/x-mpegURL","href":'
            || to_json(origin || hls_folder || c.playlist_filename) || '}', '') || ']}',
        ',' order by c.language)
      from video_caption c left join wire_label l on l.kind = 'language' and l.id = c.language where c.video_id = v.id
    ), '')
    || '],"icon":[' || coalesce((
      select string_agg(
        ap_image(
          coalesce(t.remote_url, origin
            || case t.type when 1 then '/lazy-static/thumbnails/' else '/lazy-static/previews/' end || t.filename),
          t.filename, t.width, t.height
        ), ',' order by t.width, t.id)
      from thumbnail t where t.video_id = v.id
    ), '') || ']'
    || coalesce((
      select ',"preview":[{"type":"Image","rel":["storyboard"],"url":[{"mediaType":"' || ap_image_type(s.filename)
        || '","href":' || to_json(coalesce(s.remote_url, origin || '/lazy-static/storyboards/' || s.filename))
        || ',"width":' || s.total_width || ',"height":' || s.total_height || ',"tileWidth":' || s.sprite_width
        || ',"tileHeight":' || s.sprite_height || ',"tileDuration":"PT' || s.sprite_duration || 'S"}]}]'
      from storyboard s where s.video_id = v.id
    ), '')
    || ',"aspectRatio":' || coalesce(trim_scale(round(v.aspect_ratio::numeric, 4))::text, 'null')
    || ',"url":['
    || concat_ws(',',
      '{"type":"Link","mediaType":"text/html","href":' || to_json(origin || '/w/' || short_uuid(v.uuid)) || '}',
      '{"type":"Link","mediaType":"text/html","href":' || to_json(v.url) || '}',
      web_files, playlists,
      '{"type":"Link","name":"tracker-http","rel":["tracker","http"],"href":' || to_json((wire_trackers(origin))[1]) || '}',
      '{"type":"Link","name":"tracker-websocket","rel":["tracker","websocket"],"href":'
        || to_json((wire_trackers(origin))[2]) || '}')
    || '],"likes":' || to_json(v.url || '/likes') || ',"dislikes":' || to_json(v.url || '/dislikes')
    || ',"shares":' || to_json(v.url || '/announces') || ',"comments":' || to_json(v.url || '/comments')
    || ',"hasParts":' || to_json(v.url || '/chapters') || ',"playerSettings":' || to_json(v.url || '/player-settings')
    || ',"attributedTo":[' || to_json(account_url) || ',' || to_json(channel_url) || '],"audience":' || to_json(channel_url)
    || ',"isLiveBroadcast":' || v.is_live
    || ',"liveSaveReplay":null,"permanentLive":null,"latencyMode":null,"dvrWindow":null}';
end $$;

-- The row first, what it is made of in a later statement: see `video_wire`. Who reads waits for nobody: while the row
-- is being changed the text is made and not kept.
create function ap_video_kept(of_video integer) returns text language plpgsql as $$
declare
  made text;
begin
  perform 1 from video_wire
    where video_id = of_video and summary is not null and details is not null for no key update skip locked;
  if not found then return ap_video(of_video); end if;
  made := ap_video(of_video);
  update video_wire set object = made where video_id = of_video;
  return made;
end $$;

create function ap_chapters(of_video integer) returns text language sql stable as $$
  select '{"id":' || to_json(v.url || '/chapters') || ',"hasPart":[' || coalesce((
      select string_agg(
        '{"name":' || to_json(title) || ',"startOffset":' || timecode || ',"endOffset":' || ends || '}', ',' order by timecode)
      from (
        select title, timecode, coalesce(lead(timecode) over (order by timecode), greatest(v.duration, timecode)) as ends
        from video_chapter where video_id = v.id
      ) c
    ), '') || ']}'
  from video v where v.id = of_video
$$;

-- A CacheFile of ours (contract: activitypub.json, CacheFile), without its context.
create function ap_cache_file(of_redundancy integer) returns text language sql stable as $$
  select json_build_object('id', r.url, 'type', 'CacheFile', 'object', v.url, 'expires', wire_time(r.expires_at),
    'url', json_build_object('type', 'Link', 'mediaType', 'application/x-mpegURL', 'href', r.base_url))::text
  from video_redundancy r join video v on v.id = r.video_id where r.id = of_redundancy and r.strategy is not null
$$;

create function video_object_void() returns trigger language plpgsql as $$
begin
  new.object := null;
  return new;
end $$;

-- Parts that no other ready text shows.
create function video_object_part_void() returns trigger language plpgsql as $$
begin
  update video_wire set object = null
    where video_id = case when tg_op = 'DELETE' then old.video_id else new.video_id end;
  return null;
end $$;
