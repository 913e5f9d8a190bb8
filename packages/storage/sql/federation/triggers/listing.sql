-- Which videos of others everybody is shown, and what people want to be found by.
--
-- A video of another instance is listed when this instance follows its channel, its account, its instance, or
-- somebody who shares it (functions/listing.sql).

create trigger follow_lists after insert on actor_follow for each row
  when (new.state = 'accepted' and not new.follower_remote) execute function listing_marked();
create trigger follow_lists_again after update of state on actor_follow for each row
  when ((old.state = 'accepted') <> (new.state = 'accepted') and not new.follower_remote) execute function listing_marked();
create trigger follow_lists_no_more after delete on actor_follow for each row
  when (old.state = 'accepted' and not old.follower_remote) execute function listing_marked();
create trigger share_lists after insert or delete on video_share for each row execute function listing_marked();
