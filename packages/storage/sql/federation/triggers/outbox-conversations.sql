-- What an instance sends on of the comments below its videos: that one came, changed or was deleted, under an id of the
-- sender's own, which nobody else takes (FEP-fe34); and that one was let in, to those as well who have not seen it
-- while it waited.

create trigger comment_forwarded after insert on video_comment for each row
  when (new.server_id is not null and not new.held_for_review) execute function comment_forwarded();
create trigger comment_let_in after update of reply_approval_url on video_comment for each row
  when (old.reply_approval_url is null and new.reply_approval_url is not null and new.deleted_at is null
    and not new.held_for_review)
  execute function comment_let_in();
create trigger comment_change_forwarded after update of text on video_comment for each row
  when (new.server_id is not null and not new.held_for_review and new.deleted_at is null and old.text <> new.text)
  execute function comment_change_forwarded();
