-- Which videos of others everybody is shown may have changed.

-- Whose videos have to be looked at again, since somebody follows or does so no more: there may be many.
create table listing_change (
  id bigint generated always as identity primary key,
  actor_id integer,
  video_id integer,
  -- Up to which video this is done.
  done integer not null default 0
);
