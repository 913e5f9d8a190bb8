-- What goes out about follows.

create trigger follow_named before insert or update of state on actor_follow
  for each row execute function follow_named();
create trigger follow_moved after insert or update of state on actor_follow
  for each row execute function follow_moved();
create trigger follow_undone after delete on actor_follow for each row
  when (not old.follower_remote and old.state <> 'rejected' and old.url is not null) execute function follow_undone();
