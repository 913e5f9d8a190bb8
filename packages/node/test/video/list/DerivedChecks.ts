/**
 * Each selects what is not as it was made from scratch: triggers and tasks keep all of this up to date beside what it is
 * made of. Where an answer is made later there is none meanwhile.
 */
export const derivedChecks: Readonly<Record<string, string>> = {
  "what lists filter by": `
    select v.id from video v, lateral (select exists (select 1 from video_blacklist b where b.video_id = v.id) as blocked) b,
      lateral (select case when v.state <> 1 or b.blocked then 0 when v.privacy = 1 then 2 when v.privacy = 4 then 1 else 0 end as visible) s
    where v.visible <> s.visible or v.listed <> (s.visible = 2)
      or v.server_id is distinct from (select a.server_id from account c join actor a on a.id = c.actor_id where c.id = v.account_id)`,
  "what files come to": `
    select v.id from video v, lateral (
      select count(*) filter (where f.video_id is not null) as web, coalesce(sum(f.size), 0) as size
      from video_file f left join streaming_playlist s on s.id = f.streaming_playlist_id
      where coalesce(f.video_id, s.video_id) = v.id
    ) f
    where v.has_web_videos <> (f.web > 0) or v.local_files_size <> case when v.remote then 0 else f.size end
      or v.has_hls <> exists (select 1 from streaming_playlist s where s.video_id = v.id)`,
  "scores and trends": `
    select v.id from video v, lateral (select greatest(1, v.views + 3 * v.likes + 2 * v.comments) as interest) i
    where v.hot_score <> (log(i.interest) + extract(epoch from v.published_at) / 45000 - 37000)::real
      or v.trend_views <> (select coalesce(sum(d.views), 0) from video_view_day d where d.video_id = v.id)
      or v.views <> v.trend_views`,
  "videos and actors without a row for their texts": `
    select id from video where not remote and id not in (select video_id from video_read_model)
    union all select actor_id from account where actor_id not in (select actor_id from actor_read_model)
    union all select actor_id from video_channel where actor_id not in (select actor_id from actor_read_model)`,
  "what searches filter by": `
    select v.id from video v left join video_document d on d.id = v.id
    where (v.account_id, v.channel_id, v.server_id, v.duration, v.nsfw_flags, v.published_at, v.originally_published_at, v.category,
        v.licence, v.privacy, v.state, v.visible, v.nsfw, v.remote, v.is_live, v.language)
      is distinct from (d.account_id, d.channel_id, d.server_id, d.duration, d.nsfw_flags, d.published_at, d.originally_published_at, d.category,
        d.licence, d.privacy, d.state, d.visible, d.nsfw, d.remote, d.is_live, d.language)
      or d.score <> (floor(4 * log(1 + v.views + 3 * v.likes + 2 * v.comments)) / 4 + extract(epoch from v.published_at) / 31557600 - 50)::real`,
  "words of videos and channels": `
    select d.id from video_document d, video_documents(array[d.id]) n where not d.stale and d.document <> n.document
    union all select c.id from video_channel c left join channel_document d on d.id = c.id, channel_documents(array[c.id]) n
      where d.document is distinct from n.document`,
  "uses of words": `
    select k.word from (
      select word, sum(uses) as uses from (
        select word::text, uses from search_word
        union all select word, change from search_word_change, unnest(words) word
      ) u group by word
    ) k full join (
      select word, count(*) as uses from (
        select unnest(search_title_words(document)) as word from video_document
        union all select unnest(search_title_words(document)) from channel_document
        union all select unnest(search_title_words(document)) from playlist_document
      ) u group by word
    ) n on n.word = k.word
    where coalesce(k.uses, 0) <> coalesce(n.uses, 0)`,
  "languages that searches know": `
    select v.id from video v join search_language l on l.language = split_part(v.language, '-', 1) where not l.used`
}
