-- What the list of a video's threads begins with, kept ready: the newest threads as JSON text around who wrote them,
-- whose own text is joined when it is read (`actor_read_model`): so that a name, a picture or a follower changes no row here.
--
-- A video that has comments has a row. Its `form` is null while it has to be made anew, else it names how it was made.
-- Every change of comments voids the row in its own transaction, even if it is void already, and who makes it locks the
-- row before reading the comments in a later statement: text from an older state is never written after a newer one is
-- committed. Whatever writes comments holds the lock of their video, so that no two wait for each other here.
--
-- Who may see the video, whether it takes comments, what blocks hide and how many comments there are is read beside it.

create trigger comment_page_begin after insert on video_comment
  referencing new table as changed for each statement execute function comment_page_void();
create trigger comment_page_void_changed after update on video_comment
  referencing new table as changed for each statement execute function comment_page_void();
create trigger comment_page_void_dropped after delete on video_comment
  referencing old table as changed for each statement execute function comment_page_void();
-- Threads show how many replies are the owner's.
create trigger comment_page_owner after update of account_id on video for each row
  when (old.account_id <> new.account_id) execute function comment_page_void();
