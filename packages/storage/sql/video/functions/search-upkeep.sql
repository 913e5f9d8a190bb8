-- Keeps the documents of searches, and the words they have.

create function video_document_begin() returns trigger language plpgsql as $$
begin
  update search_language set used = true where language = split_part(new.language, '-', 1) and not used;
  insert into video_document
    select v.id, v.account_id, v.channel_id, v.server_id, v.duration, v.nsfw_flags,
      search_score(v.views, v.likes, v.comments, v.published_at), v.published_at, v.originally_published_at, v.category,
      v.licence, v.privacy, v.state, v.visible, v.nsfw, v.remote, v.is_live, false, v.language, d.document
    from video v, video_documents(array[new.id]) d where v.id = new.id;
  return null;
end $$;

-- Where nothing the document is made of has changed, it is not looked at.
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
  elsif (new.server_id, new.duration, new.nsfw_flags, new_score, new.published_at, new.originally_published_at,
      new.category, new.licence, new.privacy, new.state, new.visible, new.nsfw, new.remote, new.is_live)
    is not distinct from (old.server_id, old.duration, old.nsfw_flags,
      search_score(old.views, old.likes, old.comments, old.published_at), old.published_at, old.originally_published_at,
      old.category, old.licence, old.privacy, old.state, old.visible, old.nsfw, old.remote, old.is_live)
  then return null;
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

create function video_tags_follow() returns trigger language plpgsql as $$
declare
  ids constant integer[] := array(select distinct video_id from changed);
begin
  update video_document d set document = n.document from video_documents(ids) n where d.id = n.id;
  return null;
end $$;

create function owner_renamed() returns trigger language plpgsql as $$
declare
  channels integer[];
  videos integer[] := '{}';
begin
  if tg_table_name = 'account' then
    channels := array(select c.id from video_channel c where c.account_id = new.id);
    videos := array(select id from video where account_id = new.id);
  else
    channels := array[new.id];
    if new.display_name <> old.display_name then videos := array(select id from video where channel_id = new.id); end if;
  end if;
  perform 1 from video_document where id = any(videos) order by id for no key update;
  update video_document set stale = true where id = any(videos);
  perform 1 from channel_document where id = any(channels) order by id for no key update;
  update channel_document d set document = n.document from channel_documents(channels) n where d.id = n.id;
  return null;
end $$;

create function actor_indexed() returns trigger language plpgsql as $$
begin
  update video_document d set stale = true where not d.stale and d.id in (
    select v.id from video_channel c join video v on v.channel_id = c.id where c.actor_id = new.id
    union all select v.id from account o join video v on v.account_id = o.id where o.actor_id = new.id
  );
  return null;
end $$;

create function channel_document_begin() returns trigger language plpgsql as $$
begin
  insert into channel_document select * from channel_documents(array[new.id]);
  return null;
end $$;

-- Words that a document has begun or ceased to have. Of all documents that a statement has begun or ended, a word is there as
-- often as there are documents.
create function document_words_follow() returns trigger language plpgsql as $$
begin
  if tg_level = 'STATEMENT' then
    insert into search_word_change (words, change)
      select array_agg(word), case tg_op when 'INSERT' then 1 else -1 end
      from changed d, unnest(search_title_words(d.document)) word having count(*) > 0;
  else
    insert into search_word_change (words, change)
      select c.words, c.change from (select search_title_words(old.document) as before, search_title_words(new.document) as now) d,
        lateral (values
          (array(select unnest(now) except select unnest(before)), 1),
          (array(select unnest(before) except select unnest(now)), -1)
        ) c (words, change) where cardinality(c.words) > 0;
  end if;
  return null;
end $$;
