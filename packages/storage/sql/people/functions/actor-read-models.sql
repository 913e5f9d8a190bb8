-- Voids the kept texts that show an account, a channel, their actor or its instance.

-- Everything that shows an actor: its own answer, that of the channels an account owns, the list items of its videos.
-- Counts of followers void answers often: each is found by its index, where an "or" would walk all of them.
create function actor_void(of_actor integer, in_lists boolean) returns void language plpgsql as $$
declare
  videos integer[];
begin
  if in_lists then
    videos := array(
      select v.id from video v join account a on a.id = v.account_id where a.actor_id = of_actor
      union all
      select v.id from video v join video_channel c on c.id = v.channel_id where c.actor_id = of_actor
    );
    perform 1 from video v where v.id = any(videos) and exists (select 1 from video_read_model w where w.video_id = v.id)
      order by v.id for no key update;
  end if;
  update actor_read_model set text = null where actor_id = any(array(
    select of_actor union all
    select c.actor_id from account a join video_channel c on c.account_id = a.id where a.actor_id = of_actor
  ));
  if in_lists then update video_read_model set summary = null where video_id = any(videos); end if;
end $$;

create function actor_read_model_begin() returns trigger language plpgsql as $$
begin
  insert into actor_read_model (actor_id) values (new.actor_id) on conflict do nothing;
  return null;
end $$;

-- Counters of followers change often, and stand in no list item.
create function actor_changed() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'actor_image' then
    perform actor_void(actor_id, bool_or(type = 1)) from changed group by actor_id order by actor_id;
  elsif tg_table_name = 'server' then
    perform actor_void(id, true) from actor where server_id = new.id;
  elsif tg_table_name = 'actor' then
    perform actor_void(new.id, old.preferred_username <> new.preferred_username or old.url <> new.url);
  else
    perform actor_void(new.actor_id, old.display_name <> new.display_name or old.actor_id <> new.actor_id);
  end if;
  return null;
end $$;
