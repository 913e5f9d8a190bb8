-- Copies of pictures of others, and what else goes with a row.

create trigger remote_copies_gone after delete on thumbnail
  referencing old table as gone for each statement execute function remote_copies_gone('thumbnails');
create trigger remote_copies_gone after delete on storyboard
  referencing old table as gone for each statement execute function remote_copies_gone('storyboards');
create trigger remote_copies_gone after delete on video_caption
  referencing old table as gone for each statement execute function remote_copies_gone('captions');
create trigger remote_torrents_gone after delete on video_file
  referencing old table as gone for each statement execute function remote_torrents_gone();
create trigger remote_copies_gone after delete on actor_image
  referencing old table as gone for each statement execute function remote_copies_gone('avatars');
create trigger remote_copies_gone after delete on video_playlist_thumbnail
  referencing old table as gone for each statement execute function remote_copies_gone('thumbnails');
create trigger remote_comment_gone after update of deleted_at on video_comment for each row
  when (old.deleted_at is null and new.deleted_at is not null and old.server_id is not null)
  execute function remote_comment_gone();
