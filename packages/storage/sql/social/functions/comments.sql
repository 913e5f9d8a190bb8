-- What keeps the counts of comments exact. Whatever writes comments or ratings takes the lock of the account, then that of
-- the video, and writes the video's own counts last.

-- Brings what the public sees of a comment up to date, and of those above it: a deleted one is seen as long as
-- something below it is.
create function settle_comment(of_comment integer) returns void language plpgsql as $$
declare
  c video_comment;
  now_shown boolean;
begin
  select * into c from video_comment where id = of_comment;
  while c.id is not null loop
    now_shown := not c.held_for_review and (c.deleted_at is null or c.children > 0);
    exit when now_shown = c.shown;
    update video_comment set shown = now_shown where id = c.id;
    update video_comment set children = children + case when now_shown then 1 else -1 end
      where id = c.in_reply_to_comment_id;
    select * into c from video_comment where id = c.in_reply_to_comment_id;
  end loop;
end $$;

-- Deletes these comments, and what is left of deleted ones above that nobody has replied to any more; answers how many.
create function remove_comments(ids integer[]) returns integer language plpgsql as $$
declare
  c video_comment;
  removed integer := 0;
begin
  perform 1 from video where id = any(array(select video_id from video_comment where id = any(ids)))
    order by id for no key update;
  update video v set comments = comments - n.seen from (
    select video_id, count(*)::integer as seen from video_comment
    where id = any(ids) and deleted_at is null and not held_for_review group by video_id
  ) n where v.id = n.video_id;
  -- The newest first: a thread that goes as a whole leaves nothing to keep in between.
  for c in select * from video_comment where id = any(ids) and deleted_at is null order by video_id, id desc loop
    removed := removed + 1;
    if not c.held_for_review then
      update video_comment set replies = replies - 1 where id = c.origin_comment_id;
    end if;
    delete from comment_automatic_tag where comment_id = c.id;
    update video_comment set text = '', account_id = null, server_id = null, held_for_review = false,
      deleted_at = now(), updated_at = now() where id = c.id;
    perform settle_comment(c.id);
    while c.id is not null and not exists (select from video_comment where in_reply_to_comment_id = c.id) loop
      delete from video_comment where id = c.id and deleted_at is not null;
      exit when not found;
      select * into c from video_comment where id = c.in_reply_to_comment_id;
    end loop;
  end loop;
  return removed;
end $$;

-- Who leaves takes words and ratings along: all but those about videos that go at the same time.
create function account_leaves() returns trigger language plpgsql as $$
declare
  others constant integer[] := array(
    select v.id from video v where v.account_id <> old.id and v.id in (
      select video_id from video_comment where account_id = old.id
      union all select video_id from account_video_rate where account_id = old.id
    )
  );
begin
  if cardinality(others) = 0 then return old; end if;
  perform 1 from video where id = any(others) order by id for no key update;
  perform remove_comments(array(
    select id from video_comment where account_id = old.id and video_id = any(others)
  ));
  update video v set likes = likes - (r.type = 'like')::integer, dislikes = dislikes - (r.type = 'dislike')::integer
    from account_video_rate r where r.account_id = old.id and r.video_id = v.id and v.id = any(others);
  return old;
end $$;
