-- What others have made is written many at a time.
--
-- Creates that stand one after another in the line of a host become one statement (`inbox_apply_creates`): videos that
-- are not known yet go into each table together, comments one after the other. What cannot be written so is left
-- waiting, for whoever applies activities one by one, and what each of them comes to is the same.
--
-- A video with all its parts is a row of fifteen tables. Where it is made here, what otherwise happens for each row
-- (who sees it, its document) is done for all of them by the statement itself, and these triggers are left out.

-- Writes videos of other instances that are not known yet, with all that belongs to them, as upsert_remote_video does.
-- given: [{account, channel, video}], the account null for whose the channel is. Answers which of them were written,
-- counted from 1, and their rows. Left out is what is known, whose account or channel is gone or not the other's, and
-- what came twice.
create function create_remote_videos(given jsonb) returns table (nth integer, video_id integer) language plpgsql as $$
declare
  channels constant integer[] := array(select (g->>'channel')::integer from jsonb_array_elements(given) g);
  ids integer[];
  places integer[];
  docs jsonb[];
  names citext[];
begin
  perform 1 from account where id in (select c.account_id from video_channel c where c.id = any(channels)) order by id for share;
  perform 1 from video_channel where id = any(channels) order by id for share;
  update search_language set used = true where not used
    and language in (select split_part(g->'video'->>'language', '-', 1) from jsonb_array_elements(given) g);
  perform set_config('kinora.video_begins', 'on', true);
  with wanted as materialized (
    select g.n::integer as n, g.v->'video' as doc, c.id as channel_id, c.account_id, t.server_id, r.*
    from jsonb_array_elements(given) with ordinality g (v, n)
      join video_channel c on c.id = (g.v->>'channel')::integer
        and c.account_id = coalesce((g.v->>'account')::integer, c.account_id)
      join account o on o.id = c.account_id join actor t on t.id = o.actor_id
      cross join lateral jsonb_to_record(g.v->'video') as r (url text, uuid uuid, name text, category smallint,
        licence smallint, language text, privacy smallint, state smallint, nsfw boolean, "nsfwFlags" integer,
        "nsfwSummary" text, description text, support text, duration integer, "aspectRatio" real, "isLive" boolean,
        "waitTranscoding" boolean, "downloadEnabled" boolean, "commentsPolicy" smallint, views integer,
        downloads integer, "inputFileUpdated" timestamptz, "originallyPublished" timestamptz, published timestamptz,
        updated timestamptz)
  ), fresh as materialized (
    select * from (select *, row_number() over (partition by url order by n) as turn from wanted) w
    where w.turn = 1 and not exists (select from video v where v.url = w.url)
  ), followed as materialized (
    -- Nobody has shared what there was not.
    select o.*, video_has_followers(0, o.channel_id, o.account_id) as has
    from (select distinct channel_id, account_id from fresh offset 0) o
  ), seen as materialized (
    select f.*, case when video_is_listed(f.state, f.privacy, false) then 2 when f.state = 1 and f.privacy = 4 then 1
        else 0 end as open, o.has, row_number() over (partition by f.uuid order by f.n) as same
    from fresh f join followed o using (channel_id, account_id)
  ), written as (
    insert into video (uuid, channel_id, account_id, server_id, remote, url, name, category, licence, language, privacy,
        state, nsfw, nsfw_flags, nsfw_summary, description, support, duration, aspect_ratio, is_live, wait_transcoding,
        download_enabled, comments_policy, views, downloads, input_file_updated_at, originally_published_at,
        published_at, created_at, updated_at, has_hls, has_web_videos, visible, listed, announced, hot_score)
      select
        case when s.uuid is null or s.same > 1 or exists (select from video v where v.uuid = s.uuid)
          then gen_random_uuid() else s.uuid end,
        s.channel_id, s.account_id, s.server_id, true, s.url, s.name, s.category, s.licence, s.language, s.privacy, s.state,
        s.nsfw, s."nsfwFlags", s."nsfwSummary", s.description, s.support, s.duration, s."aspectRatio", s."isLive",
        s."waitTranscoding", s."downloadEnabled", s."commentsPolicy", s.views, s.downloads, s."inputFileUpdated",
        s."originallyPublished", least(s.published, now()), least(s.published, now()),
        least(coalesce(s.updated, s.published, now()), now()), jsonb_typeof(s.doc->'hls') = 'object',
        s.doc->'files' <> '[]', case when s.open > 0 and not s.has then -1 else s.open end, s.open = 2 and s.has,
        s.open > 0 and s.has, video_hotness(s.views, 0, 0, least(s.published, now()))
      from seen s order by s.n
      on conflict do nothing returning video.id, video.url
  )
  select array_agg(w.id order by s.n), array_agg(s.n order by s.n), array_agg(s.doc order by s.n)
    into ids, places, docs from written w join seen s on s.url = w.url;
  if ids is not null then
    insert into notification_event (tag, subject)
      select 'VideoPublished', v.id from video v
      where v.id = any(ids) and v.visible > 0 and v.published_at >= now() - interval '2 days' and exists (
        select from video_channel c join actor_follow f on f.target_actor_id = c.actor_id and f.state = 'accepted'
        where c.id = v.channel_id
      ) order by v.id;
    with playlist as (
      insert into streaming_playlist (video_id, playlist_url, segments_sha256_url)
        select p.id, p.doc->'hls'->>'url', p.doc->'hls'->>'segmentsUrl' from unnest(ids, docs) p (id, doc)
        where jsonb_typeof(p.doc->'hls') = 'object' order by p.id returning id, streaming_playlist.video_id
    ), files as (
      select p.id as of_video, p.id as video, null::integer as playlist, e.f, e.n
      from unnest(ids, docs) p (id, doc), jsonb_array_elements(p.doc->'files') with ordinality e (f, n)
      union all
      select p.id, null, l.id, e.f, e.n
      from unnest(ids, docs) p (id, doc) join playlist l on l.video_id = p.id,
        jsonb_array_elements(p.doc->'hls'->'files') with ordinality e (f, n)
    )
    insert into video_file (video_id, streaming_playlist_id, file_url, extname, resolution, width, height, size, fps,
        has_audio, has_video, metadata_url, torrent_url, info_hash)
      select video, playlist, f->>'url', f->>'extension', (f->>'resolution')::integer, (f->>'width')::integer,
        (f->>'height')::integer, (f->>'size')::bigint, (f->>'fps')::real, (f->>'hasAudio')::boolean,
        (f->>'hasVideo')::boolean, f->>'metadataUrl', f->>'torrentUrl', f->>'infoHash'
      from files order by of_video, playlist nulls first, n;
    insert into thumbnail (video_id, type, filename, width, height, remote_url)
      select p.id, (e.t->>'type')::smallint, gen_random_uuid() || '.jpg', (e.t->>'width')::integer,
        (e.t->>'height')::integer, e.t->>'url'
      from unnest(ids, docs) p (id, doc), jsonb_array_elements(p.doc->'pictures') with ordinality e (t, n)
      order by p.id, e.n;
    insert into storyboard (video_id, filename, total_width, total_height, sprite_width, sprite_height, sprite_duration,
        remote_url)
      select p.id, gen_random_uuid() || '.jpg', (b->>'width')::integer, (b->>'height')::integer,
        (b->>'tileWidth')::integer, (b->>'tileHeight')::integer, (b->>'tileSeconds')::integer, b->>'url'
      from (select id, doc->'storyboard' as b from unnest(ids, docs) u (id, doc)) p
      where jsonb_typeof(b) = 'object' order by p.id;
    insert into video_caption (video_id, language, filename, automatically_generated, remote_url)
      select p.id, e.c->>'language', gen_random_uuid() || '-' || (e.c->>'language') || '.vtt',
        (e.c->>'automaticallyGenerated')::boolean, e.c->>'url'
      from unnest(ids, docs) p (id, doc), jsonb_array_elements(p.doc->'captions') with ordinality e (c, n)
      order by p.id, e.n;
    names := array(select distinct e.name::citext from unnest(docs) doc, jsonb_array_elements_text(doc->'tags') e (name));
    insert into tag (name) select n from unnest(names) n where not exists (select from tag t where t.name = n) order by 1
      on conflict (name) do nothing;
    insert into video_tag (video_id, tag_id)
      select distinct p.id, t.id
      from unnest(ids, docs) p (id, doc), jsonb_array_elements_text(p.doc->'tags') e (name), tag t
      where t.name = e.name::citext order by 1, 2;
    insert into remote_video (video_id, given, tracker_urls, likes_url, dislikes_url, shares_url, comments_url, chapters_url)
      select p.id, md5(p.doc::text)::uuid, array(select jsonb_array_elements_text(p.doc->'trackers')), p.doc->>'likesUrl',
        p.doc->>'dislikesUrl', p.doc->>'sharesUrl', p.doc->>'commentsUrl', p.doc->>'chaptersUrl'
      from unnest(ids, docs) p (id, doc) order by p.id;
    insert into video_document
      select v.id, v.account_id, v.channel_id, v.server_id, v.duration, v.nsfw_flags,
        search_score(v.views, v.likes, v.comments, v.published_at), v.published_at, v.originally_published_at, v.category,
        v.licence, v.privacy, v.state, v.visible, v.nsfw, v.remote, v.is_live, false, v.language, d.document
      from video v join video_documents(ids) d on d.id = v.id order by v.id;
  end if;
  perform set_config('kinora.video_begins', '', true);
  return query select p.nth, p.id from unnest(places, ids) p (nth, id);
