-- Marks of follows for the outbox.

create trigger follow_named before insert or update of state on actor_follow
  for each row execute function follow_named();
create trigger follow_marked after insert or update of state on actor_follow
  for each row execute function follow_marked();
create trigger follow_end_marked after delete on actor_follow for each row
  when (not old.follower_remote and old.url is not null) execute function follow_marked();
