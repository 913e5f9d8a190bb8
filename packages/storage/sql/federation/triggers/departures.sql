-- Accounts and channels that go, and what others keep of their keys.

create trigger account_goodbye before delete on account for each row execute function account_goodbye();
create trigger channel_goodbye before delete on video_channel for each row execute function channel_goodbye();
create trigger actor_keys_kept before delete on actor for each row
  when (old.server_id is null) execute function actor_keys_kept();
