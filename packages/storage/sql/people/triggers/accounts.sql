-- What goes with an account or a channel.

create trigger owner_gone after delete on account for each row execute function owner_gone();
create trigger owner_gone after delete on video_channel for each row execute function owner_gone();
