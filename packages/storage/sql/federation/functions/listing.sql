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

-- Who is shown to everybody may be opened by everybody.
create function video_is_followed(of_video integer) returns boolean language sql stable as $$
  select not v.remote or video_has_followers(v.id, v.channel_id, v.account_id) from video v where v.id = of_video
$$;

create function follow_lists() returns trigger language plpgsql as $$
declare
  f actor_follow := case when tg_op = 'DELETE' then old else new end;
begin
  if f.actor_id = instance_actor() and exists (select from actor where id = f.target_actor_id and server_id is not null) then
    insert into listing_change (actor_id) values (f.target_actor_id);
  end if;
  return null;
end $$;

create function share_lists() returns trigger language plpgsql as $$
declare
  s video_share := case when tg_op = 'DELETE' then old else new end;
begin
  if actor_is_followed_here(s.actor_id) and exists (select from video where id = s.video_id and remote) then
    insert into listing_change (video_id) values (s.video_id);
  end if;
  return null;
end $$;

-- Lists or hides up to so many videos of one change. False: there was nothing to do.
create function apply_listing_change(at_most integer) returns boolean language plpgsql as $$
declare
  c listing_change;
  who actor;
  ids integer[];
begin
  select * into c from listing_change order by id limit 1 for update skip locked;
  if not found then return false; end if;
  if c.video_id is not null then
    ids := array[c.video_id];
  else
    select * into who from actor where id = c.actor_id;
    ids := case who.type
      when 'Application' then array(
        select v.id from video v where v.server_id = who.server_id and v.visible <> 0 and v.id > c.done order by v.id limit at_most
      )
      when 'Group' then array(
        select v.id from video_channel h join video v on v.channel_id = h.id
        where h.actor_id = who.id and v.visible <> 0 and v.id > c.done order by v.id limit at_most
      )
      else array(
        select v.id from account o join video v on v.account_id = o.id
        where o.actor_id = who.id and v.visible <> 0 and v.id > c.done order by v.id limit at_most
      ) end;
    -- Those that are shared by whom this is about.
    if c.done = 0 then
      insert into listing_change (video_id) select s.video_id from video_share s join video v on v.id = s.video_id
        where s.actor_id = who.id and v.remote order by s.video_id;
    end if;
  end if;
  perform 1 from video where id = any(ids) order by id for no key update;
  update video v set state = v.state
    where v.id = any(ids) and v.remote and (v.visible < 0) = video_has_followers(v.id, v.channel_id, v.account_id);
  if c.video_id is null and cardinality(ids) = at_most then
    update listing_change set done = ids[at_most] where id = c.id;
  else
    delete from listing_change where id = c.id;
  end if;
  return true;
end $$;
