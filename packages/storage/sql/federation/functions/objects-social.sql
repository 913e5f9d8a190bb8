-- What others read of comments, ratings, shares and playlists.

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
