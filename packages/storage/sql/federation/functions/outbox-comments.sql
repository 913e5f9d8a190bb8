-- Comments that others have to hear of, with the activities of others that brought them: the inbox forgets these.

-- Inboxes of others who have said something above a comment.
create function comment_above_inboxes(of_comment integer) returns text[] language sql stable as $$
  with recursive above as (
    select c.in_reply_to_comment_id as id, 1 as depth from video_comment c where c.id = of_comment
    union all
    select c.in_reply_to_comment_id, depth + 1 from above a join video_comment c on c.id = a.id where a.depth < 100
  )
  select coalesce(array_agg(distinct inbox_of(o.actor_id)) filter (where inbox_of(o.actor_id) is not null), '{}')
  from above a join video_comment c on c.id = a.id join account o on o.id = c.account_id
$$;

-- The activity of others that this transaction applies; its id is null when it applies none.
create function activity_applied_now() returns inbox_activity language sql stable as $$
  select * from inbox_activity
  where id = nullif(current_setting('kinora.applying', true), '')::bigint and state = 'waiting'
$$;

-- The text of one that came with a signature of its actor, as it came: sent on it must be the same. It goes to every
-- follower, so no longer one does than a comment may be.
create function came_signed(came inbox_activity) returns text language sql immutable as $$
  select came.body ->> '@original'
  where octet_length(came.body ->> '@original') <= 65536
    and split_part(came.body #>> '{signature,creator}', '#', 1) = came.actor_url
$$;

create function create_that_came(of_url text, of_server integer) returns inbox_activity language sql stable as $$
  select i.* from inbox_activity i
  where i.state = 'waiting' and i.type = 'Create' and i.body -> 'object' ->> 'type' = 'Note' and md5(i.object) = md5(of_url)
    and i.object = of_url and i.host = (select s.host from server s where s.id = of_server)
  limit 1
$$;

create function update_that_came(of_url text, of_server integer) returns inbox_activity language sql stable as $$
  select i.* from inbox_activity i
  where i.state = 'waiting' and i.type = 'Update' and i.body -> 'object' ->> 'type' = 'Note' and md5(i.object) = md5(of_url)
    and i.object = of_url and i.host = (select s.host from server s where s.id = of_server)
  order by i.id limit 1
$$;

-- What is kept of an activity of others: its text as it came where it can be sent on, and where channels announce what is
-- said below their videos.
create function came_facts(came inbox_activity) returns jsonb language sql stable as $$
  select case when came.id is null then '{}' else jsonb_build_object('came', jsonb_build_object(
    'uri', came.uri, 'type', came.type, 'object', came.object, 'signed', came_signed(came),
    'text', case when announces_conversations() then coalesce(came.body ->> '@original', came.body::text) end
  )) end
$$;

create function comment_marked() returns trigger language plpgsql as $$
declare
  came inbox_activity;
begin
  if new.server_id is not null then
    if not exists (
      select from video where id = new.video_id and not remote and (comments_policy = 3 or somebody_listens())
    ) then return null; end if;
    if not new.held_for_review then came := create_that_came(new.url, new.server_id); end if;
  end if;
  perform mark_change('comment', new.id, came_facts(came) || jsonb_build_object(
    'before', '{"exists": false}'::jsonb,
    'after', jsonb_build_object('state', 'posted', 'held', new.held_for_review)
  ));
  return null;
end $$;

-- Let in by the owner of the video, or changed by who wrote it.
create function comment_change_marked() returns trigger language plpgsql as $$
declare
  came inbox_activity;
begin
  if new.server_id is not null then
    if exists (select from video where id = new.video_id and remote) then return null; end if;
    came := update_that_came(new.url, new.server_id);
  end if;
  perform mark_change('comment', new.id, came_facts(came) || jsonb_build_object(
    'after', jsonb_build_object('state', case when old.held_for_review then 'approved' else 'changed' end, 'held', false)
  ));
  return null;
end $$;

-- A comment of ours may stand below a video elsewhere by now.
create function comment_let_in_marked() returns trigger language plpgsql as $$
begin
  if exists (select from video where id = new.video_id and remote) then
    perform mark_change('comment', new.id, '{"after": {"state": "let in", "held": false}}');
  end if;
  return null;
end $$;

-- A comment of others, below a video of ours that it had to wait for, comes again with our approval. Once a comment.
create function comment_came_again(of_comment integer, approval text) returns void language plpgsql as $$
declare
  c video_comment;
  came inbox_activity;
begin
  update video_comment m set reply_approval_url = approval from video v
    where m.id = of_comment and v.id = m.video_id and not v.remote and m.server_id is not null and m.reply_approval_url is null
      and not m.held_for_review and m.deleted_at is null and approval = v.url || '/comments/' || m.id || '/approve-reply'
    returning m.* into c;
  if c.id is null then return; end if;
  came := create_that_came(c.url, c.server_id);
  if came.id is not null then
    perform mark_change('comment', c.id, came_facts(came) || '{"after": {"state": "came again", "held": false}}');
  end if;
end $$;

-- Who wrote it is known for the last time.
create function comment_end_marked() returns trigger language plpgsql as $$
declare
  author actor;
  above text;
  came inbox_activity;
begin
  select a.* into author from account o join actor a on a.id = o.actor_id where o.id = old.account_id;
  select coalesce((select url from video_comment where id = old.in_reply_to_comment_id), v.url) into above
    from video v where v.id = old.video_id;
  if author.id is null or above is null or current_setting('kinora.leaving', true) = old.account_id::text then
    return null;
  end if;
  if author.server_id is not null then came := activity_applied_now(); end if;
  perform mark_change('comment', old.id, came_facts(came) || jsonb_build_object('after', jsonb_build_object(
    'state', 'deleted', 'held', old.held_for_review, 'url', old.url, 'videoId', old.video_id, 'inReplyTo', above,
    'author', jsonb_build_object('id', author.id, 'url', author.url, 'isRemote', author.server_id is not null,
      'inbox', author.inbox_url, 'sharedInbox', inbox_of(author.id)),
    'aboveInboxes', to_jsonb(comment_above_inboxes(old.id)),
    'saidThere', came.id is not null or (author.server_id is not null
      and coalesce(current_setting('kinora.departing', true), '') = old.account_id::text)
  )));
  return null;
end $$;
