-- The number of changes to what feeds are made of: what was made of it holds as long as the number is the same.
--
-- Each connection counts in a row of its own, once a transaction, so that no two ever wait for each other here; the
-- number is the sum over the rows, and a change is in it from its commit on, never earlier.

create table feed_version (
  backend integer primary key,
  version bigint not null
) with (fillfactor = 50);
