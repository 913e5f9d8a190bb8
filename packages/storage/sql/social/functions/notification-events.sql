-- Marks of what happened: the notifications (packages/node/src/social/notification) read them and decide what is news,
-- and for whom. A mark stands in the transaction of the change: whichever way a video comes to be seen, it is marked once.

-- A deleted comment that others have answered keeps its row; its notifications go.
create function comment_notification_gone() returns trigger language plpgsql as $$
begin
  delete from user_notification where comment_id = new.id;
  return null;
end $$;

-- A video is listed for the first time. No notification is marked where nobody follows its channel: other instances send many.
-- Webhooks are sent videos of ours, and lives by events of their own.
create function video_listing_marked() returns trigger language plpgsql as $$
begin
  new.announced := true;
  insert into notification_event (tag, subject)
    select 'VideoPublished', new.id where exists (
      select from video_channel c join actor_follow f on f.target_actor_id = c.actor_id and f.state = 'accepted'
      where c.id = new.channel_id
    );
  if not new.remote and not new.is_live then
    perform mark_webhook_event('video.published', 'video', new.id);
  end if;
  return new;
end $$;

-- All of a video is ready. Whether something else still hides it at this moment cannot be read afterwards.
create function video_ready_marked() returns trigger language plpgsql as $$
begin
  insert into notification_event (tag, subject, details) values ('VideoReady', new.id, jsonb_build_object(
    'scheduled', exists (select 1 from video_schedule_update where video_id = new.id),
    'blocked', exists (select 1 from video_blacklist where video_id = new.id)
  ));
  return null;
end $$;

-- Something has come to a state, or a video is blocked or no longer: the argument is the tag.
create function notification_marked() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'video_blacklist' then
    insert into notification_event (tag, subject)
      values (tg_argv[0], case when tg_op = 'DELETE' then old.video_id else new.video_id end);
  else
    insert into notification_event (tag, subject, details)
      values (tg_argv[0], new.id, jsonb_build_object('state', new.state));
  end if;
  return null;
end $$;
