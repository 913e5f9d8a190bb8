-- Marks of playlists for the outbox. Only public ones are sent; unlisted ones can be asked for.

create trigger playlist_marked after insert on video_playlist for each row
  when (not new.remote and new.type = 1 and new.privacy = 1) execute function playlist_marked();
create trigger playlist_change_marked after update of name, description, privacy, channel_id, channel_position,
  owner_account_id on video_playlist for each row
  when (not new.remote and new.type = 1 and (new.privacy = 1 or old.privacy = 1)) execute function playlist_marked();
create trigger playlist_part_marked after insert or update or delete on video_playlist_element
  for each row execute function playlist_part_marked();
create trigger playlist_part_marked after insert or update or delete on video_playlist_thumbnail
  for each row execute function playlist_part_marked();
create trigger playlist_end_marked before delete on video_playlist for each row
  when (not old.remote and old.type = 1) execute function playlist_end_marked();
