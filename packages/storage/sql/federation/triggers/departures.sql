-- Accounts and channels that go, and what others keep of their keys.

-- Before account_leaves, which removes comments: triggers run by name.
create trigger account_departure_marked before delete on account for each row execute function departure_marked();
create trigger channel_departure_marked before delete on video_channel for each row execute function departure_marked();
create trigger actor_keys_kept before delete on actor for each row
  when (old.server_id is null) execute function actor_keys_kept();
