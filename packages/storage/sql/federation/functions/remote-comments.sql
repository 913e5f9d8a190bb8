-- Comments from other instances.

-- A comment of somebody of another instance. Outcome: 'known', 'held' or 'written' with its id, or why there is none.
create function add_remote_comment(
  of_video integer, of_account integer, of_parent integer, of_url text, of_text text, published timestamptz,
  changed timestamptz, hold boolean
) returns table (outcome text, comment_id integer) language plpgsql as $$
declare
  policy smallint;
  owner integer;
  parent video_comment;
  origin integer;
  now_held boolean;
begin
  perform 1 from account where id = of_account for key share;
  if not found then outcome := 'no account'; return next; return; end if;
  select v.comments_policy, v.account_id into policy, owner from video v where v.id = of_video for no key update;
  if not found then outcome := 'no video'; return next; return; end if;
  select c.id into comment_id from video_comment c where c.url = of_url;
  if found then outcome := 'known'; return next; return; end if;
  if exists (select from comment_gone where url = of_url) then outcome := 'gone'; return next; return; end if;
  if policy = 2 then outcome := 'disabled'; return next; return; end if;
  if is_muted_for(of_account, owner) then outcome := 'muted'; return next; return; end if;
  if of_parent is not null then
    select * into parent from video_comment where id = of_parent;
    if parent.id is null or parent.video_id <> of_video then outcome := 'no comment'; return next; return; end if;
    origin := coalesce(parent.origin_comment_id, parent.id);
  end if;
  now_held := hold or coalesce(parent.held_for_review, false);
  outcome := case when now_held then 'held' else 'written' end;
  insert into video_comment (url, video_id, account_id, server_id, origin_comment_id, in_reply_to_comment_id, text,
      held_for_review, shown, created_at, updated_at)
    select of_url, of_video, of_account, a.server_id, origin, parent.id, of_text, now_held, not now_held,
      least(coalesce(published, now()), now()), least(coalesce(changed, published, now()), now())
    from account c join actor a on a.id = c.actor_id where c.id = of_account
    returning id into comment_id;
  if not now_held then
    update video_comment set children = children + (id = parent.id)::integer, replies = replies + (id = origin)::integer
      where id in (parent.id, origin);
    -- A deleted one is seen again, now that there is something below it.
    perform settle_comment(parent.id);
    update video set comments = comments + 1 where id = of_video;
  end if;
  return next;
end $$;
