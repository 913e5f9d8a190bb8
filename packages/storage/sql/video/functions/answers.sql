-- Answers to readers, kept ready as JSON text (contract: Video, VideoDetails).

-- The members a list item and the details share, without the braces.
create function wire_video_common(of_video integer, complete boolean) returns text language plpgsql stable as $$
begin
  return (
    select '"id":' || v.id || ',"uuid":"' || v.uuid || '","shortUUID":"' || short_uuid(v.uuid)
      || '","url":' || to_json(v.url) || ',"name":' || to_json(v.name)
      || ',"category":{"id":' || coalesce(v.category::text, 'null') || ',"label":' || to_json(coalesce(
        (select label from wire_label where kind = 'category' and id = v.category::text), 'Unknown'))
      || '},"licence":{"id":' || coalesce(v.licence::text, 'null') || ',"label":' || to_json(coalesce(
        (select label from wire_label where kind = 'licence' and id = v.licence::text), 'Unknown'))
      || '},"language":{"id":' || coalesce(to_json(v.language)::text, 'null') || ',"label":' || to_json(coalesce(
        (select label from wire_label where kind = 'language' and id = v.language), 'Unknown'))
      || '},"privacy":{"id":' || v.privacy || ',"label":' || to_json(coalesce(
        (select label from wire_label where kind = 'privacy' and id = v.privacy::text), 'Unknown'))
      || '},"nsfw":' || v.nsfw || ',"nsfwFlags":' || v.nsfw_flags
      || ',"nsfwSummary":' || to_json(coalesce(v.nsfw_summary, ''))
      || ',"truncatedDescription":' || coalesce(to_json(wire_truncated(v.description))::text, 'null')
      || ',"description":'
      || coalesce(to_json(case when complete then v.description else wire_truncated(v.description) end)::text, 'null')
      || ',"isLocal":' || (not v.remote) || ',"duration":' || v.duration
      || ',"aspectRatio":' || coalesce(trim_scale(round(v.aspect_ratio::numeric, 4))::text, 'null')
      || ',"views":' || v.views || ',"viewers":' || coalesce((select viewers from video_viewers where video_id = v.id), 0)
      || ',"likes":' || v.likes || ',"dislikes":' || v.dislikes || ',"comments":' || v.comments
      || ',"downloads":' || v.downloads
      || ',"thumbnailPath":' || to_json(coalesce('/lazy-static/thumbnails/' || t.miniature, ''))
      || ',"previewPath":' || to_json(coalesce('/lazy-static/previews/' || t.preview, ''))
      || ',"thumbnails":[' || coalesce(t.all, '') || '],"embedPath":"/videos/embed/' || v.uuid
      || '","createdAt":"' || wire_time(v.created_at) || '","updatedAt":"' || wire_time(v.updated_at)
      || '","publishedAt":"' || wire_time(v.published_at)
      || '","originallyPublishedAt":' || coalesce(to_json(wire_time(v.originally_published_at))::text, 'null')
      || ',"isLive":' || v.is_live
    from video v, lateral (
      select
        (array_agg(p.filename order by p.width desc, p.id) filter (where p.type = 1))[1] as miniature,
        (array_agg(p.filename order by p.width desc, p.id) filter (where p.type = 2))[1] as preview,
        string_agg('{"fileUrl":' || to_json(coalesce(p.remote_url, o.origin
            || case p.type when 1 then '/lazy-static/thumbnails/' else '/lazy-static/previews/' end || p.filename))
          || ',"width":' || p.width || ',"height":' || p.height || ',"aspectRatio":"' || wire_ratio(p.width, p.height) || '"}',
          ',' order by p.width, p.id) as all
      from thumbnail p, (select wire_origin() as origin offset 0) o where p.video_id = v.id
    ) t
    where v.id = of_video
  );
end $$;

create function wire_video_summary(of_video integer) returns text language plpgsql stable as $$
declare
  origin constant text := wire_origin();
begin
  return (
    select '{' || wire_video_common(v.id, false)
      || ',"account":' || wire_actor_summary(a.id, a.display_name, a.actor_id, origin)
      || ',"channel":' || wire_actor_summary(c.id, c.display_name, c.actor_id, origin) || '}'
    from video v join account a on a.id = v.account_id join video_channel c on c.id = v.channel_id
    where v.id = of_video
  );
end $$;

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
      to_json(wire_video_trackers(v.id)) as "trackerUrls",
      wire_constant('embedPrivacyPolicy', v.embed_privacy_policy::text) as "embedPrivacyPolicy",
      wire_files(v.id, null) as files, wire_playlists(v.id) as "streamingPlaylists"
  ) x
  where v.id = of_video
$$;

-- Counts of a video that changed, in the text of a ready answer: looking for each costs as much as all of the rest.
create function wire_recounted(ready text, before video, now video) returns text language plpgsql immutable as $$
begin
  if before.likes <> now.likes then ready := regexp_replace(ready, '"likes":[0-9]+', '"likes":' || now.likes); end if;
  if before.dislikes <> now.dislikes then
    ready := regexp_replace(ready, '"dislikes":[0-9]+', '"dislikes":' || now.dislikes);
  end if;
  if before.comments <> now.comments then
    ready := regexp_replace(ready, '"comments":[0-9]+', '"comments":' || now.comments);
  end if;
  return ready;
end $$;
