/**
 * What others read: each function gives the JSON text of an ActivityPub object without its `@context` (contract:
 * activitypub.json). Objects hold addresses of others, never these themselves.
 *
 * `video_is_federated` decides what crosses the network, in either direction of asking: what it denies is neither sent
 * nor shown. `video_is_dereferenced` is stricter: what moderators took away is shown to nobody, even when the copies
 * elsewhere are to stay.
 */
export const M0034ActivityPubObjects = `
alter table actor
  -- FEP-5feb, and the flag of directories of profiles.
  add column indexable boolean not null default true,
  add column discoverable boolean not null default true;

-- A second key of each local actor (FEP-521a), kept as the first is. Beside its row: what is made of that stays as it is
-- when the key comes later.
create table actor_multikey (
  actor_id integer primary key references actor (id) on delete cascade,
  -- Ed25519.
  multibase text not null unique,
  -- PKCS #8, PEM.
  private_key text not null,
  created_at timestamptz not null default now()
);

alter table video_comment
  -- Where the instance of the video said that it shows a comment of ours.
  add column reply_approval_url text;

-- Pages of what is counted by the million are read in the order of an index.
create index actor_follow_followers on actor_follow (target_actor_id, id) where state = 'accepted';
create index actor_follow_followed on actor_follow (actor_id, id) where state = 'accepted';
drop index account_video_rate_video;
create index account_video_rate_video on account_video_rate (video_id, type, account_id);

create function ap_public() returns text language sql immutable as
$$ select 'https://www.w3.org/ns/activitystreams#Public' $$;

-- Local, ready to be watched (published, a live that waits, one that has ended), and for everybody who has the address:
-- what asks for a password or a login is of another privacy.
create function video_is_federated(of_video integer) returns boolean language plpgsql stable as $$
begin
  return exists (
    select from video v where v.id = of_video and not v.remote and v.privacy in (1, 2) and v.state in (1, 4, 5)
      and not exists (select from video_blacklist b where b.video_id = v.id and b.unfederated)
  );
end $$;

create function video_is_dereferenced(of_video integer) returns boolean language plpgsql stable as $$
begin
  return video_is_federated(of_video) and not exists (select from video_blacklist b where b.video_id = of_video);
end $$;

-- Comments of this instance on videos elsewhere are objects of ours, too.
create function comment_is_federated(of_comment integer) returns boolean language sql stable as $$
  select exists (
    select from video_comment c join video v on v.id = c.video_id
    where c.id = of_comment and not c.held_for_review and v.privacy in (1, 2)
      and case when v.remote then true else video_is_dereferenced(v.id) end
  )
$$;

create function playlist_is_federated(of_playlist integer) returns boolean language sql stable as
$$ select exists (select from video_playlist where id = of_playlist and not remote and privacy in (1, 2)) $$;

-- Who is told: the members "to" and "cc", without braces.
create function ap_audience(actor_url text, for_all boolean) returns text language sql immutable as $$
  select case when for_all
    then '"to":["https://www.w3.org/ns/activitystreams#Public"],"cc":[' || to_json(actor_url || '/followers') || ']'
    else '"to":[],"cc":[]' end
$$;

create function ap_image_type(filename text) returns text language sql immutable as $$
  select case lower(substring(filename from '[.]([^.]+)$'))
    when 'png' then 'image/png' when 'webp' then 'image/webp' when 'gif' then 'image/gif' when 'avif' then 'image/avif'
    else 'image/jpeg' end
$$;

create function ap_image(address text, filename text, width integer, height integer) returns text
language sql immutable as $$
  select '{"type":"Image","url":' || to_json(address) || ',"mediaType":"' || ap_image_type(filename) || '","width":' || width
    || ',"height":' || height || '}'
$$;

create function ap_actor_images(of_actor integer, of_type smallint, origin text) returns text language sql stable as $$
  select string_agg(
    ap_image(
      coalesce(remote_url, origin || case of_type when 1 then '/lazy-static/avatars/' else '/lazy-static/banners/' end
        || filename),
      filename, width, height
    ), ',' order by width desc, id)
  from actor_image where actor_id = of_actor and type = of_type
$$;

create function ap_actor(of_actor integer) returns text language plpgsql stable as $$
declare
  origin constant text := wire_origin();
  a actor;
  person account;
  channel video_channel;
  avatars text;
  banners text;
begin
  select * into a from actor where id = of_actor;
  if a.id is null then return null; end if;
  if a.type = 'Group' then
    select * into channel from video_channel where actor_id = a.id;
  else
    select * into person from account where actor_id = a.id;
  end if;
  avatars := ap_actor_images(a.id, 1::smallint, origin);
  banners := ap_actor_images(a.id, 2::smallint, origin);
  return '{"type":"' || a.type || '","id":' || to_json(a.url)
    || ',"following":' || to_json(coalesce(a.following_url, a.url || '/following'))
    || ',"followers":' || to_json(coalesce(a.followers_url, a.url || '/followers'))
    || ',"playlists":' || to_json(coalesce(a.playlists_url, a.url || '/playlists'))
    || ',"inbox":' || to_json(a.inbox_url)
    || ',"outbox":' || to_json(coalesce(a.outbox_url, a.url || '/outbox'))
    || ',"preferredUsername":' || to_json(a.preferred_username::text)
    || ',"url":' || to_json(a.url)
    || ',"name":' || to_json(coalesce(channel.display_name, person.display_name, a.preferred_username::text))
    || ',"endpoints":{"sharedInbox":' || to_json(coalesce(a.shared_inbox_url, origin || '/inbox'))
    || '},"publicKey":{"id":' || to_json(a.url || '#main-key') || ',"owner":' || to_json(a.url)
    || ',"publicKeyPem":' || to_json(a.public_key) || '}'
    || coalesce((
      select ',"assertionMethod":[{"id":' || to_json(a.url || '#ed25519-key') || ',"type":"Multikey","controller":'
        || to_json(a.url) || ',"publicKeyMultibase":' || to_json(k.multibase) || '}]'
      from actor_multikey k where k.actor_id = a.id
    ), '')
    || ',"published":"'
    || wire_time(coalesce(a.remote_created_at, a.created_at)) || '"'
    || coalesce(',"icon":[' || avatars || ']', '') || coalesce(',"image":[' || banners || ']', '')
    || ',"summary":' || coalesce(to_json(coalesce(channel.description, person.description))::text, 'null')
    || ',"indexable":' || a.indexable || ',"discoverable":' || a.discoverable
    || case when channel.id is null then '' else
      ',"support":' || coalesce(to_json(channel.support)::text, 'null') || ',"postingRestrictedToMods":true'
      || ',"attributedTo":['
      || (select to_json(o.url) from account c join actor o on o.id = c.actor_id where c.id = channel.account_id)
      || '],"playerSettings":' || to_json(a.url || '/player-settings')
      || coalesce(',"email":' || to_json(channel.public_email), '') end
    || '}';
end $$;

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

-- Ready texts of videos that others ask for, beside those of M0003 and void with them; made when somebody first asks.
alter table video_wire add column object text;
alter table video_wire alter column object set storage external;
create function video_object_void() returns trigger language plpgsql as $$
begin
  new.object := null;
  return new;
end $$;
create trigger video_object_void before update on video_wire for each row
  when (new.object is not null and (new.summary is null or new.details is null)) execute function video_object_void();

-- Parts that no other ready text tells of.
create function video_object_part_void() returns trigger language plpgsql as $$
begin
  update video_wire set object = null
    where video_id = case when tg_op = 'DELETE' then old.video_id else new.video_id end;
  return null;
end $$;
create trigger video_object_void after insert or update or delete on video_caption
  for each row execute function video_object_part_void();
create trigger video_object_void after insert or update or delete on storyboard
  for each row execute function video_object_part_void();

-- The row first, what it is made of in a later statement: see M0003. Who reads waits for nobody: while the row is being
-- changed the text is made and not kept.
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

-- A comment with who it answers and mentions; what is left of a deleted one.
create function ap_note(of_comment integer) returns text language plpgsql stable as $$
declare
  origin constant text := wire_origin();
  c video_comment;
  above video_comment;
  target record;
  author text;
  reply_to text;
  told integer[] := '{}';
  tags text;
  addressed text;
  steps integer := 0;
begin
  select * into c from video_comment where id = of_comment;
  if c.id is null then return null; end if;
  select v.url, v.uuid, v.remote, a.url as channel_url, o.url as owner_url into target
    from video v join video_channel h on h.id = v.channel_id join actor a on a.id = h.actor_id
      join account w on w.id = v.account_id join actor o on o.id = w.actor_id
    where v.id = c.video_id;
  reply_to := target.url;
  if c.in_reply_to_comment_id is not null then
    select url into reply_to from video_comment where id = c.in_reply_to_comment_id;
  end if;
  if c.deleted_at is not null then
    return '{"id":' || to_json(c.url) || ',"type":"Tombstone","formerType":"Note","inReplyTo":' || to_json(reply_to)
      || ',"published":"' || wire_time(c.created_at) || '","updated":"' || wire_time(c.updated_at)
      || '","deleted":"' || wire_time(c.deleted_at) || '"}';
  end if;
  select a.url into author from account o join actor a on a.id = o.actor_id where o.id = c.account_id;
  above := c;
  while above.in_reply_to_comment_id is not null and steps < 100 loop
    select * into above from video_comment where id = above.in_reply_to_comment_id;
    if above.account_id is not null and above.account_id is distinct from c.account_id then
      told := told || above.account_id;
    end if;
    steps := steps + 1;
  end loop;
  if position('@' in c.text) > 0 then
    told := told || array(
      select o.id from (
        select m[1] as name, nullif(lower(m[2]), wire_host(origin)) as host
        from regexp_matches(c.text, '(?:^|[^A-Za-z0-9_@/])@([A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,126}[A-Za-z0-9_])?)(?:@([A-Za-z0-9.:-]{1,255}[A-Za-z0-9]))?', 'g') m
        limit 50
      ) n
      left join server s on s.host = n.host::citext
      join actor a on a.preferred_username = n.name::citext and a.server_id is not distinct from s.id
        and (n.host is null or s.id is not null)
      join account o on o.actor_id = a.id
      where o.id <> c.account_id
    );
  end if;
  select
    string_agg('{"type":"Mention","href":' || to_json(m.url) || ',"name":' || to_json(m.name) || '}', ',' order by m.id),
    string_agg(to_json(m.url)::text, ',' order by m.id)
    into tags, addressed
    from (
      select a.id, a.url, '@' || a.preferred_username || '@' || coalesce(s.host::text, wire_host(origin)) as name
      from account o join actor a on a.id = o.actor_id left join server s on s.id = a.server_id where o.id = any(told)
    ) m;
  return '{"to":["https://www.w3.org/ns/activitystreams#Public"],"cc":['
    || concat_ws(',', to_json(author || '/followers')::text,
      case when target.remote then to_json(target.owner_url) else to_json(target.channel_url || '/followers') end::text,
      addressed)
    || '],"type":"Note","id":' || to_json(c.url) || ',"content":' || to_json(c.text)
    || ',"mediaType":"text/markdown","inReplyTo":' || to_json(reply_to)
    || ',"updated":"' || wire_time(c.updated_at) || '","published":"' || wire_time(c.created_at)
    || '","url":' || to_json(c.url) || ',"attributedTo":' || to_json(author)
    || ',"replyApproval":' || coalesce(to_json(case
      when target.remote then c.reply_approval_url
      when not c.held_for_review then
        origin || '/videos/watch/' || target.uuid || '/comments/' || c.id || '/approve-reply'
      end)::text, 'null')
    || ',"tag":[' || coalesce(tags, '') || '],"audience":' || to_json(target.channel_url) || '}';
end $$;

-- That a comment, of whoever it is, may stand below a video of ours; null as long as it may not.
create function ap_approve_reply(of_comment integer) returns text language sql stable as $$
  select '{"type":"ApproveReply","id":'
    || to_json(wire_origin() || '/videos/watch/' || v.uuid || '/comments/' || c.id || '/approve-reply')
    || ',"actor":' || to_json(a.url) || ',"object":' || to_json(c.url)
    || ',"inReplyTo":' || to_json(coalesce(p.url, v.url)) || '}'
  from video_comment c join video v on v.id = c.video_id join account o on o.id = v.account_id
    join actor a on a.id = o.actor_id left join video_comment p on p.id = c.in_reply_to_comment_id
  where c.id = of_comment and not v.remote and not c.held_for_review and c.deleted_at is null
$$;

create function ap_playlist(of_playlist integer) returns text language sql stable as $$
  select '{' || ap_audience(a.url, p.privacy = 1) || ',"id":' || to_json(p.url)
    || ',"type":"Playlist","totalItems":' || p.videos_length
    || case when p.videos_length > 0 then ',"first":' || to_json(p.url || '?page=1') else '' end
    || ',"name":' || to_json(p.name) || ',"content":' || coalesce(to_json(p.description)::text, 'null')
    || ',"mediaType":"text/markdown","uuid":"' || p.uuid || '","published":"' || wire_time(p.created_at)
    || '","updated":"' || wire_time(p.updated_at)
    || '","attributedTo":[' || to_json(coalesce(h.url, a.url)) || ']'
    || coalesce(',"audience":' || to_json(h.url) || ',"videoChannelPosition":' || p.channel_position, '')
    || coalesce((
      select ',"icon":'
        || ap_image(coalesce(remote_url, wire_origin() || '/lazy-static/thumbnails/' || filename), filename, width, height)
      from (
        select filename, width, height, remote_url, id from video_playlist_thumbnail where playlist_id = p.id
        union all
        select t.filename, t.width, t.height, t.remote_url, t.id from thumbnail t
        where t.video_id = playlist_cover(p.id) and t.type = 1
          and not exists (select from video_playlist_thumbnail where playlist_id = p.id)
      ) pictures order by width desc, id limit 1
    ), '') || '}'
  from video_playlist p join account o on o.id = p.owner_account_id join actor a on a.id = o.actor_id
    left join video_channel c on c.id = p.channel_id left join actor h on h.id = c.actor_id
  where p.id = of_playlist
$$;

-- Null when its video is none that others may know of.
create function ap_playlist_element(of_element integer) returns text language sql stable as $$
  select '{"id":' || to_json(coalesce(e.url, p.url || '/videos/' || e.id)) || ',"type":"PlaylistElement","url":'
    || to_json(v.url) || ',"position":' || e.position
    || coalesce(',"startTimestamp":' || e.start_timestamp, '') || coalesce(',"stopTimestamp":' || e.stop_timestamp, '') || '}'
  from video_playlist_element e join video_playlist p on p.id = e.playlist_id join video v on v.id = e.video_id
  where e.id = of_element
    and case when v.remote then v.privacy in (1, 2) else video_is_dereferenced(v.id) end
$$;

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

create function ap_player_settings(of_video integer) returns text language sql stable as $$
  select '{"type":"PlayerSettings","id":' || to_json(url || '/player-settings') || ',"object":' || to_json(url)
    || ',"theme":' || to_json(player_theme) || '}'
  from video where id = of_video
$$;

create function ap_channel_player_settings(of_channel integer) returns text language sql stable as $$
  select '{"type":"PlayerSettings","id":' || to_json(a.url || '/player-settings') || ',"object":' || to_json(a.url)
    || ',"theme":' || to_json(c.player_theme) || '}'
  from video_channel c join actor a on a.id = c.actor_id where c.id = of_channel
$$;

-- What an account of this instance thinks of a video, wherever that is; null when it thinks nothing.
create function ap_rate(of_account integer, of_video integer) returns text language sql stable as $$
  select '{"type":"' || initcap(r.type) || '","id":'
    || to_json(coalesce(r.url, a.url || '/' || r.type || 's/' || r.video_id))
    || ',"actor":' || to_json(a.url) || ',"object":' || to_json(v.url) || ',' || ap_audience(a.url, true) || '}'
  from account_video_rate r join video v on v.id = r.video_id join account o on o.id = r.account_id
    join actor a on a.id = o.actor_id
  where r.account_id = of_account and r.video_id = of_video
$$;

-- That an actor of ours, the channel of a video or the instance itself, passes on a video.
create function ap_announce(of_video integer, of_actor integer) returns text language sql stable as $$
  select '{"type":"Announce","id":' || to_json(v.url || '/announces/' || a.id) || ',"actor":' || to_json(a.url)
    || ',"object":' || to_json(v.url)
    || ',"to":["https://www.w3.org/ns/activitystreams#Public",'
    || (select string_agg(to_json(f.url || '/followers')::text, ',' order by f.n) from (
        select a.url, 1 as n union all
        select w.url, 2 from account o join actor w on w.id = o.actor_id where o.id = v.account_id
      ) f)
    || '],"cc":[]}'
  from video v, actor a where v.id = of_video and a.id = of_actor
$$;
`
