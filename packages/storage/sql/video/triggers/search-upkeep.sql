-- Keeps the documents of searches, and the words they have.

create trigger video_document_begin after insert on video
  for each row when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function video_document_begin();
create trigger video_document_follow after update of name, description, language, channel_id, account_id, duration,
    nsfw_flags, views, likes, comments, published_at, originally_published_at, category, licence, privacy, state, visible,
    server_id, nsfw, remote, is_live
  on video for each row when (old.* is distinct from new.*) execute function video_document_follow();
create trigger video_tags_added after insert on video_tag referencing new table as changed
  for each statement when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function video_tags_follow();
create trigger video_tags_gone after delete on video_tag referencing old table as changed
  for each statement execute function video_tags_follow();
create trigger channel_document_begin after insert on video_channel
  for each row execute function channel_document_begin();
create trigger channel_document_follow after update of display_name, description, account_id on video_channel
  for each row when (old.display_name <> new.display_name or old.description is distinct from new.description
    or old.account_id <> new.account_id) execute function owner_renamed();
create trigger video_document_words_changed after update of document on video_document
  for each row when (old.document is distinct from new.document) execute function document_words_follow();
create trigger channel_document_words_added after insert on channel_document referencing new table as changed
  for each statement execute function document_words_follow();
create trigger channel_document_words_gone after delete on channel_document referencing old table as changed
  for each statement execute function document_words_follow();
create trigger channel_document_words_changed after update of document on channel_document
  for each row when (old.document is distinct from new.document) execute function document_words_follow();
-- Triggers run by name: read models come before words, with accounts as with channels.
create trigger actor_words_follow after update of display_name on account
  for each row when (old.display_name <> new.display_name) execute function owner_renamed();
create trigger playlist_document_words_added after insert on playlist_document referencing new table as changed
  for each statement execute function document_words_follow();
create trigger playlist_document_words_gone after delete on playlist_document referencing old table as changed
  for each statement execute function document_words_follow();
create trigger playlist_document_words_changed after update of document on playlist_document
  for each row when (old.document is distinct from new.document) execute function document_words_follow();
create trigger actor_indexed after update of indexable on actor for each row
  when (old.indexable <> new.indexable) execute function actor_indexed();
create trigger video_document_words_added after insert on video_document referencing new table as changed
  for each statement execute function document_words_follow();
create trigger video_document_words_gone after delete on video_document referencing old table as changed
  for each statement execute function document_words_follow();
