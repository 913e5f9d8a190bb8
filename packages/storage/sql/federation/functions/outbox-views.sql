-- Marks of counts and views of videos for the outbox.

-- Ratings are sent soon, views when there is time.
create function video_counted() returns trigger language plpgsql as $$
declare
  at constant timestamptz := now()
    + case when old.likes <> new.likes or old.dislikes <> new.dislikes then interval '5 seconds' else interval '1 hour' end;
begin
  if instance_has_followers() and has_remote_followers(video_followed(new.id)) then
    insert into video_recount as r (video_id, due) values (new.id, at)
      on conflict (video_id) do update set due = excluded.due where r.due > excluded.due;
  end if;
  return null;
end $$;

-- What of a video elsewhere was watched, once somebody has left.
create function viewing_ended() returns trigger language plpgsql as $$
begin
  if not exists (select from video where id = new.video_id and remote) then return null; end if;
  if new.watch_time > 0 then
    perform mark_change('viewing', new.video_id, jsonb_build_object('after', jsonb_build_object(
      'startedAt', wire_time(new.started_at), 'endedAt', wire_time(new.seen_at), 'seconds', new.watch_time,
      'sections', coalesce((select jsonb_agg(jsonb_build_array(lower(r), upper(r) - 1)) from unnest(new.watched) r), '[]')
    )), (new.id % 2147483647)::integer);
  end if;
  if new.counted_at is null or new.applied then delete from video_viewing where id = new.id; end if;
  return null;
end $$;
