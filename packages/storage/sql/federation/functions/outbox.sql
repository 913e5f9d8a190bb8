-- What others receive: activities are made by triggers in the transaction of the change they are about, together with
-- one delivery a (shared) inbox. Those that depend on how a thing looks in the end are made when the transaction
-- commits.
--
-- Only what local actors do goes out, and only to others: rows of other instances pass all triggers without a trace.
-- `docs/decisions/outbox.md` says what goes out when.

-- Of an address as they are kept: scheme, host with port, path. Without what may stand before the host.
create function inbox_host(inbox text) returns text language sql immutable as
$$ select lower(split_part(split_part(split_part(split_part(inbox, '/', 3), '?', 1), '#', 1), '@', -1)) $$;

create function inbox_of(of_actor integer) returns text language sql stable as
$$ select coalesce(shared_inbox_url, inbox_url) from actor where id = of_actor and server_id is not null $$;

-- The first of each by its index, whatever the planner knows of who follows whom.
create function has_remote_followers(actors integer[]) returns boolean language sql stable as $$
  select exists (
    select from unnest(actors) a (id), lateral (
      select from actor_follow f where f.target_actor_id = a.id and f.follower_remote and f.state = 'accepted'
      order by f.target_actor_id, f.actor_id limit 1
    ) one
  )
$$;

-- Whether anybody elsewhere follows anything here: what is written in bulk where nobody does, pays for no more than
-- this.
create function somebody_listens() returns boolean language sql stable as $$
  select exists (select from actor_follow where follower_remote and state = 'accepted' and target_actor_id > 0)
$$;

-- An id that no activity has had lately, or is to have: others take the same id for the same activity. The fragment
-- leaves its address.
create function fresh_activity_uri(wanted text) returns text language sql volatile as $$
  select case when exists (select from activity where uri = wanted)
      or exists (select from outbox_change where details -> 'after' ->> 'url' = wanted)
    then wanted || '#' || (extract(epoch from clock_timestamp()) * 1000000)::bigint else wanted end
$$;

-- Addresses of others among these.
create function outer_inboxes(inboxes text[]) returns text[] language sql stable as $$
  select coalesce(array_agg(i), '{}') from unnest(inboxes) i
  where i ~ '^https?://[^/]' and inbox_host(i) <> (select lower(wire_host(wire_origin())))
$$;

-- Records an activity of a local actor and whom it must reach: the remote followers of some actors, and inboxes.
--
-- of_object is JSON text: an address in quotes or an object. lane: 0 Follow, Accept, Reject and Undo of follows; 1
-- Create, Update, Delete, Announce; 2 ratings; 3 views. audience: "to" and "cc" and further members; left out, those of
-- the object, else everybody and the followers of the actor (nobody in lane 0). besides: a host that is left out. Null
-- when there is nobody to send it to.
create function send_activity(
  of_uri text, of_type text, of_actor integer, of_object text, of_lane smallint, follower_actors integer[],
  inboxes text[] default '{}', audience jsonb default null, of_context text default 'Base', of_thing text default null,
  besides text default null
) returns bigint language plpgsql as $$
declare
  sender actor;
  object constant jsonb := of_object::jsonb;
  outward constant text[] := outer_inboxes(inboxes);
  members jsonb := audience;
  new_uri text;
  new_id bigint;
begin
  if not federation_setting('enabled', true) then return null; end if;
  if cardinality(outward) = 0 and not has_remote_followers(follower_actors) then return null; end if;
  select * into sender from actor where id = of_actor and server_id is null;
  if not found then return null; end if;
  if members is null then
    members := case
      when of_lane = 0 then '{}'
      when jsonb_typeof(object) = 'object' and object ? 'to'
        then jsonb_build_object('to', object -> 'to', 'cc', coalesce(object -> 'cc', '[]'))
      else public_audience('{}', array[coalesce(sender.followers_url, sender.url || '/followers')])
    end;
  end if;
  new_uri := fresh_activity_uri(of_uri);
  insert into activity (uri, type, actor_id, sender, body, context, thing) values (
    new_uri, of_type, sender.id, sender.url,
    members || jsonb_build_object('type', of_type, 'id', new_uri, 'actor', sender.url, 'object', object),
    of_context,
    coalesce(of_thing, case jsonb_typeof(object) when 'object' then object ->> 'id' when 'string' then object #>> '{}' end)
  ) returning id into new_id;
  perform queue_deliveries(new_id, of_lane, follower_actors, outward, besides);
  return new_id;
end $$;

create function activity_waits(of_activity bigint) returns boolean language sql stable as $$
  select exists (select from delivery where activity_id = of_activity)
    or exists (select from delivery_fanout where activity_id = of_activity)
$$;