end $$;

-- Applies Creates of a host in one go: new_videos [{row, account, channel, video}] and new_comments [{row, url, parent,
-- account, text, published, updated, news}], both in the order of their rows of inbox_activity. A comment is below a
-- video or a comment that is known, or one before it here. Answers the rows it has applied, and the videos these
-- became; nothing at all where another node works for the host. All others still wait.
create function inbox_apply_creates(of_host citext, new_videos jsonb, new_comments jsonb)
returns table (activity bigint, video_id integer) language plpgsql as $$
declare
  due bigint[];
  done bigint[] := '{}';
  made integer[] := '{}';
  c record;
  above record;
  said record;
begin
  if not inbox_turn(of_host) then return; end if;
  due := array(
    select i.id from inbox_activity i where i.id in (
      select (g->>'row')::bigint from jsonb_array_elements(new_videos || new_comments) g
    ) and i.state = 'waiting' order by i.id for update
  );
  new_videos := coalesce((
    select jsonb_agg(v order by n) from jsonb_array_elements(new_videos) with ordinality e (v, n) where (v->>'row')::bigint = any(due)
  ), '[]');
  if new_videos <> '[]' then
    select coalesce(array_agg((new_videos->(w.nth - 1)->>'row')::bigint order by w.nth), '{}'),
      coalesce(array_agg(w.video_id order by w.nth), '{}') into done, made from create_remote_videos(new_videos) w;
  end if;
  -- In the order in which everybody holds videos.
  perform 1 from video v where v.id in (
    select x.id from jsonb_array_elements(new_comments) g join video x on x.url = g->>'parent'
    union all
    select x.video_id from jsonb_array_elements(new_comments) g join video_comment x on x.url = g->>'parent'
  ) order by v.id for no key update;
  for c in
    select e.* from jsonb_to_recordset(new_comments) as e ("row" bigint, url text, parent text, account integer, text text,
      published timestamptz, updated timestamptz, news boolean) where e."row" = any(due) order by e."row"
  loop
    select v.id, v.remote, v.comments_policy, p.id as comment_id into above
      from (
        select x.id, x.video_id from video_comment x where x.url = c.parent
        union all
        select null, x.id from video x where x.url = c.parent
        order by 1 nulls last limit 1
      ) p join video v on v.id = p.video_id where v.remote or video_is_federated(v.id);
    -- What is above it has to be asked for, or whether it may stand there.
    continue when above.id is null or (above.remote and above.comments_policy = 3);
    select * into said from add_remote_comment(
      above.id, c.account, above.comment_id, c.url, c.text, c.published, c.updated, above.comments_policy = 3);
    continue when said.outcome not in ('written', 'held');
    if c.news then insert into notification_event (tag, subject) values ('NewComment', said.comment_id); end if;
    done := done || c."row";
    made := made || null::integer;
  end loop;
  perform inbox_applied(done);
  return query select * from unnest(done, made);
end $$;
