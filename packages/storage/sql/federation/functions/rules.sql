-- `video_is_federated` decides what crosses the network, in either direction of asking: what it denies is neither sent
-- nor shown. `video_is_dereferenced` is stricter: what moderators took away is shown to nobody, even when the copies
-- elsewhere are to stay.

create function federation_setting(name text, otherwise boolean) returns boolean language sql stable as $$
  select coalesce((select (value ->> name)::boolean from instance_setting where key = 'federation'), otherwise)
$$;

create function instance_actor() returns integer language sql stable as
$$ select id from actor where preferred_username = 'peertube'::citext and server_id is null $$;

-- Local, ready to be watched (published, a live that waits, one that has ended), and for everybody who has the address:
-- what asks for a password or a login is of another privacy.
create function video_is_federated(of_video integer) returns boolean language plpgsql stable as $$
begin
  return exists (
    select from video v where v.id = of_video and not v.remote and v.privacy in (1, 2) and v.state in (1, 4, 5)
      and not exists (select from video_blacklist b where b.video_id = v.id and b.unfederated)
  );
end $$;

create function video_is_dereferenced(of_video integer) returns boolean language plpgsql stable as $$
begin
  return video_is_federated(of_video) and not exists (select from video_blacklist b where b.video_id = of_video);
end $$;

-- Comments of this instance on videos elsewhere are objects of ours, too.
create function comment_is_federated(of_comment integer) returns boolean language sql stable as $$
  select exists (
    select from video_comment c join video v on v.id = c.video_id
    where c.id = of_comment and not c.held_for_review and v.privacy in (1, 2)
      and case when v.remote then true else video_is_dereferenced(v.id) end
  )
$$;

-- Whether a video is sent to others without their asking. What moderators took away is not sent anew; the copies others
-- have may stay.
create function video_is_pushed(of_video integer) returns boolean language sql stable as $$
  select case when v.privacy = 1 or (v.privacy = 2 and federation_setting('federateUnlisted', false)) then
      case when coalesce(t.announced, false) then video_is_federated(v.id) else video_is_dereferenced(v.id) end
    else false end
  from video v left join video_published t on t.video_id = v.id where v.id = of_video
$$;

-- Whether others may have a video, sent or asked for: what moderators hide without taking it away, too.
create function video_is_known(of_video integer) returns boolean language sql stable as $$
  select video_is_federated(v.id) and (v.privacy = 1 or federation_setting('federateUnlisted', false))
  from video v where v.id = of_video
$$;

-- As far as its own row says.
create function video_is_open(privacy smallint, state smallint) returns boolean language sql stable as $$
  select state in (1, 4, 5) and (privacy = 1 or (privacy = 2 and federation_setting('federateUnlisted', false)))
$$;

-- Whose followers receive a video: those of its channel, of its account and of the instance.
create function video_followed(of_video integer) returns integer[] language sql stable as $$
  select array[c.actor_id, a.actor_id, instance_actor()]
  from video v join video_channel c on c.id = v.channel_id join account a on a.id = v.account_id where v.id = of_video
$$;
