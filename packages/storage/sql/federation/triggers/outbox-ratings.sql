-- Marks of ratings for the outbox.

create trigger rate_named before insert or update of type on account_video_rate for each row
  when (current_setting('kinora.rates_of_others', true) is distinct from 'on') execute function rate_named();
create trigger rate_marked after insert or update or delete on account_video_rate for each row
  when (current_setting('kinora.rates_of_others', true) is distinct from 'on') execute function rate_marked();
