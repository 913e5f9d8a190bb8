/**
 * Who has many followers does not wait until a delivery is written for each of their hosts: an activity that goes to more than
 * a hundred inboxes commits with one row that names them all (`delivery_fanout`), and the node makes its deliveries of that row
 * right after (`expand_fanout`), both in one statement. So each inbox is told once, whoever dies in between, and by whichever
 * node.
 *
 * The oldest goes first and others wait for it, and whatever is about a thing of which a row waits joins the row's queue:
 * activities about one thing are delivered in their order, as before.
 */
export const M0046Fanouts = `
create table delivery_fanout (
  activity_id bigint primary key references activity (id) on delete cascade,
  lane smallint not null,
  inboxes text[] not null,
  created_at timestamptz not null default now()
);

-- All that waits, as administrators see it.
create view waiting_delivery as
  select id, activity_id, inbox_url, host, lane, attempts, next_attempt_at, last_error, created_at from delivery
  union all
  select null, f.activity_id, i, inbox_host(i) collate "C", f.lane, 0, f.created_at, null, f.created_at
  from delivery_fanout f, unnest(f.inboxes) i;

create function activity_waits(of_activity bigint) returns boolean language sql stable as $$
  select exists (select from delivery where activity_id = of_activity)
    or exists (select from delivery_fanout where activity_id = of_activity)
$$;

-- The first of each by its index, whatever the planner knows of who follows whom.
create or replace function has_remote_followers(actors integer[]) returns boolean language sql stable as $$
  select exists (
    select from unnest(actors) a (id), lateral (
      select from actor_follow f where f.target_actor_id = a.id and f.follower_remote and f.state = 'accepted'
      order by f.target_actor_id, f.actor_id limit 1
    ) one
  )
$$;

-- Each distinct inbox of remote followers of these actors, and each of these further inboxes, gets the activity.
create or replace function queue_deliveries(
  of_activity bigint, of_lane smallint, follower_actors integer[], inboxes text[], besides text
) returns void language plpgsql as $$
declare
  told constant text[] := array(
    select i from (
      select coalesce(a.shared_inbox_url, a.inbox_url) as i
      from actor_follow f join actor a on a.id = f.actor_id
      where f.target_actor_id = any(follower_actors) and f.follower_remote and f.state = 'accepted'
      union select unnest(inboxes)
    ) r where besides is null or inbox_host(i) <> besides
  );
begin
  if cardinality(told) = 0 then return; end if;
  if cardinality(told) > 100 or exists (
    select from delivery_fanout f join activity a on a.id = f.activity_id
    where a.thing = (select thing from activity where id = of_activity)
  ) then
    insert into delivery_fanout (activity_id, lane, inboxes) values (of_activity, of_lane, told);
    perform pg_notify('delivery', 'many');
  else
    insert into delivery (activity_id, inbox_url, host, lane)
      select of_activity, i, inbox_host(i), of_lane from unnest(told) i;
    perform pg_notify('delivery', case cardinality(told) when 1 then of_lane || ' ' || inbox_host(told[1]) else '' end);
  end if;
end $$;

-- Makes the deliveries of the activity that has waited longest. Who asks meanwhile waits for that, so that none overtakes
-- another. False: there was none.
create function expand_fanout() returns boolean language plpgsql as $$
declare
  taken bigint;
begin
  with oldest as (
    delete from delivery_fanout where activity_id = (
      select f.activity_id from delivery_fanout f order by f.activity_id limit 1 for update
    ) returning *
  ), made as (
    insert into delivery (activity_id, inbox_url, host, lane, created_at)
    select o.activity_id, i, inbox_host(i), o.lane, o.created_at from oldest o, unnest(o.inboxes) i
  )
  select o.activity_id into taken from oldest o;
  return found;
end $$;

-- Hosts with something due now: those that are well first, those that fail last. Steps from host to host over an index,
-- whatever the planner knows of a table that was empty a second ago: the rows of one that waits may be many.
create function due_hosts() returns table (host text, part text, well boolean) language sql volatile
set enable_seqscan = off as $$
  with recursive waiting as (
    (select d.host from delivery d order by d.host limit 1)
    union all
    select (select d.host from delivery d where d.host > w.host order by d.host limit 1)
    from waiting w where w.host is not null
  )
  select distinct d.host, 'first', true from delivery d where d.lane = 0 and d.next_attempt_at <= now()
  union all (
    select w.host, 'rest', coalesce(h.failures = 0 and h.last_success_at is not null, false)
    from waiting w left join delivery_host h on h.host = w.host
    where w.host is not null and (h.rest_until is null or h.rest_until <= now()) and exists (
      select from delivery d where d.host = w.host and d.lane > 0 and d.next_attempt_at <= now()
    )
    order by 3 desc, h.failing_since nulls first, random()
  )
$$;
alter function take_delivery_turns(text[], text) set enable_seqscan = off;

-- As before; from the rows of the host to their activities and never the other way, which reads the rows of all hosts.
create or replace function due_deliveries(of_host text, first_lane boolean, at_most integer) returns table (
  id bigint, activity_id bigint, inbox_url text, attempts integer, thing text, type text
) language plpgsql stable rows 4 set enable_seqscan = off as $$
begin
  return query
    with held as materialized (
      select a.thing, min(d.id) as id
      from delivery d cross join lateral (select w.thing from activity w where w.id = d.activity_id offset 0) a
      where d.host = of_host and (d.lane = 0) = first_lane and d.next_attempt_at > now() and a.thing is not null group by 1
    )
    select d.id, d.activity_id, d.inbox_url, d.attempts, a.thing, a.type
    from delivery d
      cross join lateral (select w.thing, w.type from activity w where w.id = d.activity_id offset 0) a
      left join held h on h.thing = a.thing and h.id < d.id
    where d.host = of_host and (d.lane = 0) = first_lane and d.next_attempt_at <= now() and h.id is null
    order by d.lane, d.id limit at_most;
end $$;

create or replace function actor_keys_kept() returns trigger language plpgsql as $$
begin
  update activity a set private_key = old.private_key where a.actor_id = old.id and activity_waits(a.id);
  return old;
end $$;

create or replace function send_viewers(
  of_uri text, video_url text, until text, viewers integer, followed integer[], inboxes text[], audience jsonb
) returns integer language plpgsql as $$
declare
  sent bigint;
begin
  -- What somebody writes off at this moment is not waited for, what somebody expands is.
  perform from delivery_fanout f join activity a on a.id = f.activity_id where a.uri = of_uri for update of f;
  delete from delivery where id in (
    select d.id from delivery d where d.activity_id = (select id from activity where uri = of_uri) for update skip locked
  );
  delete from activity where uri = of_uri;
  sent := send_activity(
    of_uri, 'View', instance_actor(), to_json(video_url)::text, 3::smallint, followed, inboxes,
    audience || jsonb_build_object('expires', until) || case when viewers is null then '{}'
      else jsonb_build_object('result', jsonb_build_object(
        'type', 'InteractionCounter', 'interactionType', 'WatchAction', 'userInteractionCount', viewers)) end,
    'View', of_uri
  );
  return (select count(*) from delivery where activity_id = sent)
    + coalesce((select cardinality(f.inboxes) from delivery_fanout f where f.activity_id = sent), 0);
end $$;

create or replace function pass_on(
  of_video integer, of_uri text, payload jsonb, of_thing text, of_lane smallint, replaced bigint default null,
  besides text default null
) returns void language plpgsql as $$
declare
  channel actor;
  groups text[];
  new_id bigint;
begin
  if not federation_setting('enabled', true) then return; end if;
  select a.* into channel from video v join video_channel c on c.id = v.channel_id join actor a on a.id = c.actor_id
    where v.id = of_video and not v.remote and v.privacy = 1 and video_is_known(v.id);
  if not found then return; end if;
  groups := group_inboxes(channel.id);
  if cardinality(groups) = 0 then return; end if;
  insert into activity (uri, type, actor_id, sender, body, context, thing) values (
    channel.url || '/announces/' || md5(of_uri), 'Announce', channel.id, channel.url,
    public_audience('{}', array[coalesce(channel.followers_url, channel.url || '/followers')]) || jsonb_build_object(
      'type', 'Announce', 'id', channel.url || '/announces/' || md5(of_uri), 'actor', channel.url,
      -- The context of all is that of the Announce; a signature would be of other words.
      'object', case jsonb_typeof(payload) when 'object' then payload - '@context' - 'signature' - '@original' else payload end
    ),
    'Comment', of_thing
  ) on conflict (uri) do nothing returning id into new_id;
  if new_id is not null then
    perform queue_deliveries(new_id, of_lane, '{}', groups, besides);
    -- It is there for nobody.
    delete from activity a where a.id = new_id and not activity_waits(new_id);
  end if;
  if replaced is not null then
    update delivery_fanout f set inboxes = array(select i from unnest(f.inboxes) i where i <> all(groups))
      where f.activity_id = replaced and f.inboxes && groups;
    delete from delivery where activity_id = replaced and inbox_url = any(groups);
  end if;
end $$;
`
