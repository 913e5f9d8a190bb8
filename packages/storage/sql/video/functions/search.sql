-- What somebody searches for, as a query.

-- What each of the words of a query stands for: itself as documents have it (several words, where it is parted; in
-- pairs of signs, whose order says nothing), its stems in the languages of the instance, whether one of these has it as
-- an empty word, and how many names and tags have it.
create function search_terms(items text[])
returns table (item integer, words text[], pairs boolean, stems text[], filler boolean, uses integer)
language sql stable as $$
  select i.n::integer, w.words, search_words(i.value) <> search_words(i.value, true), coalesce(s.stems, '{}'), coalesce(s.filler, false),
    coalesce((select k.uses from search_word k where k.word = w.words[1]), 0)
  from unnest(items) with ordinality i (value, n),
    lateral (select array(
      select t.lexeme from ts_parse('default', search_words(i.value, true)) p,
        lateral unnest(ts_lexize('pg_catalog.simple', p.token)) t (lexeme)
      where p.tokid not in (12, 13, 14) limit 40
    ) as words) w,
    lateral (
      select array_agg(distinct x.stem) filter (where x.stem <> w.words[1]) as stems,
        bool_or(x.stem is null and length(w.words[1]) < 5) as filler
      from (select distinct configuration from search_language where used) l,
        lateral (select ts_lexize(('pg_catalog.' || l.configuration || '_stem')::regdictionary, w.words[1]) as found) f,
        lateral (select f.found[1] as stem) x
      where cardinality(w.words) = 1
    ) s
$$;

-- Whether a document of a video, a channel or a playlist has this. The planner would rather read documents one by one
-- until it finds it.
create function search_known(kind text, query tsquery) returns boolean
language plpgsql stable set enable_seqscan = off as $$
begin
  case kind
    when 'video' then return exists (select 1 from video_document d where d.document @@ query);
    when 'channel' then return exists (select 1 from channel_document d where d.document @@ query);
    when 'playlist' then return exists (select 1 from playlist_document d where d.document @@ query);
  end case;
end $$;

-- Words that look like one, most alike first.
create function search_alike(value text) returns table (word text, uses integer)
language sql stable set pg_trgm.similarity_threshold = 0.25 as $$
  select k.word::text, k.uses from search_word k
  where k.word % value and k.uses > 0 and length(k.word) between length(value) - 2 and length(value) + 2
  order by similarity(k.word, value) desc, k.uses desc limit 40
$$;
