/**
 * What keeps lists quick over a million videos: every order has an index that holds all that lists filter by, so that
 * neither a deep page nor a count reads the videos themselves; what it takes to know that a total still holds; and the
 * views of the last days. Ready answers are made at once for what is ours, for the rest when somebody first asks.
 */
const covered =
  "include (account_id, server_id, language, nsfw_flags, visible, category, licence, privacy, state, nsfw, remote, is_live, " +
  "has_hls, has_web_videos)"

const orders: Readonly<Record<string, string>> = {
  published: "published_at desc, id desc",
  views: "views desc, id desc",
  likes: "likes desc, id desc",
  comments: "comments desc, id desc",
  created: "created_at desc, id desc",
  name: "name, id",
  duration: "duration desc, id desc",
  hot: "hot_score desc, id desc",
  trend: "trend_views desc, views desc, id desc",
  size: "local_files_size desc, id desc",
  account: "account_id, published_at desc, id desc",
  channel: "channel_id, published_at desc, id desc",
  server: "server_id, published_at desc, id desc",
  language: "language, published_at desc, id desc",
  category: "category, published_at desc, id desc"
}

/** The indexes of M0002 and M0006 that these take the place of. */
const replaced = [
  ...["published", "account", "channel", "views", "likes", "created", "name", "duration", "hot"],
  ...["category", "language", "server"]
].map((name) => `video_visible_${name}`)

const indexes = Object.entries(orders).map(
  ([name, columns]) => `create index video_by_${name} on video (${columns}) ${covered};`
)

