-- What a search finds videos and channels by.

-- Small letters without accents. What would make one of several words (addresses, versions, tags) parts them. Each sign
-- of Chinese and Japanese is a word, and so is each pair of neighbours; what is searched for in a run of them is its
-- pairs.
create function search_words(value text, searched boolean default false) returns text
language plpgsql immutable parallel safe as $$
declare
  words text := translate(search_text(value), '-/._&<+~', '        ');
  runs text;
begin
  if octet_length(words) = length(words) or words !~ '[\u3005\u3040-\u30ff\u3400-\u9fff]' then return words; end if;
  runs := regexp_replace(words, '[^\u3005\u3040-\u30ff\u3400-\u9fff]+', ' ', 'g');
  words := case
    when searched and runs ~ '[^ ][^ ]' then regexp_replace(words, '[\u3005\u3040-\u30ff\u3400-\u9fff]{2,}', ' ', 'g')
    else words
  end;
  return regexp_replace(words, '([\u3005\u3040-\u30ff\u3400-\u9fff])', ' \1 ', 'g')
    || regexp_replace(
      regexp_replace(runs, '([^ ])([^ ])', ' \1\2 ', 'g') || ' '
        || regexp_replace(regexp_replace(runs, '(^| )[^ ]', ' ', 'g'), '([^ ])([^ ])', ' \1\2 ', 'g'),
      '(^| )[^ ](?= |$)', ' ', 'g'
    );
end $$;

-- How much a video is watched and how young it is: ten times the interest weighs as much as being a year younger.
-- Interest counts in steps of a quarter, so that few views change it.
create function search_score(views integer, likes integer, comments integer, published_at timestamptz) returns real
language sql immutable parallel safe as $$
  select (floor(4 * log(1 + greatest(0, views + 3 * likes + 2 * comments))) / 4
    + extract(epoch from published_at) / 31557600 - 50)::real
$$;

-- As a word of documents: two steps for ten times the interest.
create function search_step(score real) returns text language sql immutable parallel safe as $$
  select '%' || floor(2 * score)::integer
$$;

create function search_document(name text, tags text, description text, owner text, configuration text)
returns tsvector language plpgsql immutable parallel safe as $$
declare
  title constant text := search_words(name);
  labels constant text := search_words(coalesce(tags, ''));
  about constant text := search_words(coalesce(description, ''));
  named constant tsvector := to_tsvector('pg_catalog.simple', title);
  labelled constant tsvector := to_tsvector('pg_catalog.simple', labels);
  marked tsvector := named || labelled;
  answer tsvector := setweight(named, 'A') || setweight(labelled, 'B') || to_tsvector('pg_catalog.simple', about)
    || setweight(to_tsvector('pg_catalog.simple', search_words(coalesce(owner, ''))), 'C');
  stems tsvector;
begin
  if configuration is not null then
    stems := to_tsvector(('pg_catalog.' || configuration)::regconfig, title || ' ' || labels);
    answer := answer || setweight(stems, 'C') || strip(to_tsvector(('pg_catalog.' || configuration)::regconfig, about));
    marked := marked || stems;
  end if;
  return answer || array_to_tsvector(array(select '=' || m from unnest(tsvector_to_array(marked)) m));
end $$;

-- The document of each of these videos.
-- FEP-5feb: the words of a video are marked when its account or its channel does not want to be found by them.
create function video_documents(ids integer[]) returns table (id integer, document tsvector) language sql stable as $$
  select v.id, search_document(
    v.name,
    (select string_agg(t.name::text, ' ' order by t.name) from video_tag vt join tag t on t.id = vt.tag_id
      where vt.video_id = v.id),
    v.description,
    concat_ws(' ', c.display_name, ca.preferred_username, a.display_name, aa.preferred_username),
    (select l.configuration from search_language l where l.language = split_part(v.language, '-', 1))
  ) || array_to_tsvector(array[
    search_step(search_score(v.views, v.likes, v.comments, v.published_at)), '~' || ((v.id >> 4) & 63)
  ] || case when ca.indexable and aa.indexable then '{}'::text[] else array['^'] end)
  from video v join video_channel c on c.id = v.channel_id join actor ca on ca.id = c.actor_id
    join account a on a.id = v.account_id join actor aa on aa.id = a.actor_id
  where v.id = any(ids)
$$;

-- Words of names and tags worth correcting to.
create function search_title_words(document tsvector) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(lexeme), '{}') from unnest(ts_filter(document, '{a,b}'))
  where length(lexeme) between 3 and 30 and lexeme !~ '[0-9]'
$$;

create function channel_documents(ids integer[]) returns table (id integer, document tsvector) language sql stable as $$
  select c.id, search_document(c.display_name || ' ' || ca.preferred_username, null, c.description,
    concat_ws(' ', a.display_name, aa.preferred_username), null)
  from video_channel c join actor ca on ca.id = c.actor_id join account a on a.id = c.account_id
    join actor aa on aa.id = a.actor_id
  where c.id = any(ids)
$$;
