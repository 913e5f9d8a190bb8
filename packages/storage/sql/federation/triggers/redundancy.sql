-- Copies of videos: what shows them is made anew, and their files go with them.

create trigger video_redundancy_void after insert or update or delete on video_redundancy
  for each row execute function video_text_void('details');
create trigger video_redundancy_gone after delete on video_redundancy for each row
  when (old.files <> '{}') execute function video_redundancy_gone();
