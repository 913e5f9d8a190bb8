/**
 * What instances tell each other of comments below somebody's video: that one is deleted, under an id of the sender's own, which
 * nobody else takes (FEP-fe34); and that one was let in, to those as well who have not seen it while it waited.
 */
export const M0048Conversations = `
-- By whom a comment below a video of ours is deleted is said under this id: of a comment of ours, its own address and more.
create function comment_delete_uri(c video_comment) returns text language sql stable as $$
  select case when starts_with(c.url, wire_origin() || '/') then c.url else v.url || '/comments/' || c.id end || '/delete'
  from video v where v.id = c.video_id
$$;

-- Who wrote it is known for the last time. Below a video of ours its owner's account says so of what others wrote, unless
-- they have said it themselves in a way that can be sent on; what was never seen is not mentioned, but to the instance of
-- the video, which got it, and to who waits to be let in.
create or replace function comment_deleted() returns trigger language plpgsql as $$
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

-- What is left of a comment may be nothing by the end of the transaction. Runs after comment_deleted: triggers run by name.
create or replace function comment_delete_announced() returns trigger language plpgsql as $$
declare
  told activity;
begin
  if not announces_conversations() or exists (select from video where id = old.video_id and remote) then return null; end if;
  select * into told from activity
    where uri in (comment_delete_uri(old), (activity_applied_now()).uri) and type = 'Delete' order by id desc limit 1;
  if found then
    perform pass_on(
      old.video_id, told.uri, case when told.forwarded then told.document::jsonb else told.body end, old.url, 1::smallint,
      told.id, case when told.forwarded then inbox_host(told.uri) end
    );
  end if;
  return null;
end $$;

-- A comment of ours that may stand below a video elsewhere by now is told again, with the approval: the video's instance sends it on
-- to who follows the video, and those who have had it may show it.
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
create trigger comment_let_in after update of reply_approval_url on video_comment for each row
  when (old.reply_approval_url is null and new.reply_approval_url is not null and new.deleted_at is null
    and not new.held_for_review)
  execute function comment_let_in();

-- Sends on a comment of others, below a video of ours that it had to wait for, which comes again with our approval. Once a comment.
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

-- The Update that changes a comment of others, as the Create that brings one: the text is written before that is done with.
create index inbox_activity_note_changed on inbox_activity (md5(object))
  where state = 'waiting' and type = 'Update' and body -> 'object' ->> 'type' = 'Note';
create function update_that_came(of_url text, of_server integer) returns inbox_activity language sql stable as $$
  select i.* from inbox_activity i
  where i.state = 'waiting' and i.type = 'Update' and i.body -> 'object' ->> 'type' = 'Note' and md5(i.object) = md5(of_url)
    and i.object = of_url and i.host = (select s.host from server s where s.id = of_server)
  order by i.id limit 1
$$;

-- Who follows the video has the comment, and is told of the change by who has said it.
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
create trigger comment_change_forwarded after update of text on video_comment for each row
  when (new.server_id is not null and not new.held_for_review and new.deleted_at is null and old.text <> new.text)
  execute function comment_change_forwarded();

create or replace function comment_passed_on() returns trigger language plpgsql as $$
declare
  came inbox_activity;
  host text;
begin
  if not announces_conversations() or exists (select from video where id = new.video_id and remote) then return null; end if;
  -- A comment that is sent is written before its activity counts as applied.
  came := case when tg_op = 'INSERT' then create_that_came(new.url, new.server_id)
    else update_that_came(new.url, new.server_id) end;
  select s.host::text into host from server s where s.id = new.server_id;
  if came.object = new.url and came.type in ('Create', 'Update') then
    perform pass_on(
      new.video_id, came.uri, coalesce((came.body ->> '@original')::jsonb, came.body), new.url, 1::smallint, null, host
    );
  elsif tg_op = 'INSERT' or old.held_for_review then
    perform pass_on(new.video_id, new.url, to_jsonb(new.url), new.url, 1::smallint, null, host);
  end if;
  return null;
end $$;

-- Each once, in the order given.
create or replace function followers_urls(actors integer[]) returns text[] language sql stable as $$
  select coalesce(array_agg(coalesce(a.followers_url, a.url || '/followers') order by u.n), '{}')
  from (select id, min(n) as n from unnest(actors) with ordinality u (id, n) group by id) u join actor a on a.id = u.id
$$;

-- Mastodon names on cards whom a page says it is by, where that actor says that pages of the site may.
alter function ap_actor(integer) rename to ap_actor_itself;
create function ap_actor(of_actor integer) returns text language sql stable as $$
  select left(itself, -1) || ',"attributionDomains":['
    || to_json(regexp_replace(wire_host(wire_origin()), ':[0-9]+$', '')) || ']}'
  from (select ap_actor_itself(of_actor) as itself) i
$$;
`
