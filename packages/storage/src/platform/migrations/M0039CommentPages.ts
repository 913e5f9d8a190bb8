/**
 * What the list of a video's threads begins with, kept ready: the newest threads as JSON text around who wrote them, whose
 * own text is joined when it is read (`actor_wire`): so that a name, a picture or a follower changes no row here.
 *
 * A video that has comments has a row. Its `form` is null while it has to be made anew, else it names how it was made.
 * Every change of comments voids the row in its own transaction, even if it is void already, and who makes it locks the row
 * before reading the comments in a later statement: text from an older state is never written after a newer one is
 * committed. Whatever writes comments holds the lock of their video (M0028), so that no two wait for each other here.
 *
 * Who may see the video, whether it takes comments, what blocks hide and how many comments there are is read beside it.
 */
export const M0039CommentPages = `
create table comment_page (
  video_id integer primary key references video (id) on delete cascade,
  form text,
  -- Threads that the public sees.
  total integer not null default 0,
  -- Of each thread: the text before its author, the author's actor (null: nobody any more), the text after.
  heads text[] not null default '{}',
  authors integer[] not null default '{}',
  tails text[] not null default '{}'
) with (toast_tuple_target = 8160, fillfactor = 50);
alter table comment_page alter column heads set storage external, alter column tails set storage external;

insert into comment_page (video_id) select distinct video_id from video_comment;

create function comment_page_begin() returns trigger language plpgsql as $$
begin
  insert into comment_page (video_id) select distinct video_id from changed order by video_id
    on conflict (video_id) do update set form = null;
  return null;
end $$;
create trigger comment_page_begin after insert on video_comment
  referencing new table as changed for each statement execute function comment_page_begin();

-- Not written anew: a video that goes takes its comments along.
create function comment_page_void() returns trigger language plpgsql as $$
begin
  perform 1 from comment_page where video_id in (select video_id from changed) order by video_id for no key update;
  update comment_page set form = null where video_id in (select video_id from changed);
  return null;
end $$;
create trigger comment_page_void_changed after update on video_comment
  referencing new table as changed for each statement execute function comment_page_void();
create trigger comment_page_void_dropped after delete on video_comment
  referencing old table as changed for each statement execute function comment_page_void();

-- Threads tell how many replies are the owner's.
create function comment_page_owner() returns trigger language plpgsql as $$
begin
  update comment_page set form = null where video_id = new.id;
  return null;
end $$;
create trigger comment_page_owner after update of account_id on video for each row
  when (old.account_id <> new.account_id) execute function comment_page_owner();
`
