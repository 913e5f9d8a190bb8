-- Marks of copies of remote videos, which the instance of the video receives.

-- A copy that goes with its video is not sent by itself.
create function copy_marked() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    perform mark_change('copy', new.id, jsonb_build_object('after', jsonb_build_object(
      'state', case tg_op when 'INSERT' then 'made' else 'extended' end
    )));
    return null;
  end if;
  perform mark_change('copy', old.id, jsonb_build_object('after', jsonb_build_object(
      'state', 'removed', 'url', old.url, 'actorId', old.actor_id, 'videoUrl', v.url, 'baseUrl', old.base_url,
      'expires', wire_time(old.expires_at), 'inbox', inbox_of(c.actor_id)
    )))
    from video v join video_channel c on c.id = v.channel_id where v.id = old.video_id;
  return old;
end $$;
