-- What an instance sends on of the comments below its videos: that one came, changed or was deleted, under an id of the
-- sender's own, which nobody else takes (FEP-fe34); and that one was let in, to those as well who have not seen it
-- while it waited.

create function create_that_came(of_url text, of_server integer) returns inbox_activity language sql stable as $$
  select i.* from inbox_activity i
  where i.state = 'waiting' and i.type = 'Create' and i.body -> 'object' ->> 'type' = 'Note' and md5(i.object) = md5(of_url)
    and i.object = of_url and i.host = (select s.host from server s where s.id = of_server)
  limit 1
$$;

-- What others say below a video of ours is sent on to those who follow it, as it came. One without a signature that
-- others can check is not: they could not believe it.
create function comment_forwarded() returns trigger language plpgsql as $$
declare
  came inbox_activity;
begin
  if not video_is_pushed(new.video_id) then return null; end if;
  came := create_that_came(new.url, new.server_id);
  if came_signed(came) is not null then
    perform forward_activity(came.uri, 'Create', came_signed(came), new.video_id);
  end if;
  return null;
end $$;

-- A comment of ours that may stand below a video elsewhere by now is sent again, with the approval: the video's
-- instance sends it on to who follows the video, and those who have had it may show it.
create function comment_let_in() returns trigger language plpgsql as $$
declare
  author actor;
  note text;
begin
  select a.* into author from account o join actor a on a.id = o.actor_id where o.id = new.account_id and a.server_id is null;
  if not found or not exists (select from video where id = new.video_id and remote) then return null; end if;
  note := ap_note(new.id);
  perform send_activity(
    new.url || '/activity', 'Create', author.id, note, 1::smallint, array[author.id],
    array[video_origin_inbox(new.video_id)] || note_inboxes(note::jsonb), null, 'Comment'
  );
  return null;
end $$;

-- Sends on a comment of others, below a video of ours that it had to wait for, which comes again with our approval.
-- Once a comment.
create function forward_let_in(of_comment integer, approval text) returns void language plpgsql as $$
declare
  c video_comment;
  came inbox_activity;
begin
  update video_comment m set reply_approval_url = approval from video v
    where m.id = of_comment and v.id = m.video_id and not v.remote and m.server_id is not null and m.reply_approval_url is null
      and not m.held_for_review and m.deleted_at is null and approval = v.url || '/comments/' || m.id || '/approve-reply'
    returning m.* into c;
  if c.id is null or not video_is_pushed(c.video_id) then return; end if;
  came := create_that_came(c.url, c.server_id);
  if came_signed(came) is not null then perform forward_activity(came.uri, 'Create', came_signed(came), c.video_id); end if;
end $$;

create function update_that_came(of_url text, of_server integer) returns inbox_activity language sql stable as $$
  select i.* from inbox_activity i
  where i.state = 'waiting' and i.type = 'Update' and i.body -> 'object' ->> 'type' = 'Note' and md5(i.object) = md5(of_url)
    and i.object = of_url and i.host = (select s.host from server s where s.id = of_server)
  order by i.id limit 1
$$;

-- Who follows the video has the comment, and gets the change from who has said it.
create function comment_change_forwarded() returns trigger language plpgsql as $$
declare
  came inbox_activity;
begin
  if not video_is_pushed(new.video_id) then return null; end if;
  came := update_that_came(new.url, new.server_id);
  if came_signed(came) is not null then
    perform forward_activity(came.uri, 'Update', came_signed(came), new.video_id);
  end if;
  return null;
end $$;
