-- Marks of accounts and channels for the outbox.

create trigger owner_marked after update of display_name, description on account for each row
  when ((old.display_name, old.description) is distinct from (new.display_name, new.description))
  execute function actor_marked();
create trigger owner_marked after update of display_name, description, support, public_email, account_id
  on video_channel for each row
  when ((old.display_name, old.description, old.support, old.public_email, old.account_id)
    is distinct from (new.display_name, new.description, new.support, new.public_email, new.account_id))
  execute function actor_marked();
create trigger channel_theme_marked after update of player_theme on video_channel for each row
  when (old.player_theme is distinct from new.player_theme) execute function theme_marked();
create trigger actor_marked after update of indexable, discoverable, public_key on actor for each row
  when (new.server_id is null and (old.indexable, old.discoverable, old.public_key)
    is distinct from (new.indexable, new.discoverable, new.public_key))
  execute function actor_marked();
create trigger actor_counted after update of followers_count on actor for each row
  when (new.server_id is null and new.type <> 'Application' and old.followers_count <> new.followers_count)
  execute function actor_counted();
create trigger actor_picture_marked after insert or update or delete on actor_image
  for each row execute function actor_marked();
