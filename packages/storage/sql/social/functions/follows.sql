-- How many follow an actor is kept exact by the follows themselves.

-- How many follow an actor of ours, and how many it follows: those that were accepted. Actors of others give their own
-- numbers. Once a statement and in the order of ids, so that no two wait in a circle; read models, which the counts
-- void, come after the actors, and those of an account's channels with it: two may follow each other's channels at the
-- same moment.
create function follows_counted() returns trigger language plpgsql as $$
declare
  actors integer[];
  targets boolean[];
  changes integer[];
begin
  if tg_op <> 'DELETE' then
    select array_agg(id), array_agg(target), array_agg(1) into actors, targets, changes from (
      select target_actor_id as id, true as target from inserted where state = 'accepted'
      union all select actor_id, false from inserted where state = 'accepted'
    ) f;
  end if;
  if tg_op <> 'INSERT' then
    select actors || array_agg(id), targets || array_agg(target), changes || array_agg(-1)
      into actors, targets, changes from (
        select target_actor_id as id, true as target from deleted where state = 'accepted'
        union all select actor_id, false from deleted where state = 'accepted'
      ) f;
  end if;
  if actors is null then return null; end if;
  perform 1 from actor where id = any(actors) and server_id is null order by id for no key update;
  perform 1 from actor_read_model w where w.actor_id = any(array(
    select a.id from actor a where a.id = any(actors) and a.server_id is null
    union
    select c.actor_id from actor a join account o on o.actor_id = a.id join video_channel c on c.account_id = o.id
    where a.id = any(actors) and a.server_id is null
  )) order by w.actor_id for no key update;
  update actor a set followers_count = a.followers_count + c.followers, following_count = a.following_count + c.following
    from (
      select id, coalesce(sum(change) filter (where target), 0) as followers,
        coalesce(sum(change) filter (where not target), 0) as following
      from unnest(actors, changes, targets) u (id, change, target) group by id
    ) c
    where a.id = c.id and a.server_id is null and (c.followers <> 0 or c.following <> 0);
  return null;
end $$;
