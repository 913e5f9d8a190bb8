-- Marks of comments for the outbox.

-- A comment is posted, changed (by its author, or by a review that approves it), or approved elsewhere: the argument. Comments of
-- others concern others only below videos of ours.
create function comment_marked() returns trigger language plpgsql as $$
declare
  v record;
begin
  select remote, comments_policy = 3 as asks_review into v from video where id = new.video_id;
  if tg_argv[0] = 'approved elsewhere' then
    if not v.remote then return null; end if;
  elsif new.server_id is not null and (
    v.remote or (tg_argv[0] = 'posted' and not v.asks_review and not instance_has_followers())
  ) then
    return null;
  end if;
  perform mark_change('comment', new.id, jsonb_strip_nulls(jsonb_build_object(
    'before', case tg_op when 'INSERT' then '{"exists": false}'::jsonb end,
    'after', jsonb_build_object(
      'state', case when tg_argv[0] = 'changed' and old.held_for_review then 'approved' else tg_argv[0] end,
      'held', new.held_for_review
    )
  )));
  return null;
end $$;

-- Who wrote it, and who has said something above, is known for the last time.
create function comment_end_marked() returns trigger language plpgsql as $$
declare
  author actor;
  above text;
begin
  select a.* into author from account o join actor a on a.id = o.actor_id where o.id = old.account_id;
  select coalesce((select url from video_comment where id = old.in_reply_to_comment_id), v.url) into above
    from video v where v.id = old.video_id;
  if author.id is null or above is null or current_setting('kinora.leaving', true) = old.account_id::text then
    return null;
  end if;
  perform mark_change('comment', old.id, jsonb_build_object('after', jsonb_build_object(
    'state', 'deleted', 'held', old.held_for_review, 'url', old.url, 'videoId', old.video_id, 'inReplyTo', above,
    'author', jsonb_build_object('id', author.id, 'url', author.url, 'isRemote', author.server_id is not null,
      'inbox', author.inbox_url, 'sharedInbox', author.shared_inbox_url),
    'aboveActors', (
      with recursive chain as (
        select old.in_reply_to_comment_id as id, 1 as depth
        union all
        select c.in_reply_to_comment_id, depth + 1 from chain join video_comment c on c.id = chain.id where depth < 100
      )
      select coalesce(jsonb_agg(distinct o.actor_id), '[]')
      from chain join video_comment c on c.id = chain.id join account o on o.id = c.account_id
    ),
    'saidThere', author.server_id is not null and (
      coalesce(current_setting('kinora.applying', true), '') <> ''
      or coalesce(current_setting('kinora.departing', true), '') = old.account_id::text
    )
  )));
  return null;
end $$;
