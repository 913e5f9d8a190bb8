-- What the list of a video's threads begins with, kept ready: the newest threads as JSON text around who wrote them,
-- whose own text is joined when it is read (`actor_read_model`): so that a name, a picture or a follower changes no row here.
--
-- A video that has comments has a row. Its `form` is null while it has to be made anew, else it names how it was made.
-- Every change of comments voids the row in its own transaction, even if it is void already, and who makes it locks the
-- row before reading the comments in a later statement: text from an older state is never written after a newer one is
-- committed. Whatever writes comments holds the lock of their video, so that no two wait for each other here.
--
-- Who may see the video, whether it takes comments, what blocks hide and how many comments there are is read beside it.

create function comment_page_void() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'video' then
    update comment_page set form = null where video_id = new.id;
  elsif tg_op = 'INSERT' then
    insert into comment_page (video_id) select distinct video_id from changed order by video_id
      on conflict (video_id) do update set form = null;
  else
    -- Not inserted: a video that goes takes its comments along.
    perform 1 from comment_page where video_id in (select video_id from changed) order by video_id for no key update;
    update comment_page set form = null where video_id in (select video_id from changed);
  end if;
  return null;
end $$;
