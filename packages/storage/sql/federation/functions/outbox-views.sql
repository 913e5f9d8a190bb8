-- Marks of counts and views of videos for the outbox.

-- What is counted within five seconds goes together. Views come in bundles as it is: `local_buffer_update_interval`.
create function video_counted() returns trigger language plpgsql as $$
begin
  if instance_has_followers() and has_remote_followers(video_followed(new.id)) then
    insert into video_recount (video_id, due) values (new.id, now() + interval '5 seconds') on conflict (video_id) do nothing;
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
