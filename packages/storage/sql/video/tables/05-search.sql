-- What searches look into. `video_document` holds the words of a video beside everything lists filter by, under the
-- names `video` has them: a search scans its narrow rows alone, so the words are kept out of line. It is written in the
-- transaction of the change; only when a channel or an account is renamed its videos follow later (`stale`).
--
-- A document has each word as it is written (small, without accents; A name, B tags, C owner, D description), then the
-- stems of the video's language. The words of name and tags are there once more after a `=`, to find those alone. After
-- a `%` stands the step its score is on, so that the best of what very many videos have are found without reading them
-- all, and after a `~` one of 64 samples that each video is in, to estimate how many there are; neighbours share
-- theirs, so that a sample is on few pages.
--
-- `search_word` has each word of names and tags with its uses, for words that were misspelt, and none that nothing has
-- any more; changes wait in `search_word_change`, so that nothing that publishes waits for another.

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

-- A row is made small only when it is larger than 2 kB: so each is, by a text that is packed into a few bytes, and the
-- words go out of line.
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
alter table video_document alter column document set storage external;
alter table video_document alter column language set storage plain;
create index video_document_words on video_document using gin (document) with (gin_pending_list_limit = 256);
create index video_document_stale on video_document (id) where stale;

create table channel_document (
  id integer primary key references video_channel (id) on delete cascade,
  document tsvector not null
);
create index channel_document_words on channel_document using gin (document) with (gin_pending_list_limit = 256);

create table search_word (
  word text collate "C" primary key,
  uses integer not null
);
create index search_word_unused on search_word (word) where uses = 0;
create index search_word_alike on search_word using gin (word gin_trgm_ops);

create table search_word_change (
  words text[] not null,
  change integer not null
);
