-- What goes out about follows.

-- A follow of ours has an id that no former one had: others take the same id for the same follow.
create function follow_named() returns trigger language plpgsql as $$
declare
  follower actor;
  target actor;
begin
  select * into follower from actor where id = new.actor_id;
  new.follower_remote := follower.server_id is not null;
  if not new.follower_remote and new.state = 'pending'
    and (tg_op = 'INSERT' or (tg_op = 'UPDATE' and old.state <> 'pending')) then
    select * into target from actor where id = new.target_actor_id;
    if target.server_id is not null then
      new.url := fresh_activity_uri(follower.url || '/follows/' || target.id);
    end if;
  end if;
  return new;
end $$;

create function follow_object(follow_url text, follower_url text, target_url text) returns jsonb language sql immutable as $$
  select jsonb_build_object('type', 'Follow', 'id', follow_url, 'actor', follower_url, 'object', target_url)
$$;

-- Answers a follow of others by what was decided. Called again when it is asked again.
create function answer_follow(of_follow integer) returns void language plpgsql as $$
declare
  f actor_follow;
  follower actor;
  target actor;
begin
  select * into f from actor_follow where id = of_follow;
  select * into follower from actor where id = f.actor_id;
  select * into target from actor where id = f.target_actor_id;
  if f.id is null or follower.server_id is null or target.server_id is not null or f.url is null then return; end if;
  if f.state = 'accepted' then
    perform send_activity(
      wire_origin() || '/accepts/follows/' || f.id, 'Accept', target.id,
      follow_object(f.url, follower.url, target.url)::text, 0::smallint, '{}', array[follower.inbox_url], null, 'Base', f.url
    );
  elsif f.state = 'rejected' then
    perform send_activity(
      wire_origin() || '/rejects/follows/' || wire_time(clock_timestamp()) || '#' || f.id, 'Reject', target.id,
      follow_object(f.url, follower.url, target.url)::text, 0::smallint, '{}', array[follower.inbox_url], null, 'Base', f.url
    );
  end if;
end $$;

create function follow_moved() returns trigger language plpgsql as $$
declare
  follower actor;
  target actor;
begin
  if tg_op = 'UPDATE' and old.state = new.state then return null; end if;
  if new.follower_remote then
    perform answer_follow(new.id);
  elsif new.state = 'pending' then
    select * into follower from actor where id = new.actor_id;
    select * into target from actor where id = new.target_actor_id;
    if target.server_id is not null then
      perform send_activity(
        new.url, 'Follow', follower.id, to_json(target.url)::text, 0::smallint, '{}', array[target.inbox_url], null, 'Base',
        new.url
      );
    end if;
  end if;
  return null;
end $$;

-- Ours is undone; that of somebody who is gone, too, but then there is nobody left to say so.
create function follow_undone() returns trigger language plpgsql as $$
declare
  follower actor;
  target actor;
begin
  select * into follower from actor where id = old.actor_id and server_id is null;
  select * into target from actor where id = old.target_actor_id and server_id is not null;
  if follower.id is not null and target.id is not null then
    perform send_activity(
      old.url || '/undo', 'Undo', follower.id, follow_object(old.url, follower.url, target.url)::text, 0::smallint, '{}',
      array[target.inbox_url], null, 'Base', old.url
    );
  end if;
  return null;
end $$;
