-- Marks of comments for the outbox.

create trigger comment_marked after insert on video_comment for each row
  when (new.deleted_at is null) execute function comment_marked('posted');
create trigger comment_change_marked after update of text, held_for_review on video_comment for each row
  when (new.deleted_at is null and not new.held_for_review
    and (old.held_for_review or (new.server_id is not null and old.text <> new.text)))
  execute function comment_marked('changed');
create trigger comment_approval_marked after update of reply_approval_url on video_comment for each row
  when (old.reply_approval_url is null and new.reply_approval_url is not null and new.deleted_at is null
    and not new.held_for_review and new.server_id is null)
  execute function comment_marked('approved elsewhere');
create trigger comment_end_marked after update of deleted_at on video_comment for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function comment_end_marked();
