/**
 * What searches look into. `video_document` holds the words of a video beside everything lists filter by, under the
 * names `video` has them: a search scans its narrow rows alone, so the words are kept out of line. It is written in the
 * transaction of the change; only when a channel or an account is renamed its videos follow later (`stale`).
 *
 * A document has each word as it is written (small, without accents; A name, B tags, C owner, D description), then the
 * stems of the video's language. The words of name and tags are there once more after a `=`, to find those alone. After a
 * `%` stands the step its score is on, so that the best of what very many videos have are found without reading them
 * all, and after a `~` one of 64 samples that each video is in, to tell how many there are; neighbours share theirs, so
 * that a sample is on few pages.
 * `search_word` has each word of names and tags with its uses, for words that were misspelt, and none that nothing has
 * any more; changes wait in `search_word_change`, so that nothing that publishes waits for another.
 */
export const M0015Search = `
set local maintenance_work_mem = '256MB';

create table search_language (
  language text primary key,
  configuration text not null,
  used boolean not null default false
);
insert into search_language (language, configuration)
  select l.language, l.configuration from (values
    ('ar', 'arabic'), ('ca', 'catalan'), ('da', 'danish'), ('de', 'german'), ('el', 'greek'), ('en', 'english'),
    ('es', 'spanish'), ('et', 'estonian'), ('eu', 'basque'), ('fi', 'finnish'), ('fr', 'french'), ('ga', 'irish'),
    ('hi', 'hindi'), ('hu', 'hungarian'), ('hy', 'armenian'), ('id', 'indonesian'), ('it', 'italian'),
    ('lt', 'lithuanian'), ('nb', 'norwegian'), ('ne', 'nepali'), ('nl', 'dutch'), ('nn', 'norwegian'),
    ('no', 'norwegian'), ('pt', 'portuguese'), ('ro', 'romanian'), ('ru', 'russian'), ('sr', 'serbian'),
    ('sv', 'swedish'), ('ta', 'tamil'), ('tr', 'turkish'), ('yi', 'yiddish')
  ) l (language, configuration)
  join pg_ts_config c on c.cfgname = l.configuration and c.cfgnamespace = 'pg_catalog'::regnamespace;

-- Small letters without accents. What would make one of several words (addresses, versions, tags) parts them. Each sign of
-- Chinese and Japanese is a word, and so is each pair of neighbours; what is searched for in a run of them is its pairs.
create function search_words(value text, searched boolean default false) returns text
language plpgsql immutable parallel safe as $$
declare
  words text := translate(search_text(value), '-/._&<+~', '        ');
  runs text;
begin
  if octet_length(words) = length(words) or words !~ '[\\u3005\\u3040-\\u30ff\\u3400-\\u9fff]' then return words; end if;
  runs := regexp_replace(words, '[^\\u3005\\u3040-\\u30ff\\u3400-\\u9fff]+', ' ', 'g');
  words := case
    when searched and runs ~ '[^ ][^ ]' then regexp_replace(words, '[\\u3005\\u3040-\\u30ff\\u3400-\\u9fff]{2,}', ' ', 'g')
    else words
  end;
  return regexp_replace(words, '([\\u3005\\u3040-\\u30ff\\u3400-\\u9fff])', ' \\1 ', 'g')
    || regexp_replace(
      regexp_replace(runs, '([^ ])([^ ])', ' \\1\\2 ', 'g') || ' '
        || regexp_replace(regexp_replace(runs, '(^| )[^ ]', ' ', 'g'), '([^ ])([^ ])', ' \\1\\2 ', 'g'),
      '(^| )[^ ](?= |$)', ' ', 'g'
    );
end $$;

-- How much a video is watched and how young it is: ten times the interest weighs as much as being a year younger. Interest
-- counts in steps of a quarter, so that few views change it.
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

-- A row is made small only when it is larger than 2 kB: so each is, by a text that is packed into a few bytes, and the words
-- go out of line.
create table video_document (
  id integer primary key references video (id) on delete cascade,
  account_id integer not null,
  channel_id integer not null,
  server_id integer,
  duration integer not null,
  nsfw_flags integer not null,
  score real not null,
  published_at timestamptz not null,
  originally_published_at timestamptz,
  category smallint,
  licence smallint,
  privacy smallint not null,
  state smallint not null,
  visible smallint not null,
  nsfw boolean not null,
  remote boolean not null,
  is_live boolean not null,
  stale boolean not null default false,
  language text,
  document tsvector not null,
  pad text generated always as (repeat(' ', 2100)) stored
) with (fillfactor = 90, toast_tuple_target = 256);
alter table video_document alter column document set storage external, alter column language set storage plain;

create table search_word (
  word text collate "C" primary key,
  uses integer not null
);
create table search_word_change (
  words text[] not null,
  change integer not null
);

-- The document of each of these videos.
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
  ])
  from video v join video_channel c on c.id = v.channel_id join actor ca on ca.id = c.actor_id
    join account a on a.id = v.account_id join actor aa on aa.id = a.actor_id
  where v.id = any(ids)
$$;

-- Words of names and tags worth correcting to.
create function search_title_words(document tsvector) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(lexeme), '{}') from unnest(ts_filter(document, '{a,b}'))
  where length(lexeme) between 3 and 30 and lexeme !~ '[0-9]'
$$;

insert into video_document
  select v.id, v.account_id, v.channel_id, v.server_id, v.duration, v.nsfw_flags,
    search_score(v.views, v.likes, v.comments, v.published_at), v.published_at, v.originally_published_at, v.category,
    v.licence, v.privacy, v.state, v.visible, v.nsfw, v.remote, v.is_live, false, v.language, d.document
  from video v, video_documents(array[v.id]) d;
update search_language l set used = true where exists (
  select 1 from video v where split_part(v.language, '-', 1) = l.language
);
insert into search_word (word, uses)
  select word, ndoc from ts_stat($stat$ select ts_filter(document, '{a,b}') from video_document $stat$)
  where length(word) between 3 and 30 and word !~ '[0-9]';
create index video_document_words on video_document using gin (document) with (gin_pending_list_limit = 256);
create index video_document_stale on video_document (id) where stale;
create index search_word_unused on search_word (word) where uses = 0;
create index search_word_alike on search_word using gin (word gin_trgm_ops);
drop index video_search;

create function video_document_begin() returns trigger language plpgsql as $$
declare
  made tsvector;
begin
  update search_language set used = true where language = split_part(new.language, '-', 1) and not used;
  select d.document into made from video_documents(array[new.id]) d;
  insert into video_document values (
    new.id, new.account_id, new.channel_id, new.server_id, new.duration, new.nsfw_flags,
    search_score(new.views, new.likes, new.comments, new.published_at), new.published_at, new.originally_published_at,
    new.category, new.licence, new.privacy, new.state, new.visible, new.nsfw, new.remote, new.is_live, false,
    new.language, made
  );
  return null;
end $$;
create trigger video_document_begin after insert on video for each row execute function video_document_begin();

create function video_document_follow() returns trigger language plpgsql as $$
declare
  made tsvector;
  new_score constant real := search_score(new.views, new.likes, new.comments, new.published_at);
begin
  if (new.name, new.description, new.language, new.channel_id, new.account_id)
    is distinct from (old.name, old.description, old.language, old.channel_id, old.account_id)
  then
    update search_language set used = true where language = split_part(new.language, '-', 1) and not used;
    select d.document into made from video_documents(array[new.id]) d;
    update video_document set document = made where id = new.id;
  end if;
  update video_document set account_id = new.account_id, channel_id = new.channel_id, server_id = new.server_id,
    duration = new.duration, nsfw_flags = new.nsfw_flags, score = new_score, published_at = new.published_at,
    originally_published_at = new.originally_published_at, category = new.category, licence = new.licence,
    privacy = new.privacy, state = new.state, visible = new.visible, nsfw = new.nsfw, remote = new.remote,
    is_live = new.is_live, language = new.language,
    document = case
      when search_step(score) = search_step(new_score) then document
      else ts_delete(document, search_step(score)) || array_to_tsvector(array[search_step(new_score)])
    end
    where id = new.id and (account_id, channel_id, server_id, duration, nsfw_flags, score, published_at,
      originally_published_at, category, licence, privacy, state, visible, nsfw, remote, is_live, language)
      is distinct from (new.account_id, new.channel_id, new.server_id, new.duration, new.nsfw_flags, new_score,
      new.published_at, new.originally_published_at, new.category, new.licence, new.privacy, new.state, new.visible,
      new.nsfw, new.remote, new.is_live, new.language);
  return null;
end $$;
create trigger video_document_follow after update of name, description, language, channel_id, account_id, duration,
    nsfw_flags, views, likes, comments, published_at, originally_published_at, category, licence, privacy, state, visible,
    server_id, nsfw, remote, is_live
  on video for each row when (old.* is distinct from new.*) execute function video_document_follow();

create function video_tags_follow() returns trigger language plpgsql as $$
declare
  ids constant integer[] := array(select distinct video_id from changed);
begin
  update video_document d set document = n.document from video_documents(ids) n where d.id = n.id;
  return null;
end $$;
create trigger video_tags_added after insert on video_tag referencing new table as changed
  for each statement execute function video_tags_follow();
create trigger video_tags_gone after delete on video_tag referencing old table as changed
  for each statement execute function video_tags_follow();

create function owner_renamed() returns trigger language plpgsql as $$
declare
  channels integer[];
begin
  if tg_table_name = 'account' then
    channels := array(select c.id from video_channel c where c.account_id = new.id);
    update video_document set stale = true where id in (select id from video where account_id = new.id);
  else
    channels := array[new.id];
    if new.display_name <> old.display_name then
      update video_document set stale = true where id in (select id from video where channel_id = new.id);
    end if;
  end if;
  update channel_document d set document = n.document from channel_documents(channels) n where d.id = n.id;
  return null;
end $$;

create table channel_document (
  id integer primary key references video_channel (id) on delete cascade,
  document tsvector not null
);
create function channel_documents(ids integer[]) returns table (id integer, document tsvector) language sql stable as $$
  select c.id, search_document(c.display_name || ' ' || ca.preferred_username, null, c.description,
    concat_ws(' ', a.display_name, aa.preferred_username), null)
  from video_channel c join actor ca on ca.id = c.actor_id join account a on a.id = c.account_id
    join actor aa on aa.id = a.actor_id
  where c.id = any(ids)
$$;
insert into channel_document select d.* from video_channel c, channel_documents(array[c.id]) d;
insert into search_word (word, uses)
  select word, count(*) from channel_document, unnest(search_title_words(document)) word group by word order by word
  on conflict (word) do update set uses = search_word.uses + excluded.uses;
create index channel_document_words on channel_document using gin (document) with (gin_pending_list_limit = 256);

create function channel_document_begin() returns trigger language plpgsql as $$
begin
  insert into channel_document select * from channel_documents(array[new.id]);
  return null;
end $$;
create trigger channel_document_begin after insert on video_channel
  for each row execute function channel_document_begin();
create trigger channel_document_follow after update of display_name, description, account_id on video_channel
  for each row when (old.display_name <> new.display_name or old.description is distinct from new.description
    or old.account_id <> new.account_id) execute function owner_renamed();
create trigger account_document_follow after update of display_name on account
  for each row when (old.display_name <> new.display_name) execute function owner_renamed();

-- Words that a document has begun or ceased to have.
create function document_words_follow() returns trigger language plpgsql as $$
declare
  before text[] := '{}';
  now text[] := '{}';
begin
  if tg_op <> 'INSERT' then before := search_title_words(old.document); end if;
  if tg_op <> 'DELETE' then now := search_title_words(new.document); end if;
  insert into search_word_change (words, change)
    select c.words, c.change from (values
      (array(select unnest(now) except select unnest(before)), 1),
      (array(select unnest(before) except select unnest(now)), -1)
    ) c (words, change) where cardinality(c.words) > 0;
  return null;
end $$;
create trigger video_document_words after insert or delete on video_document
  for each row execute function document_words_follow();
create trigger video_document_words_changed after update of document on video_document
  for each row when (old.document is distinct from new.document) execute function document_words_follow();
create trigger channel_document_words after insert or delete on channel_document
  for each row execute function document_words_follow();
create trigger channel_document_words_changed after update of document on channel_document
  for each row when (old.document is distinct from new.document) execute function document_words_follow();

-- Writes what waits: documents of renamed owners, up to so many, and uses of words. Answers how many documents.
create function refresh_search(at_most integer) returns integer language plpgsql as $$
declare
  ids integer[];
begin
  select coalesce(array_agg(id), '{}') into ids from (
    select id from video_document where stale limit at_most for update skip locked
  ) d;
  update video_document d set document = n.document, stale = false from video_documents(ids) n where d.id = n.id;
  with gone as (
    delete from search_word_change where ctid = any(array(select ctid from search_word_change limit at_most for update skip locked))
    returning words, change
  )
  insert into search_word as w (word, uses)
    select word, sum(change) from gone, unnest(words) word group by word order by word
    on conflict (word) do update set uses = w.uses + excluded.uses;
  -- A word whose end was taken in before its beginning waits below nothing for that.
  delete from search_word where uses = 0;
  return cardinality(ids);
end $$;

-- What each of the words of a query stands for: itself as documents have it (several words, where it is parted; in pairs of
-- signs, whose order says nothing), its stems in the languages of the instance, whether one of these has it as an empty
-- word, and how many names and tags have it.
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

-- Whether a document has this. The planner would rather read documents one by one until it finds it.
create function search_known(videos boolean, query tsquery) returns boolean
language plpgsql stable set enable_seqscan = off as $$
begin
  if videos then return exists (select 1 from video_document d where d.document @@ query); end if;
  return exists (select 1 from channel_document d where d.document @@ query);
end $$;

-- Words that look like one, most alike first.
create function search_alike(value text) returns table (word text, uses integer)
language sql stable set pg_trgm.similarity_threshold = 0.25 as $$
  select k.word::text, k.uses from search_word k
  where k.word % value and k.uses > 0 and length(k.word) between length(value) - 2 and length(value) + 2
  order by similarity(k.word, value) desc, k.uses desc limit 40
$$;
`
