-- What goes out about accounts and channels themselves.

-- Those who know an actor of ours: its own followers, and those of where its videos are announced.
create function actor_followed(of_actor integer) returns integer[] language sql stable as $$
  select array_agg(distinct id) from (
    select of_actor as id union all select instance_actor()
    union all select c.actor_id from account a join video_channel c on c.account_id = a.id where a.actor_id = of_actor
    union all select a.actor_id from video_channel c join account a on a.id = c.account_id where c.actor_id = of_actor
  ) f where id is not null
$$;

create function tell_actor(of_actor integer) returns void language plpgsql as $$
declare
  a actor;
  followed integer[];
  body text;
  now_digest bytea;
begin
  if not federation_setting('enabled', true) then return; end if;
  select * into a from actor where id = of_actor and server_id is null;
  if not found then return; end if;
  followed := actor_followed(a.id);
  if not has_remote_followers(followed) then
    delete from actor_published where actor_id = a.id;
    return;
  end if;
  perform 1 from actor where id = a.id for no key update;
  body := ap_actor(a.id);
  now_digest := sha256(convert_to(body, 'UTF8'));
  if (select digest from actor_published where actor_id = a.id) is not distinct from now_digest then return; end if;
  perform send_activity(
    a.url || '/updates/' || wire_time(clock_timestamp()), 'Update', a.id,
    (body::jsonb || public_audience('{}', followers_urls(array[a.id])))::text, 1::smallint, followed, '{}', null, 'Actor'
  );
  insert into actor_published (actor_id, digest) values (a.id, now_digest)
    on conflict (actor_id) do update set digest = excluded.digest;
end $$;

create function owner_moved() returns trigger language plpgsql as $$
begin
  if not outbox_again('actor', new.actor_id) then perform tell_actor(new.actor_id); end if;
  return null;
end $$;

-- How videos of a channel are to be played is an object of its own.
create function channel_theme_moved() returns trigger language plpgsql as $$
declare
  channel actor;
  followed integer[];
begin
  select * into channel from actor where id = new.actor_id and server_id is null;
  if not found then return null; end if;
  followed := actor_followed(channel.id);
  if has_remote_followers(followed) and not outbox_again('channel_theme', new.id) then
    perform send_activity(
      channel.url || '/player-settings/updates/' || wire_time(clock_timestamp()), 'Update', channel.id,
      ap_channel_player_settings(new.id), 1::smallint, followed, '{}', null, 'PlayerSettings'
    );
  end if;
  return null;
end $$;

create function actor_moved() returns trigger language plpgsql as $$
begin
  if not outbox_again('actor', new.id) then perform tell_actor(new.id); end if;
  return null;
end $$;

create function actor_picture_moved() returns trigger language plpgsql as $$
declare
  of_actor integer;
begin
  if tg_op = 'DELETE' then of_actor := old.actor_id; else of_actor := new.actor_id; end if;
  if exists (select from actor where id = of_actor and server_id is null) and not outbox_again('actor', of_actor) then
    perform tell_actor(of_actor);
  end if;
  return null;
end $$;