export const M0016ListScale = `
set local maintenance_work_mem = '256MB';
drop index ${[...replaced, "video_published", "video_account", "video_channel_videos"].join(", ")};

alter table video
  -- Views of the last days, as many as the configuration says: see refresh_trends.
  add column trend_views integer not null default 0,
  -- What the files of a video come to, kept by triggers on these. Sizes are of local videos only.
  add column has_hls boolean not null default true,
  add column has_web_videos boolean not null default false,
  add column local_files_size bigint not null default 0;

-- Nothing that is shown changes here.
alter table video disable trigger user;
update video v set has_hls = f.hls, has_web_videos = f.web, local_files_size = f.size
  from (
    select x.id, h.video_id is not null as hls, w.video_id is not null as web,
      case when x.remote then 0 else coalesce(h.size, 0) + coalesce(w.size, 0) end as size
    from video x
      left join (
        select s.video_id, sum(f.size) as size from streaming_playlist s
        left join video_file f on f.streaming_playlist_id = s.id group by 1
      ) h on h.video_id = x.id
      left join (select video_id, sum(size) as size from video_file where video_id is not null group by 1) w
        on w.video_id = x.id
  ) f
  where f.id = v.id and (not f.hls or f.web or f.size > 0);
alter table video alter column has_hls set default false;
alter table video enable trigger user;

${indexes.join("\n")}
create index video_by_original on video ((coalesce(originally_published_at, 'epoch'::timestamptz)) desc, id desc)
  include (originally_published_at, account_id, server_id, language, nsfw_flags, visible, category, licence, privacy, state,
    nsfw, remote, is_live, has_hls, has_web_videos);
create index video_local on video (published_at desc, id desc) include (
    name, views, likes, comments, created_at, originally_published_at, duration, hot_score, trend_views, local_files_size,
    account_id, server_id, language, nsfw_flags, visible, category, licence, privacy, state, nsfw, remote, is_live, has_hls,
    has_web_videos
  ) where not remote;
create index video_live on video (published_at desc, id desc) where is_live;

-- Handles are looked up by name first: those of this instance and those of others have an index each, which a lookup for
-- either cannot use.
create index actor_name on actor (preferred_username);

drop index video_tag_tag;
create index video_tag_tag on video_tag (tag_id, video_id);
create index video_view_day_day on video_view_day (day, video_id) include (views);

create function video_files_kept(ids integer[]) returns void language plpgsql as $$
begin
  -- Two that change files of one video take turns, and each counts what the other has written.
  perform 1 from video where id = any(ids) order by id for no key update;
  update video v set has_hls = f.hls, has_web_videos = f.web, local_files_size = f.size
    from (
      select x.id, exists (select 1 from streaming_playlist s where s.video_id = x.id) as hls,
        exists (select 1 from video_file w where w.video_id = x.id) as web,
        case when x.remote then 0 else
          (select coalesce(sum(w.size), 0) from video_file w where w.video_id = x.id)
          + (select coalesce(sum(h.size), 0) from streaming_playlist s join video_file h on h.streaming_playlist_id = s.id
            where s.video_id = x.id) end as size
      from video x where x.id = any(ids)
    ) f
    where f.id = v.id
      and (v.has_hls, v.has_web_videos, v.local_files_size) is distinct from (f.hls, f.web, f.size::bigint);
end $$;
create function video_file_kept() returns trigger language plpgsql as $$
begin
  perform video_files_kept(array(
    select distinct coalesce(c.video_id, s.video_id) from changed c
    left join streaming_playlist s on s.id = c.streaming_playlist_id
    where coalesce(c.video_id, s.video_id) is not null
  ));
  return null;
end $$;
create function streaming_playlist_kept() returns trigger language plpgsql as $$
begin
  perform video_files_kept(array(select distinct video_id from changed));
  return null;
end $$;
create trigger video_file_kept_added after insert on video_file
  referencing new table as changed for each statement execute function video_file_kept();
create trigger video_file_kept_changed after update on video_file
  referencing new table as changed for each statement execute function video_file_kept();
create trigger video_file_kept_gone after delete on video_file
  referencing old table as changed for each statement execute function video_file_kept();
create trigger streaming_playlist_kept_added after insert on streaming_playlist
  referencing new table as changed for each statement execute function streaming_playlist_kept();
create trigger streaming_playlist_kept_gone after delete on streaming_playlist
  referencing old table as changed for each statement execute function streaming_playlist_kept();

-- None of these is told in an answer; those that are and come of files are voided by the files.
create or replace function video_wire_void() returns trigger language plpgsql as $$
declare
  before video := old;
begin
  before.trend_views := new.trend_views;
  before.local_files_size := new.local_files_size;
  before.has_hls := new.has_hls;
  before.has_web_videos := new.has_web_videos;
  if before is distinct from new then
    update video_wire set summary = null, details = null where video_id = new.id;
  end if;
  return null;
end $$;

create or replace function video_wire_begin() returns trigger language plpgsql as $$
begin
  if not new.remote then insert into video_wire (video_id) values (new.id); end if;
  return null;
end $$;
delete from video_wire w using video v
  where v.id = w.video_id and v.remote and (w.summary is null or w.details is null);

-- A total that was counted holds as long as the rows of video_total are the same ones, and the blocks have not changed.
alter table video_total add column id bigint generated always as identity;
-- The same by who made the videos, to tell at once how many the blocks of somebody hide: changes that add up, too.
create table owner_total (
  account_id integer not null,
  server_id integer,
  visible smallint not null,
  nsfw boolean not null,
  remote boolean not null,
  change integer not null
);
insert into owner_total
  select account_id, server_id, visible, nsfw, remote, count(*) from video where visible > 0 group by 1, 2, 3, 4, 5;
create index owner_total_account on owner_total (account_id);

create or replace function video_total_inserted() returns trigger language plpgsql as $$
begin
  insert into video_total (visible, nsfw, remote, change)
    select visible, nsfw, remote, count(*) from inserted where visible > 0 group by 1, 2, 3;
  insert into owner_total
    select account_id, server_id, visible, nsfw, remote, count(*) from inserted where visible > 0 group by 1, 2, 3, 4, 5;
  return null;
end $$;
create or replace function video_total_deleted() returns trigger language plpgsql as $$
begin
  insert into video_total (visible, nsfw, remote, change)
    select visible, nsfw, remote, -count(*) from deleted where visible > 0 group by 1, 2, 3;
  insert into owner_total
    select account_id, server_id, visible, nsfw, remote, -count(*) from deleted where visible > 0 group by 1, 2, 3, 4, 5;
  return null;
end $$;
create or replace function video_total_updated() returns trigger language plpgsql as $$
begin
  with changes as (
    select account_id, server_id, visible, nsfw, remote, sum(change) as change from (
      select account_id, server_id, visible, nsfw, remote, 1 as change from inserted
      union all select account_id, server_id, visible, nsfw, remote, -1 from deleted
    ) c where visible > 0 group by 1, 2, 3, 4, 5 having sum(change) <> 0
  ), owners as (
    insert into owner_total select * from changes
  )
  -- With a change of nothing where a video only went from one to another: numbers of hidden ones are others then.
  insert into video_total (visible, nsfw, remote, change)
    select visible, nsfw, remote, sum(change) from changes group by 1, 2, 3;
  return null;
end $$;

-- One pass with both sets of blocks hashed: whatever the planner thinks of how many there are.
create or replace function hidden_total(blockers integer[], of_least smallint, of_nsfw boolean, of_remote boolean)
returns bigint language sql stable as $$
  select coalesce(sum(o.change), 0) from owner_total o
  where (o.account_id in (select target_account_id from account_block where account_id = any(blockers))
      or o.server_id in (select server_id from server_block where account_id = any(blockers)))
    and o.visible >= of_least and o.nsfw = coalesce(of_nsfw, o.nsfw) and o.remote = coalesce(of_remote, o.remote)
$$;

-- Adds up what there is of accounts that changed often.
create function compact_owner_total() returns void language sql as $$
  with gone as (
    delete from owner_total
    where account_id in (select account_id from owner_total group by account_id having count(*) > 8)
    returning *
  )
  insert into owner_total
    select account_id, server_id, visible, nsfw, remote, sum(change) from gone group by 1, 2, 3, 4, 5 having sum(change) <> 0
$$;

create or replace function compact_video_total() returns void language sql as $$
  with gone as (delete from video_total returning *)
  insert into video_total (visible, nsfw, remote, change) select visible, nsfw, remote, sum(change) from gone group by 1, 2, 3
$$;

create table block_version (
  account_id integer primary key,
  version bigint not null default 1
);
insert into block_version (account_id)
  select account_id from account_block union select account_id from server_block;
create function block_changed() returns trigger language plpgsql as $$
begin
  insert into block_version as v (account_id) select distinct account_id from changed order by account_id
    on conflict (account_id) do update set version = v.version + 1;
  return null;
end $$;
create trigger account_block_added after insert on account_block
  referencing new table as changed for each statement execute function block_changed();
create trigger account_block_gone after delete on account_block
  referencing old table as changed for each statement execute function block_changed();
create trigger server_block_added after insert on server_block
  referencing new table as changed for each statement execute function block_changed();
create trigger server_block_gone after delete on server_block
  referencing old table as changed for each statement execute function block_changed();

-- Brings the views of the last so many days (UTC, today's included) up to date, of at most so many videos; answers of
-- how many.
create function refresh_trends(days integer, at_most integer) returns integer language plpgsql as $$
declare
  changed integer;
begin
  with recent as (
    select video_id, sum(views)::integer as views from video_view_day
    where day > (now() at time zone 'UTC')::date - days group by video_id
  ), wrong as (
    select coalesce(r.video_id, v.id) as id, coalesce(r.views, 0) as views
    from recent r full join (select id, trend_views from video where trend_views > 0) v on v.id = r.video_id
    where coalesce(r.views, 0) <> coalesce(v.trend_views, 0) order by 1 limit at_most
  ), locked as (
    select w.* from wrong w join video v on v.id = w.id order by w.id for no key update of v
  )
  update video v set trend_views = l.views from locked l where v.id = l.id;
  get diagnostics changed = row_count;
  return changed;
end $$;

create or replace function apply_views(of_video integer) returns integer language plpgsql as $$
declare
  added integer;
begin
  -- The video first, as who deletes it does; sessions that are being written have their turn next time.
  perform 1 from video where id = of_video for no key update;
  with free as (
    select id from video_viewing where video_id = of_video and counted_at is not null and not applied
    for update skip locked
  ), counted as (
    update video_viewing v set applied = true from free f where v.id = f.id
    returning (v.counted_at at time zone 'UTC')::date as day
  ), daily as (
    insert into video_view_day (video_id, day, views) select of_video, day, count(*) from counted group by day
    on conflict (video_id, day) do update set views = video_view_day.views + excluded.views
  )
  select count(*) into added from counted;
  if added > 0 then update video set views = views + added, trend_views = trend_views + added where id = of_video; end if;
  return added;
end $$;

-- Answers made on the spot: the same as before, in fewer and quicker steps.
create or replace function wire_ratio(width integer, height integer) returns text language sql immutable as $$
  select case
    when width < 1.125::float8 * greatest(height, 1) then '1:1'
    when width < 1.2916666::float8 * greatest(height, 1) then '5:4'
    when width < 1.4666666::float8 * greatest(height, 1) then '4:3'
    when width < 1.6888888::float8 * greatest(height, 1) then '16:10'
    else '16:9' end
$$;

create or replace function short_uuid(uuid uuid) returns text language plpgsql immutable as $$
declare
  digits constant text := '123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ';
  bits constant bit(128) := ('x' || replace(uuid::text, '-', ''))::bit(128);
  high constant bigint := substring(bits for 64)::bigint;
  low constant bigint := substring(bits from 65)::bigint;
  rest numeric := (case when high < 0 then high + 18446744073709551616 else high end) * 18446744073709551616
    + (case when low < 0 then low + 18446744073709551616 else low end);
  part bigint;
  quotient numeric;
  answer text := '';
begin
  -- Ten digits at a time: those are small enough for whole numbers of 64 bits.
  for round in 1..3 loop
    quotient := div(rest, 430804206899405824);
    part := (rest - quotient * 430804206899405824)::bigint;
    rest := quotient;
    for n in 1..(case round when 3 then 2 else 10 end) loop
      answer := substr(digits, (part % 58)::integer + 1, 1) || answer;
      part := part / 58;
    end loop;
  end loop;
  return answer;
end $$;

create or replace function wire_actor_summary(of_id integer, display_name text, of_actor integer, origin text) returns json
language plpgsql stable as $$
begin
  return (
    select '{"id":' || of_id || ',"displayName":' || to_json(display_name) || ',"name":' || to_json(a.preferred_username)
      || ',"url":' || to_json(a.url) || ',"host":' || to_json(coalesce(s.host::text, wire_host(origin))) || ',"avatars":'
      || case when exists (select 1 from actor_image i where i.actor_id = a.id and i.type = 1)
        then wire_actor_images(a.id, 1::smallint, origin)::text else '[]' end || '}'
    from actor a left join server s on s.id = a.server_id where a.id = of_actor
  );
end $$;

create or replace function wire_video_common(of_video integer, complete boolean) returns text language plpgsql stable as $$
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

create or replace function wire_video_summary(of_video integer) returns text language plpgsql stable as $$
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
`
