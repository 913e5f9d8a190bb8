-- Lengths, covers and documents of playlists, and where they belong.

create trigger playlist_thumbnail_gone after delete on video_playlist_thumbnail
  referencing old table as gone for each statement execute function playlist_thumbnail_gone();
create trigger playlist_length_grown after insert on video_playlist_element
  referencing new table as changed for each statement execute function playlist_length_counted();
create trigger playlist_length_shrunk after delete on video_playlist_element
  referencing old table as changed for each statement execute function playlist_length_counted();
create trigger playlist_leaves_channel before update of channel_id on video_playlist
  for each row when (old.channel_id is not null and new.channel_id is null) execute function playlist_leaves_channel();
create trigger playlists_follow_channel after update of account_id on video_channel
  for each row when (old.account_id <> new.account_id) execute function playlists_follow_channel();
create trigger account_watch_later after insert on account
  for each row when (new.user_id is not null) execute function account_watch_later();
create trigger playlist_document_begin after insert on video_playlist
  for each row when (new.privacy = 1) execute function playlist_document_follow();
create trigger playlist_document_follow after update of name, description, privacy, channel_id on video_playlist
  for each row when (old.name <> new.name or old.description is distinct from new.description
    or old.privacy <> new.privacy) execute function playlist_document_follow();
