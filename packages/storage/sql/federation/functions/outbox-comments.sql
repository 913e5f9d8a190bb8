-- What goes out about comments, and whether those of others may stand below videos of ours.

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

-- Those above and those it mentions.
create function note_inboxes(note jsonb) returns text[] language sql stable as $$
  select coalesce(array_agg(distinct coalesce(a.shared_inbox_url, a.inbox_url)), '{}')
  from jsonb_array_elements(note -> 'tag') t join actor a on a.url = t ->> 'href' where a.server_id is not null
$$;

-- Where a video of others is at home.
create function video_origin_inbox(of_video integer) returns text language sql stable as $$
  select inbox_of(c.actor_id) from video v join video_channel c on c.id = v.channel_id where v.id = of_video and v.remote
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

-- Who reads a comment below a video of ours (contract: activities.txt): what is below one that is not for everybody is
-- for those who follow.
create function note_to_followers(note jsonb, of_author integer, of_video integer) returns jsonb language sql stable as $$
  select note || case when v.privacy = 1
    then jsonb_build_object('to', jsonb_build_array(ap_public()), 'cc', to_jsonb(f.urls || f.mentioned))
    else jsonb_build_object('to', to_jsonb(f.urls), 'cc', to_jsonb(f.mentioned)) end
  from video v, lateral (
    select followers_urls(of_author || video_followed(v.id)) as urls,
      array(select t ->> 'href' from jsonb_array_elements(note -> 'tag') t) as mentioned
  ) f where v.id = of_video
$$;

create function tell_comment(of_comment integer, approved boolean) returns void language plpgsql as $$
declare
  c video_comment;
  v video;
  author actor;
  note text;
  above text;
begin
  select * into c from video_comment where id = of_comment and deleted_at is null;
  if not found then return; end if;
  select a.* into author from account o join actor a on a.id = o.actor_id where o.id = c.account_id;
  select * into v from video where id = c.video_id;
  if author.id is null or v.id is null then return; end if;
  if author.server_id is not null then
    -- Somebody else's comment below a video of ours that waits for a yes: there they show it once it has come.
    if not v.remote and not c.held_for_review and (approved or v.comments_policy = 3) then
      select coalesce((select url from video_comment where id = c.in_reply_to_comment_id), v.url) into above;
      perform send_activity(
        v.url || '/comments/' || c.id || '/approve-reply', 'ApproveReply', o.actor_id, to_json(c.url)::text, 1::smallint,
        '{}', array[author.inbox_url],
        public_audience(array[author.url], '{}') || jsonb_build_object('inReplyTo', above), 'ApproveReply', c.url
      ) from account o where o.id = v.account_id;
    end if;
    return;
  end if;
  if v.remote then
    note := ap_note(c.id);
    -- It is for the instance of the video to say who may read it.
    if not approved then
      perform send_activity(
        c.url || '/activity', 'Create', author.id, note, 1::smallint,
        case when c.held_for_review then '{}'::integer[] else array[author.id] end,
        array[video_origin_inbox(v.id)]
          || case when c.held_for_review then '{}'::text[] else note_inboxes(note::jsonb) end,
        null, 'Comment'
      );
    end if;
  elsif not c.held_for_review and (
    has_remote_followers(author.id || video_followed(v.id)) or position('@' in c.text) > 0
      or cardinality(comment_above_inboxes(c.id)) > 0
  ) and video_is_pushed(v.id) and comment_is_federated(c.id) then
    note := note_to_followers(ap_note(c.id)::jsonb, author.id, v.id)::text;
    perform send_activity(
      c.url || '/activity', 'Create', author.id, note, 1::smallint, author.id || video_followed(v.id),
      note_inboxes(note::jsonb), null, 'Comment'
    );
  end if;
end $$;

create function comment_begun() returns trigger language plpgsql as $$
begin
  if not outbox_again('comment', new.id) then perform tell_comment(new.id, false); end if;
  return null;
end $$;

create function comment_approved() returns trigger language plpgsql as $$
begin
  -- One that was held and let go in the transaction that wrote it is a new one.
  if not outbox_again('comment', new.id) then perform tell_comment(new.id, true); end if;
  return null;
end $$;

-- By whom a comment below a video of ours is deleted is said under this id: of a comment of ours, its own address and
-- more.
create function comment_delete_uri(c video_comment) returns text language sql stable as $$
  select case when starts_with(c.url, wire_origin() || '/') then c.url else v.url || '/comments/' || c.id end || '/delete'
  from video v where v.id = c.video_id
$$;

-- Who wrote it is known for the last time. Below a video of ours its owner's account says so of what others wrote,
-- unless they have said it themselves in a way that can be sent on; what was never seen is not mentioned, but to the
-- instance of the video, which got it, and to who waits to be let in.
create function comment_deleted() returns trigger language plpgsql as $$
declare
  v video;
  author actor;
  followed integer[];
  came inbox_activity;
  from_there boolean;
begin
  select a.* into author from account o join actor a on a.id = o.actor_id where o.id = old.account_id;
  select * into v from video where id = old.video_id;
  if author.id is null or v.id is null or current_setting('kinora.leaving', true) = old.account_id::text then
    return null;
  end if;
  if author.server_id is not null then
    came := activity_applied_now();
    from_there := came.id is not null or coalesce(current_setting('kinora.departing', true), '') = old.account_id::text;
  end if;
  if v.remote then
    if author.server_id is null then
      perform send_activity(
        old.url || '/delete', 'Delete', author.id, to_json(old.url)::text, 1::smallint,
        case when old.held_for_review then '{}' else array[author.id] end,
        case when old.held_for_review then '{}' else comment_above_inboxes(old.id) end || video_origin_inbox(v.id)
      );
    end if;
  elsif old.held_for_review then
    if not from_there then
      perform send_activity(
        v.url || '/comments/' || old.id || '/reject-reply', 'RejectReply', o.actor_id, to_json(old.url)::text, 1::smallint,
        '{}', array[author.inbox_url],
        public_audience(array[author.url], '{}') || jsonb_build_object('inReplyTo',
          coalesce((select url from video_comment where id = old.in_reply_to_comment_id), v.url)),
        'RejectReply', old.url
      ) from account o where o.id = v.account_id;
    end if;
  elsif video_is_known(v.id) then
    followed := video_followed(v.id);
    if author.server_id is null then
      perform send_activity(
        old.url || '/delete', 'Delete', author.id, to_json(old.url)::text, 1::smallint, author.id || followed,
        comment_above_inboxes(old.id), public_audience('{}', followers_urls(author.id || followed))
      );
    elsif came.type = 'Delete' and came.object = old.url and came_signed(came) is not null then
      perform forward_activity(came.uri, 'Delete', came_signed(came), v.id);
    else
      perform send_activity(
        comment_delete_uri(old), 'Delete', followed[2], to_json(old.url)::text, 1::smallint, followed,
        comment_above_inboxes(old.id) || case when from_there then '{}'::text[] else array[inbox_of(author.id)] end,
        public_audience('{}', followers_urls(followed)), besides => case when from_there then inbox_host(author.inbox_url) end
      );
    end if;
  end if;
  return null;
end $$;
