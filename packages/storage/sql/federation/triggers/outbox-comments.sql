-- What goes out about comments, and whether those of others may stand below videos of ours.

create constraint trigger comment_begun after insert on video_comment deferrable initially deferred for each row
  when (new.deleted_at is null) execute function comment_begun();
create constraint trigger comment_approved after update of held_for_review on video_comment
  deferrable initially deferred for each row
  when (old.held_for_review and not new.held_for_review and new.deleted_at is null) execute function comment_approved();
create trigger comment_deleted after update of deleted_at on video_comment for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function comment_deleted();
