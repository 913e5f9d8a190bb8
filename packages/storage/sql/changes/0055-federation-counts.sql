-- What others are sent of actors' counts, and what they may say again.

-- Actors whose followers have changed: their counts are sent at intervals, however often they change.
create table actor_recount (
  actor_id integer primary key references actor (id) on delete cascade,
  due timestamptz not null
);
create index actor_recount_due on actor_recount (due);

-- What was deleted: what is said of it again is no repetition.
create index inbox_activity_deleted on inbox_activity (md5(object)) where type = 'Delete' and object is not null;
