-- What triggers of the outbox ask, and what names their rows. The outbox itself decides what others receive
-- (docs/decisions/outbox.md).

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
create function instance_has_followers() returns boolean language sql stable as $$
  select exists (select from actor_follow where follower_remote and state = 'accepted' and target_actor_id > 0)
$$;

-- An id that no activity has had lately, or is to have: others take the same id for the same activity. The fragment
-- leaves its address.
create function fresh_activity_uri(wanted text) returns text language sql volatile as $$
  select case when exists (select from activity where uri = wanted)
      or exists (select from outbox_change where details -> 'after' ->> 'url' = wanted)
    then wanted || '#' || (extract(epoch from clock_timestamp()) * 1000000)::bigint else wanted end
$$;

create function activity_waits(of_activity bigint) returns boolean language sql stable as $$
  select exists (select from delivery where activity_id = of_activity)
    or exists (select from delivery_fanout where activity_id = of_activity)
$$;
