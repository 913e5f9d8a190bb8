/**
 * The way of an activity of others, from its row to what it changes.
 *
 * A row of `inbox_activity` is what a peer said, once for each id. Activities that set a state (a like, a follow, what a video
 * is) may come again under the same id, as PeerTube sends them: `digest` tells a repetition from a new one
 * (docs/decisions/inbox.md). Whatever a row changes commits together with its state.
 */
export const M0036Inbox = `
alter table inbox_activity
  add column type text not null default '',
  -- What it is about, where there is one thing and it has an address.
  add column object text,
  -- Of the bytes it came in.
  add column digest text not null default '',
  -- Length of body as it came; 0 once it is applied, when nothing is kept but what tells a repetition.
  add column bytes integer not null default 0,
  add column attempts smallint not null default 0,
  -- Not tried again before.
  add column not_before timestamptz;
drop index inbox_activity_waiting;
create index inbox_activity_waiting on inbox_activity (host, id) include (bytes, not_before) where state = 'waiting';
-- By what they are about: to be found when that is deleted meanwhile.
create index inbox_activity_postponed on inbox_activity (md5(object)) where state = 'waiting' and not_before is not null;

-- Who has shared a video: announced it to those who follow them.
create table video_share (
  id integer generated always as identity primary key,
  actor_id integer not null references actor (id) on delete cascade,
  video_id integer not null references video (id) on delete cascade,
  url text not null unique,
  created_at timestamptz not null default now(),
  unique (video_id, actor_id)
);
create index video_share_actor on video_share (actor_id);

-- Viewers of now that other instances told us of: of our videos one row a viewer there, of theirs one row with how many.
create table remote_viewers (
  video_id integer not null references video (id) on delete cascade,
  viewer text not null,
  host citext not null,
  viewers integer not null check (viewers between 0 and 10000000),
  expires_at timestamptz not null,
  primary key (video_id, viewer)
);
create index remote_viewers_expiry on remote_viewers (expires_at);

-- What a host may still add to a counter of a video of ours in this hour.
create table remote_counting (
  video_id integer not null references video (id) on delete cascade,
  host citext not null,
  hour timestamptz not null,
  kind text not null check (kind in ('view', 'download', 'watch')),
  counted integer not null,
  primary key (video_id, hour, host, kind)
);
create index remote_counting_hour on remote_counting (hour);

-- One node at a time works for a host, whatever the placement of actors says. Held until the transaction ends.
create function inbox_turn(of_host citext) returns boolean language sql as
$$ select pg_try_advisory_xact_lock(1768845922, hashtext(lower(of_host::text))) $$;

-- Begins to apply one row: false when it is not to be done, or not by us. Which one it is stays known until the transaction ends.
create function inbox_claim(of_host citext, of_id bigint) returns boolean language plpgsql as $$
begin
  if not inbox_turn(of_host) then return false; end if;
  perform 1 from inbox_activity where id = of_id and state = 'waiting' for update;
  if not found then return false; end if;
  perform set_config('kinora.applying', of_id::text, true);
  return true;
end $$;

create function inbox_applied(ids bigint[]) returns void language sql as $$
  update inbox_activity set state = 'applied', processed_at = now(), error = null, bytes = 0,
    body = jsonb_build_object('type', type)
    where id = any(ids)
$$;

-- Applies likes and dislikes that stand first in the line of a host, up to so many, in one go; answers how many rows that
-- were, and whether others were seen behind them. Of several by one account about one video the last counts. Those about videos of others are theirs to count and
-- come to nothing; those whose account is not known yet are left.
create function inbox_apply_rates(of_host citext, most integer) returns table (applied integer, others boolean)
language plpgsql as $$
declare
  ids bigint[];
  known integer[];
  accounts integer[];
  videos integer[];
  kinds text[];
begin
  applied := 0;
  others := false;
  if not inbox_turn(of_host) then return next; return; end if;
  with due as materialized (
    select id, type, actor_url, object from inbox_activity
    where host = of_host and state = 'waiting' and (not_before is null or not_before <= now()) order by id limit most
  ), line as materialized (
    select * from due where id < coalesce(
      (select min(id) from due where type not in ('Like', 'Dislike') or object is null), 9223372036854775807)
  ), target as materialized (
    select v.id, v.url, v.remote from video v where v.url in (select object from line)
      and (v.remote or video_is_federated(v.id))
  ), instance as materialized (
    select o.id from account o join actor t on t.id = o.actor_id
      where t.preferred_username = 'peertube'::citext and t.server_id is null
  ), rated as (
    select l.id, a.id as account_id, v.id as video_id, lower(l.type) as kind, v.remote from line l
      join actor r on r.url = l.actor_url and r.server_id is not null
      join account a on a.actor_id = r.id
      join target v on v.url = l.object
    -- Of whom the instance has muted meanwhile, nothing is applied.
    where not exists (select from account_block b join instance i on i.id = b.account_id where b.target_account_id = a.id)
      and not exists (select from server_block b join instance i on i.id = b.account_id where b.server_id = r.server_id)
  )
  select array_agg(id order by id), array_agg(account_id order by id) filter (where not remote),
    array_agg(video_id order by id) filter (where not remote), array_agg(kind order by id) filter (where not remote),
    (select count(*) from due) > (select count(*) from line)
    into ids, accounts, videos, kinds, others from rated;
  if ids is null then return next; return; end if;
  select array_agg(id) into known from (
    select id from account where id = any(accounts) order by id for key share
  ) a;
  perform 1 from video where id = any(videos) order by id for no key update;
  with wanted as (
    select distinct on (account_id, video_id) account_id, video_id, kind
    from unnest(accounts, videos, kinds) with ordinality w (account_id, video_id, kind, nth)
    where account_id = any(known) and exists (select from video v where v.id = w.video_id)
    order by account_id, video_id, nth desc
  ), changed as (
    select w.*, r.type as former from wanted w
      left join account_video_rate r on r.account_id = w.account_id and r.video_id = w.video_id
    where r.type is distinct from w.kind
  ), written as (
    insert into account_video_rate (account_id, video_id, type) select account_id, video_id, kind from changed
    on conflict (account_id, video_id) do update set type = excluded.type, updated_at = now()
  ), sums as (
    select video_id,
      sum((kind = 'like')::integer - (former is not distinct from 'like')::integer)::integer as likes,
      sum((kind = 'dislike')::integer - (former is not distinct from 'dislike')::integer)::integer as dislikes
    from changed group by video_id
  )
  update video v set likes = v.likes + s.likes, dislikes = v.dislikes + s.dislikes from sums s
    where v.id = s.video_id and (s.likes <> 0 or s.dislikes <> 0);
  perform inbox_applied(ids);
  applied := cardinality(ids);
  return next;
end $$;

-- Counts of ratings change often, and are written into the ready answers without voiding these.
create or replace function video_wire_void() returns trigger language plpgsql as $$
declare
  before video := old;
begin
  before.trend_views := new.trend_views;
  before.local_files_size := new.local_files_size;
  before.has_hls := new.has_hls;
  before.has_web_videos := new.has_web_videos;
  before.likes := new.likes;
  before.hot_score := new.hot_score;
  before.dislikes := new.dislikes;
  if before is distinct from new then
    update video_wire set summary = null, details = null where video_id = new.id;
  elsif old.likes <> new.likes or old.dislikes <> new.dislikes then
    update video_wire set
      summary = regexp_replace(regexp_replace(summary, '"likes":[0-9]+', '"likes":' || new.likes),
        '"dislikes":[0-9]+', '"dislikes":' || new.dislikes),
      details = regexp_replace(regexp_replace(details, '"likes":[0-9]+', '"likes":' || new.likes),
        '"dislikes":[0-9]+', '"dislikes":' || new.dislikes)
      where video_id = new.id;
  end if;
  return null;
end $$;

-- Takes back a rating, if it is of this kind. False when there was none.
create function unset_rate(of_account integer, of_video integer, kind text) returns boolean language plpgsql as $$
begin
  perform 1 from account where id = of_account for key share;
  perform 1 from video where id = of_video for no key update;
  perform 1 from account_video_rate where account_id = of_account and video_id = of_video and type = kind;
  if not found then return false; end if;
  return set_rate(of_account, of_video, null);
end $$;

-- Whether one more of a kind counts for a video of ours: a host adds no more than so many in an hour.
create function remote_count(of_video integer, of_host citext, of_kind text, most integer) returns boolean
language plpgsql as $$
begin
  insert into remote_counting as c (video_id, host, hour, kind, counted)
    values (of_video, of_host, date_trunc('hour', now()), of_kind, 1)
    on conflict (hour, video_id, host, kind) do update set counted = c.counted + 1 where c.counted < most;
  return found;
end $$;

-- One view of a video that somebody else's instance counted.
create function add_remote_view(of_video integer) returns void language plpgsql as $$
begin
  update video set views = views + 1, trend_views = trend_views + 1 where id = of_video;
  if not found then return; end if;
  insert into video_view_day as d (video_id, day, views) values (of_video, (now() at time zone 'UTC')::date, 1)
    on conflict (video_id, day) do update set views = d.views + 1;
end $$;

-- Viewers elsewhere are counted beside those here, and shown together.
alter table video_viewers add column remote integer not null default 0 check (remote >= 0);

create or replace function wire_viewers(of_video integer) returns integer language sql stable as
$$ select coalesce((select viewers + remote from video_viewers where video_id = of_video), 0) $$;

create function show_viewers(of_video integer) returns void language sql as $$
  update video_wire set
    summary = regexp_replace(summary, '"viewers":[0-9]+', '"viewers":' || wire_viewers(of_video)),
    details = regexp_replace(details, '"viewers":[0-9]+', '"viewers":' || wire_viewers(of_video))
    where video_id = of_video
$$;

create or replace function set_viewers(of_video integer, of_viewers integer) returns void language plpgsql as $$
begin
  insert into video_viewers (video_id, viewers) select id, of_viewers from video where id = of_video for key share
    on conflict (video_id) do update set viewers = excluded.viewers;
  perform show_viewers(of_video);
end $$;

-- Forgets viewers elsewhere whose time is over, and shows what changed; answers of how many videos.
create function settle_remote_viewers() returns integer language plpgsql as $$
declare
  c record;
  changed integer := 0;
begin
  delete from remote_viewers where expires_at < now();
  for c in
    select coalesce(n.video_id, k.video_id) as id, coalesce(n.viewers, 0) as viewers from (
      select video_id, least(sum(viewers), 100000000)::integer as viewers from remote_viewers group by 1
    ) n full join (select video_id, remote from video_viewers where remote > 0) k on k.video_id = n.video_id
    where n.viewers is distinct from k.remote order by 1
  loop
    insert into video_viewers (video_id, viewers, remote)
      select id, 0, c.viewers from video where id = c.id for key share
      on conflict (video_id) do update set remote = excluded.remote;
    perform show_viewers(c.id);
    changed := changed + 1;
  end loop;
  return changed;
end $$;
`
