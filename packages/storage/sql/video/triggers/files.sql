-- Renditions and streaming playlists in answers, and what the files of a video come to.

create trigger video_file_kept_added after insert on video_file
  referencing new table as changed
  for each statement when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function video_files_kept();
create trigger video_file_kept_changed after update on video_file
  referencing new table as changed for each statement execute function video_files_kept();
create trigger video_file_kept_gone after delete on video_file
  referencing old table as changed for each statement execute function video_files_kept();
create trigger streaming_playlist_kept_added after insert on streaming_playlist
  referencing new table as changed
  for each statement when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function video_files_kept();
create trigger streaming_playlist_kept_gone after delete on streaming_playlist
  referencing old table as changed for each statement execute function video_files_kept();
