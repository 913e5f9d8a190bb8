-- How many follow an actor is kept exact by the follows themselves.

create trigger follow_added after insert on actor_follow
  referencing new table as inserted for each statement execute function follows_counted();
create trigger follow_gone after delete on actor_follow
  referencing old table as deleted for each statement execute function follows_counted();
create trigger follow_changed after update on actor_follow
  referencing old table as deleted new table as inserted for each statement execute function follows_counted();
