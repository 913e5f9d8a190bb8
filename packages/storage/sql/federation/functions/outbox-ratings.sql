-- What goes out about how videos are rated.

-- A rating of ours is sent to the instance of the video, which counts it. Its id differs from those of former ones.
create function rate_named() returns trigger language plpgsql as $$
declare
  wanted text;
begin
  select a.url || '/' || new.type || 's/' || new.video_id into wanted
    from account o join actor a on a.id = o.actor_id join video v on v.id = new.video_id
    where o.id = new.account_id and a.server_id is null and v.remote;
  if found then new.url := fresh_activity_uri(wanted); end if;
  return new;
end $$;

create function rate_moved() returns trigger language plpgsql as $$
declare
  target record;
  audience jsonb;
begin
  if tg_op = 'UPDATE' and old.type = new.type then return null; end if;
  select v.url, inbox_of(c.actor_id) as inbox, owner.url as owner_url, a.id as actor_id, a.url as actor_url into target
    from video v join video_channel c on c.id = v.channel_id join account w on w.id = v.account_id
      join actor owner on owner.id = w.actor_id
      join account o on o.id = case when tg_op = 'DELETE' then old.account_id else new.account_id end
      join actor a on a.id = o.actor_id
    where v.id = case when tg_op = 'DELETE' then old.video_id else new.video_id end and v.remote and a.server_id is null;
  if not found then return null; end if;
  audience := public_audience(array[target.owner_url], array[target.actor_url || '/followers']);
  if tg_op <> 'INSERT' then
    perform send_activity(
      old.url || '/undo', 'Undo', target.actor_id,
      (audience || jsonb_build_object('type', initcap(old.type), 'id', old.url, 'actor', target.actor_url, 'object', target.url))::text,
      2::smallint, '{}', array[target.inbox], audience, 'Base', target.actor_url || ' ' || target.url
    );
  end if;
  if tg_op <> 'DELETE' then
    perform send_activity(
      new.url, initcap(new.type), target.actor_id, to_json(target.url)::text, 2::smallint, '{}', array[target.inbox], audience,
      'Base', target.actor_url || ' ' || target.url
    );
  end if;
  return null;
end $$;
