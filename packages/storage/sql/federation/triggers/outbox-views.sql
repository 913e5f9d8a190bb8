-- Marks of counts and views of videos for the outbox.

create trigger video_counted after update of likes, dislikes, views, downloads on video for each row
  when (not new.remote and new.privacy in (1, 2) and new.state in (1, 4, 5)
    and (old.likes, old.dislikes, old.views, old.downloads) is distinct from (new.likes, new.dislikes, new.views, new.downloads))
  execute function video_counted();
create trigger viewing_ended after update of viewer on video_viewing for each row
  when (old.viewer is not null and new.viewer is null) execute function viewing_ended();
