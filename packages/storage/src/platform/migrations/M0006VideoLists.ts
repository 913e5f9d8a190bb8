/**
 * What lists of videos filter and sort by. `video.visible` is 2 for what everybody may list, 1 for what users of this
 * instance may (internal videos), 0 otherwise; the indexes hold both. Totals are kept as changes that sum up, so that
 * nothing that publishes waits for another.
 */
export const M0006VideoLists = `
alter table video
  add column visible smallint not null default 0,
  add column server_id integer references server (id) on delete cascade,
  add column hot_score real not null default 0;

create function search_text(value text) returns text language sql immutable parallel safe as
$$ select lower(public.unaccent('public.unaccent'::regdictionary, value)) $$;

create index video_visible_published on video (published_at desc, id desc) where visible > 0;
create index video_visible_account on video (account_id, published_at desc, id desc) include (visible, nsfw, remote)
  where visible > 0;
create index video_visible_channel on video (channel_id, published_at desc, id desc) where visible > 0;
create index video_visible_views on video (views desc, id desc) where visible > 0;
create index video_visible_likes on video (likes desc, id desc) where visible > 0;
create index video_visible_created on video (created_at desc, id desc) where visible > 0;
create index video_visible_name on video (name, id) where visible > 0;
create index video_visible_duration on video (duration desc, id desc) where visible > 0;
create index video_visible_hot on video (hot_score desc, id desc) where visible > 0;
create index video_visible_category on video (category, published_at desc, id desc) where visible > 0;
create index video_visible_language on video (language, published_at desc, id desc) where visible > 0;
create index video_visible_server on video (server_id) include (visible, nsfw, remote, account_id) where visible > 0;
create index video_published on video (published_at desc, id desc);
create index video_search on video using gin (search_text(name) gin_trgm_ops);

-- What makes a video hot: each tenfold of interest weighs as much as being 12.5 hours younger.
create function video_hotness(views integer, likes integer, comments integer, published_at timestamptz) returns real
language sql stable as $$
  select (log(greatest(1, views + 3 * likes + 2 * comments)) + extract(epoch from published_at - 'epoch') / 45000 - 37000)::real
$$;

create or replace function video_set_listed() returns trigger language plpgsql as $$
declare
  blacklisted constant boolean := exists (select 1 from video_blacklist b where b.video_id = new.id);
begin
  new.listed := video_is_listed(new.state, new.privacy, blacklisted);
  new.visible := case when new.listed then 2 when new.state = 1 and new.privacy = 4 and not blacklisted then 1 else 0 end;
  new.hot_score := video_hotness(new.views, new.likes, new.comments, new.published_at);
  new.server_id := (select a.server_id from account c join actor a on a.id = c.actor_id where c.id = new.account_id);
  return new;
end $$;
drop trigger video_listed on video;
create trigger video_listed before insert or update of state, privacy, views, likes, comments, published_at, account_id
  on video for each row execute function video_set_listed();

-- Setting the state to itself runs the trigger above.
create or replace function blacklist_set_listed() returns trigger language plpgsql as $$
begin
  update video v set state = v.state where v.id = case when tg_op = 'DELETE' then old.video_id else new.video_id end;
  return null;
end $$;
update video set state = state;

create table video_total (
  visible smallint not null,
  nsfw boolean not null,
  remote boolean not null,
  change integer not null
);
insert into video_total select visible, nsfw, remote, count(*) from video where visible > 0 group by 1, 2, 3;

create function video_total_inserted() returns trigger language plpgsql as $$
begin
  insert into video_total select visible, nsfw, remote, count(*) from inserted where visible > 0 group by 1, 2, 3;
  return null;
end $$;
create function video_total_deleted() returns trigger language plpgsql as $$
begin
  insert into video_total select visible, nsfw, remote, -count(*) from deleted where visible > 0 group by 1, 2, 3;
  return null;
end $$;
create function video_total_updated() returns trigger language plpgsql as $$
begin
  insert into video_total
    select visible, nsfw, remote, sum(change) from (
      select visible, nsfw, remote, 1 as change from inserted union all select visible, nsfw, remote, -1 from deleted
    ) c where visible > 0 group by 1, 2, 3 having sum(change) <> 0;
  return null;
end $$;
create trigger video_total_inserted after insert on video referencing new table as inserted
  for each statement execute function video_total_inserted();
create trigger video_total_deleted after delete on video referencing old table as deleted
  for each statement execute function video_total_deleted();
create trigger video_total_updated after update on video referencing old table as deleted new table as inserted
  for each statement execute function video_total_updated();

-- How many videos the blocks of these accounts hide from a total; a null asks for both kinds.
create function hidden_total(blockers integer[], of_least smallint, of_nsfw boolean, of_remote boolean) returns bigint
language plpgsql stable as $$
declare
  hidden bigint := 0;
begin
  if exists (select 1 from account_block where account_id = any(blockers)) then
    hidden := (
      select count(*) from video v where v.visible > 0 and v.visible >= of_least
        and v.nsfw = coalesce(of_nsfw, v.nsfw) and v.remote = coalesce(of_remote, v.remote)
        and v.account_id in (select target_account_id from account_block where account_id = any(blockers))
    );
  end if;
  if exists (select 1 from server_block where account_id = any(blockers)) then
    hidden := hidden + (
      select count(*) from video v where v.visible > 0 and v.visible >= of_least
        and v.nsfw = coalesce(of_nsfw, v.nsfw) and v.remote = coalesce(of_remote, v.remote)
        and v.server_id in (select server_id from server_block where account_id = any(blockers))
        and v.account_id not in (select target_account_id from account_block where account_id = any(blockers))
    );
  end if;
  return hidden;
end $$;

-- The file a video was made from (contract: VideoSource).
create function wire_video_source(of_video integer) returns text language sql stable as $$
  select '{"fileDownloadUrl":' || coalesce(to_json(url)::text, 'null') || ','
    || substr(json_strip_nulls(row_to_json(s))::text, 2) from (
    select input_filename as "inputFilename", case when resolution is null then null else wire_resolution(resolution) end as resolution,
      size, fps, width, height, wire_time(created_at) as "createdAt", metadata
    from video_source where video_id = of_video order by created_at desc limit 1
  ) s, lateral (
    select wire_origin() || '/download/original-video-files/' || filename as url
    from video_source where video_id = of_video order by created_at desc limit 1
  ) u
$$;

-- Adds up the changes, so that a total is a few rows to read.
create function compact_video_total() returns void language sql as $$
  with gone as (delete from video_total returning *)
  insert into video_total select visible, nsfw, remote, sum(change) from gone group by 1, 2, 3
$$;
`
