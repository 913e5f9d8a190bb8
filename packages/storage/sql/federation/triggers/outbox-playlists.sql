-- What goes out about playlists. Others learn of public ones alone; unlisted ones can be asked for.

create constraint trigger playlist_begun after insert on video_playlist deferrable initially deferred for each row
  when (not new.remote and new.privacy = 1) execute function playlist_moved();
create constraint trigger playlist_moved after update of name, description, privacy, channel_id, channel_position,
  owner_account_id on video_playlist deferrable initially deferred for each row
  when (not new.remote and (new.privacy = 1 or old.privacy = 1)) execute function playlist_moved();
create constraint trigger playlist_part_moved after insert or update or delete on video_playlist_element
  deferrable initially deferred for each row execute function playlist_part_moved();
create constraint trigger playlist_part_moved after insert or update or delete on video_playlist_thumbnail
  deferrable initially deferred for each row execute function playlist_part_moved();
create trigger playlist_goes before delete on video_playlist for each row
  when (not old.remote and old.type = 1) execute function playlist_goes();
