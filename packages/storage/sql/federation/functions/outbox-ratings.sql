-- Marks of ratings for the outbox.

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

-- A rating by one of ours: what it was, and what it is. Ratings of local videos are announced by their channel, if it does so.
create function rate_marked() returns trigger language plpgsql as $$
declare
  rated account_video_rate := case when tg_op = 'DELETE' then old else new end;
begin
  if tg_op = 'UPDATE' and old.type = new.type then return null; end if;
  if exists (select from video where id = rated.video_id and (remote or announces_conversations())) and exists (
    select from account o join actor a on a.id = o.actor_id where o.id = rated.account_id and a.server_id is null
  ) then
    perform mark_change('rating', rated.video_id, jsonb_build_object(
      'before', case when tg_op <> 'INSERT' then jsonb_build_object('type', old.type, 'url', old.url,
        'stamp', (extract(epoch from old.created_at) * 1000000)::bigint) end,
      'after', case when tg_op <> 'DELETE' then jsonb_build_object('type', new.type, 'url', new.url,
        'stamp', (extract(epoch from new.created_at) * 1000000)::bigint) end
    ), rated.account_id);
  end if;
  return null;
end $$;
