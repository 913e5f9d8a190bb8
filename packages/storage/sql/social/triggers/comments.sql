-- Everything that writes comments or ratings is one of these functions or those of ratings. Each takes the lock of the
-- account, then that of the video, and writes the video's own counts last.

create trigger account_leaves before delete on account for each row execute function account_leaves();
