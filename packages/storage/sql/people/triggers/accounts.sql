-- What goes with an account or a channel.

create trigger account_actor after delete on account for each row execute function delete_orphan_actor();
create trigger video_channel_actor after delete on video_channel for each row execute function delete_orphan_actor();
create trigger account_gone after delete on account for each row execute function account_gone();
