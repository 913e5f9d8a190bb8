-- Marks of follows for the outbox.

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

-- A follow of others that was decided, one of ours that is asked for, and the end of one of ours, also one that was refused:
-- whoever refused it may be asked again. That of somebody who is gone ends, too, but then there is nobody left to say so.
create function follow_marked() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if exists (select from actor where id = old.actor_id and server_id is null)
      and exists (select from actor where id = old.target_actor_id and server_id is not null) then
      perform mark_change('follow', old.target_actor_id, jsonb_build_object('after', jsonb_build_object(
        'state', 'ended', 'url', old.url, 'followId', old.id
      )), old.actor_id);
    end if;
    return null;
  end if;
  if (tg_op = 'UPDATE' and old.state = new.state) or new.url is null or (new.state = 'pending') = new.follower_remote then
    return null;
  end if;
  perform mark_change('follow', new.target_actor_id, jsonb_build_object('after', jsonb_build_object(
    'state', new.state, 'url', new.url, 'followId', new.id
  )), new.actor_id);
  return null;
end $$;
