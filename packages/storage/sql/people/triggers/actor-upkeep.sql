-- Voids the ready answers that show an account, a channel, their actor or its instance.

create trigger actor_wire_begin after insert on account for each row execute function actor_wire_begin();
create trigger actor_wire_begin after insert on video_channel for each row execute function actor_wire_begin();
create trigger actor_wire_void after update on account for each row
  when (old.* is distinct from new.*) execute function actor_owner_void();
create trigger actor_wire_void after update on video_channel for each row
  when (old.* is distinct from new.*) execute function actor_owner_void();
create trigger actor_wire_void after update of preferred_username, url, followers_count, following_count, updated_at
  on actor for each row when (old.* is distinct from new.*) execute function actor_changed();
create trigger actor_wire_void after update of host, redundancy_allowed on server for each row
  when (old.host <> new.host or old.redundancy_allowed <> new.redundancy_allowed) execute function server_changed();
create trigger actor_wire_void_added after insert on actor_image
  referencing new table as changed for each statement execute function actor_images_changed();
create trigger actor_wire_void_changed after update on actor_image
  referencing new table as changed for each statement execute function actor_images_changed();
create trigger actor_wire_void_dropped after delete on actor_image
  referencing old table as changed for each statement execute function actor_images_changed();
