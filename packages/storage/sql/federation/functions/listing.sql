-- Which videos of others everybody is shown, and what people want to be found by.
--
-- A video of another instance is listed when this instance follows its channel, its account, its instance, or
-- somebody who shares it. One that is known for another reason (a user subscribes to its channel, somebody opened it, it
-- stands in a playlist) has the visibility -1: its address, its channel, the subscriptions of who follows the channel and
-- the history of who watched it lead to it.

create function actor_is_followed_here(of_actor integer) returns boolean language sql stable as $$
  select exists (
    select from actor_follow where target_actor_id = of_actor and actor_id = instance_actor() and state = 'accepted'
  )
$$;

create function video_has_followers(of_video integer, of_channel integer, of_account integer) returns boolean
language plpgsql stable as $$
begin
  return exists (
      select from video_channel c join actor a on a.id = c.actor_id
      where c.id = of_channel and (a.server_id is null or actor_is_followed_here(a.id))
    )
    or exists (
      select from account o join actor a on a.id = o.actor_id
        left join actor t on t.server_id = a.server_id and t.type = 'Application'
      where o.id = of_account and (actor_is_followed_here(a.id) or actor_is_followed_here(t.id))
    )
    or exists (select from video_share s where s.video_id = of_video and actor_is_followed_here(s.actor_id));
end $$;

-- Whoever is followed from now on or no more, and videos that are shared or no more: a task looks which of them are listed.
create function listing_marked() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'actor_follow' then
    if (case when tg_op = 'DELETE' then old.actor_id else new.actor_id end) = instance_actor() then
      insert into listing_change (actor_id) select id from actor
        where id = case when tg_op = 'DELETE' then old.target_actor_id else new.target_actor_id end and server_id is not null;
    end if;
  else
    insert into listing_change (video_id) select id from video
      where id = case when tg_op = 'DELETE' then old.video_id else new.video_id end and remote
        and actor_is_followed_here(case when tg_op = 'DELETE' then old.actor_id else new.actor_id end);
  end if;
  return null;
end $$;
