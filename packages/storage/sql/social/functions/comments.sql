-- What keeps the counts of comments exact. Whatever writes comments or ratings takes the lock of the account, then that of
-- the video, and writes the video's own counts last.

-- Brings what the public sees of a comment up to date, and of those above it. A deleted one that was seen, or below which
-- something is seen, is seen as deleted as long as its row is kept (remove_tombstones).
create function settle_comment(of_comment integer) returns void language plpgsql as $$
declare
  c video_comment;
  now_shown boolean;
begin
  select * into c from video_comment where id = of_comment;
  while c.id is not null loop
    now_shown := not c.held_for_review and (c.deleted_at is null or c.shown or c.children > 0);
    exit when now_shown = c.shown;
    update video_comment set shown = now_shown where id = c.id;
    update video_comment set children = children + case when now_shown then 1 else -1 end
      where id = c.in_reply_to_comment_id;
    select * into c from video_comment where id = c.in_reply_to_comment_id;
  end loop;
end $$;

-- Deletes these comments; answers how many. What was seen stays as a tombstone, what waited for review goes at once. Of who
-- leaves (`departing`) only what is answered stays.
create function remove_comments(ids integer[], departing boolean default false) returns integer language plpgsql as $$
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
    if departing or c.held_for_review then perform remove_tombstone(c.id, '-infinity'); end if;
  end loop;
  return removed;
end $$;

-- Removes a deleted comment that nobody answers, and those above it that were deleted before a moment and that nobody answers
-- any more; gives their ids. The lock of the video is held.
create function remove_tombstone(of_comment integer, before timestamptz) returns setof integer language plpgsql as $$
declare
  c video_comment;
begin
  select * into c from video_comment where id = of_comment and deleted_at is not null;
  while c.id is not null and not exists (select from video_comment r where r.in_reply_to_comment_id = c.id) loop
    delete from video_comment where id = c.id;
    if c.shown then
      update video_comment set children = children - 1 where id = c.in_reply_to_comment_id;
    end if;
    return next c.id;
    select * into c from video_comment where id = c.in_reply_to_comment_id and deleted_at < before;
  end loop;
end $$;

-- Removes up to so many comments that were deleted before this moment and that nobody answers, and the deleted ones above
-- that nobody answers any more; gives their ids.
create function remove_tombstones(before timestamptz, at_most integer) returns setof integer language plpgsql as $$
declare
  ids constant integer[] := array(
    select c.id from video_comment c where c.deleted_at < before
      and not exists (select from video_comment r where r.in_reply_to_comment_id = c.id)
    order by c.deleted_at limit at_most
  );
  one integer;
begin
  perform 1 from video where id = any(array(select video_id from video_comment where id = any(ids)))
    order by id for no key update;
  for one in select id from video_comment where id = any(ids) order by video_id, id desc loop
    return query select remove_tombstone(one, before);
  end loop;
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
  ), true);
  update video v set likes = likes - (r.type = 'like')::integer, dislikes = dislikes - (r.type = 'dislike')::integer
    from account_video_rate r where r.account_id = old.id and r.video_id = v.id and v.id = any(others);
  return old;
end $$;
