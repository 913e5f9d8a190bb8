-- How many videos there are of each kind lists filter by, of those that anybody may list: totals of such filters are
-- sums over a few thousand rows. Changes are written beside and added up later, so that nothing that publishes waits
-- for another. `video_total` gets a row with every change.

create trigger video_total_inserted after insert on video referencing new table as changed
  for each statement execute function video_total_changed();
create trigger video_total_deleted after delete on video referencing old table as changed
  for each statement execute function video_total_changed();
create trigger video_total_updated after update on video referencing old table as deleted new table as inserted
  for each statement execute function video_total_updated();
create trigger account_block_added after insert on account_block
  referencing new table as changed for each statement execute function block_changed();
create trigger account_block_gone after delete on account_block
  referencing old table as changed for each statement execute function block_changed();
create trigger server_block_added after insert on server_block
  referencing new table as changed for each statement execute function block_changed();
create trigger server_block_gone after delete on server_block
  referencing old table as changed for each statement execute function block_changed();
