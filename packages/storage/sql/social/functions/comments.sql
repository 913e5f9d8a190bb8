-- Everything that writes comments or ratings is one of these functions or those of ratings. Each takes the lock of the
-- account, then that of the video, and writes the video's own counts last.

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

-- Writes a comment of an account of this instance. On a video that asks for it, it waits for review unless its author
-- is trusted; `hold` has it wait in any case. The outcome is 'held' or 'written', or why there is no comment.
create function add_comment(
  of_video integer, of_account integer, of_parent integer, of_text text, trusted boolean, hold boolean default false
)
returns table (outcome text, comment_id integer) language plpgsql as $$
declare
  target record;
  parent video_comment;
  origin integer;
begin
  perform 1 from account where id = of_account for key share;
  if not found then outcome := 'no account'; return next; return; end if;
  select v.uuid, v.comments_policy as policy into target from video v where v.id = of_video for no key update;
  if not found then outcome := 'no video'; return next; return; end if;
  if target.policy = 2 then outcome := 'disabled'; return next; return; end if;
  if of_parent is not null then
    select * into parent from video_comment where id = of_parent;
    outcome := case
      when parent.id is null then 'no comment'
      when parent.video_id <> of_video then 'other video'
      when parent.deleted_at is not null then 'parent deleted'
      when parent.held_for_review then 'parent held'
    end;
    if outcome is not null then return next; return; end if;
    origin := coalesce(parent.origin_comment_id, parent.id);
  end if;
  outcome := case when hold or (target.policy = 3 and not trusted) then 'held' else 'written' end;
  comment_id := nextval(pg_get_serial_sequence('video_comment', 'id'));
  insert into video_comment
    (id, url, video_id, account_id, origin_comment_id, in_reply_to_comment_id, text, held_for_review, shown)
    values (comment_id, wire_origin() || '/videos/watch/' || target.uuid || '/comments/' || comment_id, of_video, of_account,
      origin, parent.id, of_text, outcome = 'held', outcome = 'written');
  if outcome = 'written' then
    update video_comment set children = children + (id = parent.id)::integer, replies = replies + (id = origin)::integer
      where id in (parent.id, origin);
    update video set comments = comments + 1 where id = of_video;
  end if;
  return next;
end $$;

-- Lets everybody see a comment: 'approved', 'seen already' or 'missing'.
create function approve_comment(of_comment integer) returns text language plpgsql as $$
declare
  c video_comment;
begin
  perform 1 from video where id = (select video_id from video_comment where id = of_comment) for no key update;
  select * into c from video_comment where id = of_comment and deleted_at is null;
  if not found then return 'missing'; end if;
  if not c.held_for_review then return 'seen already'; end if;
  update video_comment set held_for_review = false, updated_at = now() where id = c.id;
  update video_comment set replies = replies + 1 where id = c.origin_comment_id;
  perform settle_comment(c.id);
  update video set comments = comments + 1 where id = c.video_id;
  return 'approved';
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

-- Whether the instance, or the account, has muted an account or all of its instance.
create function is_muted_for(of_account integer, for_account integer) returns boolean language sql stable as $$
  select exists (
    select from account f join actor t on t.id = f.actor_id, (
      select for_account as id
      union all
      select o.id from account o join actor a on a.id = o.actor_id where a.preferred_username = 'peertube' and a.server_id is null
    ) o
    where f.id = of_account and (
      exists (select from account_block b where b.account_id = o.id and b.target_account_id = f.id)
      or exists (select from server_block b where b.account_id = o.id and b.server_id = t.server_id)
    )
  )
$$;
