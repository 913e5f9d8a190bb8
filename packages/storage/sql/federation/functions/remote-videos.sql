-- Videos of other instances, written by one statement and read by the functions that read ours.
--
-- A video of another instance comes with all its parts at once. What otherwise happens when a part is added (ready
-- answers voided, figures and documents made anew, feeds and followers informed) has nothing to do there: nobody has
-- seen it, its figures are given, and its document is written when all of it is there.

-- Writes a video of another instance with all that belongs to it. Null when its account or channel is gone, when the
-- channel is not the account's (null is whose the channel is), or when the address is one of ours; also when it
-- belonged to another account, unless its origin was asked. What is older than what is known changes nothing.
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
    -- What it has to be played from is given at once: the triggers of its files then find nothing to change.
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
  -- Nobody has seen it yet: what follows when parts change is left out.
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
