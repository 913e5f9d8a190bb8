-- One request at a time writes to an upload, among all nodes. held_by names the request; held_until passes when it brings nothing
-- any more, or when its node is gone. is_finishing: all bytes are there, and a video is being made of them.
alter table upload_session
  add column held_by uuid,
  add column held_until timestamptz,
  add column is_finishing boolean not null default false;
