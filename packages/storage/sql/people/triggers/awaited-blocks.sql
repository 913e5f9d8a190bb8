-- Accounts that subscriptions have blocked before they were known here.

create trigger account_awaited after insert on account for each row
  when (new.user_id is null) execute function account_awaited();
