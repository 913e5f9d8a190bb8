-- Notifies nodes of sessions that ended and of users that changed.

create trigger session_ended after delete on oauth_token for each row execute function session_changed();
create trigger session_renewed after update of access_token_hash on oauth_token for each row
  when (old.access_token_hash <> new.access_token_hash) execute function session_changed();
create trigger session_user_changed
  after update of role, admin_flags, blocked, username, video_quota, video_quota_daily, preferences
  on app_user for each row when (
    (old.role, old.admin_flags, old.blocked, old.username, old.video_quota, old.video_quota_daily, old.preferences)
      is distinct from
    (new.role, new.admin_flags, new.blocked, new.username, new.video_quota, new.video_quota_daily, new.preferences)
  ) execute function session_changed();
