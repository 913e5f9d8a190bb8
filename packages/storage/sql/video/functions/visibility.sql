-- Who may list a video, and what it is sorted by.

-- The visibility rule of public lists.
create function video_is_listed(state smallint, privacy smallint, blacklisted boolean)
returns boolean language sql immutable as $$ select state = 1 and privacy = 1 and not blacklisted $$;

create function video_set_listed() returns trigger language plpgsql as $$
declare
  blacklisted constant boolean := exists (select 1 from video_blacklist b where b.video_id = new.id);
begin
  new.listed := video_is_listed(new.state, new.privacy, blacklisted);
  new.visible := case when new.listed then 2 when new.state = 1 and new.privacy = 4 and not blacklisted then 1 else 0 end;
  if new.remote and new.visible > 0 and not video_has_followers(new.id, new.channel_id, new.account_id) then
    new.visible := -1;
    new.listed := false;
  end if;
  new.hot_score := video_hotness(new.views, new.likes, new.comments, new.published_at);
  new.server_id := (select a.server_id from account c join actor a on a.id = c.actor_id where c.id = new.account_id);
  return new;
end $$;

-- Setting the state to itself runs the trigger above.
create function blacklist_set_listed() returns trigger language plpgsql as $$
begin
  update video v set state = v.state where v.id = case when tg_op = 'DELETE' then old.video_id else new.video_id end;
  return null;
end $$;

-- What makes a video hot: each tenfold of interest weighs as much as being 12.5 hours younger.
create function video_hotness(views integer, likes integer, comments integer, published_at timestamptz) returns real
language sql stable as $$
  select (log(greatest(1, views + 3 * likes + 2 * comments)) + extract(epoch from published_at - 'epoch') / 45000 - 37000)::real
$$;

-- Whoever renames the owner has done so before the words of a new video are read, or finds the video. Account before
-- channel, as who removes them: references alone would be held the other way round.
create function video_owner_held() returns trigger language plpgsql as $$
begin
  perform 1 from account where id = new.account_id for share;
  perform 1 from video_channel where id = new.channel_id for share;
  return new;
end $$;
