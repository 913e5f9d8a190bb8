-- Marks of accounts and channels for the outbox.

-- Those who know an actor of ours: its own followers, and those of where its videos are announced.
create function actor_followed(of_actor integer) returns integer[] language sql stable as $$
  select array_agg(distinct id) from (
    select of_actor as id union all select instance_actor()
    union all select c.actor_id from account a join video_channel c on c.account_id = a.id where a.actor_id = of_actor
    union all select a.actor_id from video_channel c join account a on a.id = c.account_id where c.actor_id = of_actor
  ) f where id is not null
$$;

-- For actors, and for tables with a column actor_id.
create function actor_marked() returns trigger language plpgsql as $$
declare
  of_actor integer;
begin
  if tg_table_name = 'actor' then of_actor := new.id;
  elsif tg_op = 'DELETE' then of_actor := old.actor_id;
  else of_actor := new.actor_id;
  end if;
  if exists (select from actor where id = of_actor and server_id is null) then
    perform mark_change('actor', of_actor);
  end if;
  return null;
end $$;

-- How many follow it is sent soon, and once for many changes.
create function actor_counted() returns trigger language plpgsql as $$
begin
  if instance_has_followers() and has_remote_followers(actor_followed(new.id)) then
    insert into actor_recount as r (actor_id, due) values (new.id, now() + interval '5 seconds')
      on conflict (actor_id) do nothing;
  end if;
  return null;
end $$;
