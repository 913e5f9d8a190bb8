-- Voids the kept texts that show an account, a channel, their actor or its instance.

create trigger actor_read_model_begin after insert on account for each row execute function actor_read_model_begin();
create trigger actor_read_model_begin after insert on video_channel for each row execute function actor_read_model_begin();
create trigger actor_void_read_model after update on account for each row
  when (old.* is distinct from new.*) execute function actor_changed();
create trigger actor_void_read_model after update on video_channel for each row
  when (old.* is distinct from new.*) execute function actor_changed();
create trigger actor_void_read_model after update of preferred_username, url, followers_count, following_count, updated_at
  on actor for each row when (old.* is distinct from new.*) execute function actor_changed();
create trigger actor_void_read_model after update of host, redundancy_allowed on server for each row
  when (old.host <> new.host or old.redundancy_allowed <> new.redundancy_allowed) execute function actor_changed();
create trigger actor_void_read_model_added after insert on actor_image
  referencing new table as changed for each statement execute function actor_changed();
create trigger actor_void_read_model_changed after update on actor_image
  referencing new table as changed for each statement execute function actor_changed();
create trigger actor_void_read_model_dropped after delete on actor_image
  referencing old table as changed for each statement execute function actor_changed();
