-- Marks of copies of remote videos, which the instance of the video receives.

create trigger copy_marked after insert on video_redundancy for each row
  when (new.strategy is not null) execute function copy_marked();
create trigger copy_extended_marked after update of expires_at on video_redundancy for each row
  when (new.strategy is not null) execute function copy_marked();
create trigger copy_end_marked before delete on video_redundancy for each row
  when (old.strategy is not null) execute function copy_marked();
