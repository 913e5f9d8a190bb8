-- What the database of schema version 48 has of functions, views and triggers. They are dropped once, when it is taken
-- over; the files of today make theirs after that. Its tables are those of the baseline already.

drop trigger account_actor on account;
drop trigger account_gone on account;
drop trigger account_goodbye on account;
drop trigger account_leaves on account;
drop trigger account_watch_later on account;
drop trigger actor_wire_begin on account;
drop trigger actor_wire_void on account;
drop trigger actor_words_follow on account;
drop trigger feed_changed on account;
drop trigger owner_moved on account;
drop trigger account_block_added on account_block;
drop trigger account_block_gone on account_block;
drop trigger feed_changed on account_block;
drop trigger rate_moved on account_video_rate;
drop trigger rate_named on account_video_rate;
drop trigger rate_passed_on on account_video_rate;
drop trigger comment_activity_announced on activity;
drop trigger actor_indexed on actor;
drop trigger actor_keys_kept on actor;
drop trigger actor_moved on actor;
drop trigger actor_wire_void on actor;
drop trigger feed_changed on actor;
drop trigger feed_changed on actor_follow;
drop trigger follow_added on actor_follow;
drop trigger follow_changed on actor_follow;
drop trigger follow_gone on actor_follow;
drop trigger follow_lists on actor_follow;
drop trigger follow_lists_again on actor_follow;
drop trigger follow_lists_no_more on actor_follow;
drop trigger follow_moved on actor_follow;
drop trigger follow_named on actor_follow;
drop trigger follow_undone on actor_follow;
drop trigger actor_picture_moved on actor_image;
drop trigger actor_wire_void_added on actor_image;
drop trigger actor_wire_void_changed on actor_image;
drop trigger actor_wire_void_dropped on actor_image;
drop trigger feed_changed on actor_image;
drop trigger remote_copies_gone on actor_image;
drop trigger session_user_changed on app_user;
drop trigger channel_document_words on channel_document;
drop trigger channel_document_words_changed on channel_document;
drop trigger job_claimable_again on job;
drop trigger job_claimable_new on job;
drop trigger job_ended on job;
drop trigger runner_ladder_dropped on job;
drop trigger job_dependency_gone on job_dependency;
drop trigger job_pause_over on job_pause;
drop trigger notification_event_told on notification_event;
drop trigger session_ended on oauth_token;
drop trigger session_renewed on oauth_token;
drop trigger ownership_answered on ownership_change;
drop trigger ownership_asked on ownership_change;
drop trigger playlist_document_words on playlist_document;
drop trigger playlist_document_words_changed on playlist_document;
drop trigger runner_gone on runner;
drop trigger runner_job_claimable_again on runner_job;
drop trigger runner_job_claimable_new on runner_job;
drop trigger runner_ladder_done on runner_job;
drop trigger runner_ladder_less on runner_job;
drop trigger runner_ladder_over on runner_job;
drop trigger actor_wire_void on server;
drop trigger feed_changed on server;
drop trigger feed_changed on server_block;
drop trigger server_block_added on server_block;
drop trigger server_block_gone on server_block;
drop trigger remote_copies_gone on storyboard;
drop trigger video_object_void on storyboard;
drop trigger video_part_moved on storyboard;
drop trigger feed_changed on streaming_playlist;
drop trigger streaming_playlist_kept_added on streaming_playlist;
drop trigger streaming_playlist_kept_gone on streaming_playlist;
drop trigger video_part_moved on streaming_playlist;
drop trigger video_wire_void on streaming_playlist;
drop trigger feed_changed on tag;
drop trigger video_wire_void on tag;
drop trigger feed_changed on thumbnail;
drop trigger remote_copies_gone on thumbnail;
drop trigger video_part_moved on thumbnail;
drop trigger video_wire_void on thumbnail;
drop trigger user_export_gone on user_export;
drop trigger user_import_ended on user_import;
drop trigger user_import_gone on user_import;
drop trigger comment_page_owner on video;
drop trigger feed_changed on video;
drop trigger video_awaited on video;
drop trigger video_begun on video;
drop trigger video_counted on video;
drop trigger video_document_begin on video;
drop trigger video_document_follow on video;
drop trigger video_goes on video;
drop trigger video_listed on video;
drop trigger video_listed_announced on video;
drop trigger video_moved on video;
drop trigger video_opened on video;
drop trigger video_owner_held on video;
drop trigger video_reopened on video;
drop trigger video_theme_moved on video;
drop trigger video_total_deleted on video;
drop trigger video_total_inserted on video;
drop trigger video_total_updated on video;
drop trigger video_wire_begin on video;
drop trigger video_wire_void on video;
drop trigger blacklist_told on video_blacklist;
drop trigger feed_changed on video_blacklist;
drop trigger video_blacklist_listed on video_blacklist;
drop trigger video_part_moved on video_blacklist;
drop trigger video_wire_void on video_blacklist;
drop trigger feed_changed on video_caption;
drop trigger remote_copies_gone on video_caption;
drop trigger video_object_void on video_caption;
drop trigger video_part_moved on video_caption;
drop trigger actor_wire_begin on video_channel;
drop trigger actor_wire_void on video_channel;
drop trigger channel_document_begin on video_channel;
drop trigger channel_document_follow on video_channel;
drop trigger channel_goodbye on video_channel;
drop trigger channel_theme_moved on video_channel;
drop trigger feed_changed on video_channel;
drop trigger owner_moved on video_channel;
drop trigger playlists_follow_channel on video_channel;
drop trigger video_channel_actor on video_channel;
drop trigger collaborator_answered on video_channel_collaborator;
drop trigger collaborator_asked on video_channel_collaborator;
drop trigger feed_changed on video_channel_collaborator;
drop trigger feed_changed on video_chapter;
drop trigger comment_approved on video_comment;
drop trigger comment_begun on video_comment;
drop trigger comment_change_forwarded on video_comment;
drop trigger comment_changed_passed_on on video_comment;
drop trigger comment_deleted on video_comment;
drop trigger comment_deleted_announced on video_comment;
drop trigger comment_forwarded on video_comment;
drop trigger comment_let_in on video_comment;
drop trigger comment_notification_gone on video_comment;
drop trigger comment_page_begin on video_comment;
drop trigger comment_page_void_changed on video_comment;
drop trigger comment_page_void_dropped on video_comment;
drop trigger comment_passed_on on video_comment;
drop trigger feed_changed on video_comment;
drop trigger remote_comment_gone on video_comment;
drop trigger video_document_words_added on video_document;
drop trigger video_document_words_changed on video_document;
drop trigger video_document_words_gone on video_document;
drop trigger feed_changed on video_file;
drop trigger video_file_kept_added on video_file;
drop trigger video_file_kept_changed on video_file;
drop trigger video_file_kept_gone on video_file;
drop trigger video_file_moved on video_file;
drop trigger video_wire_void on video_file;
drop trigger import_told on video_import;
drop trigger video_import_orphaned on video_import;
drop trigger playlist_begun on video_playlist;
drop trigger playlist_document_begin on video_playlist;
drop trigger playlist_document_follow on video_playlist;
drop trigger playlist_goes on video_playlist;
drop trigger playlist_leaves_channel on video_playlist;
drop trigger playlist_moved on video_playlist;
drop trigger playlist_length_grown on video_playlist_element;
drop trigger playlist_length_shrunk on video_playlist_element;
drop trigger playlist_part_moved on video_playlist_element;
drop trigger playlist_part_moved on video_playlist_thumbnail;
drop trigger playlist_thumbnail_gone on video_playlist_thumbnail;
drop trigger remote_copies_gone on video_playlist_thumbnail;
drop trigger video_redundancy_gone on video_redundancy;
drop trigger video_redundancy_void on video_redundancy;
drop trigger video_wire_void on video_schedule_update;
drop trigger share_lists on video_share;
drop trigger feed_changed on video_tag;
drop trigger video_part_moved on video_tag;
drop trigger video_tags_added on video_tag;
drop trigger video_tags_gone on video_tag;
drop trigger video_wire_void on video_tag;
drop trigger viewing_ended on video_viewing;
drop trigger video_object_void on video_wire;

drop view waiting_delivery;

drop function
  account_gone(), account_goodbye(), account_inboxes(integer), account_leaves(), account_watch_later(),
  activity_applied_now(), activity_waits(bigint), actor_changed(), actor_followed(integer), actor_images_changed(),
  actor_indexed(), actor_is_followed_here(integer), actor_keys_kept(), actor_moved(), actor_owner_void(),
  actor_picture_moved(), actor_void(integer, boolean), actor_wire_begin(),
  add_abuse(integer, text, text, text, smallint[], integer, integer, integer),
  add_comment(integer, integer, integer, text, boolean),
  add_remote_comment(integer, integer, integer, text, text, timestamptz, timestamptz, boolean),
  add_remote_view(integer), announces_conversations(), answer_follow(integer), ap_actor(integer),
  ap_actor_images(integer, smallint, text), ap_actor_itself(integer), ap_announce(integer, integer),
  ap_approve_reply(integer), ap_audience(text, boolean), ap_cache_file(integer), ap_channel_player_settings(integer),
  ap_chapters(integer), ap_file_links(integer, integer, uuid, text, text, text, text),
  ap_image(text, text, integer, integer), ap_image_type(text), ap_note(integer), ap_player_settings(integer),
  ap_playlist(integer), ap_playlist_element(integer), ap_public(), ap_rate(integer, integer), ap_video(integer),
  ap_video_kept(integer), apply_listing_change(integer), apply_views(integer), approve_comment(integer),
  blacklist_set_listed(), blacklist_told(), block_changed(), came_signed(inbox_activity), channel_document_begin(),
  channel_documents(integer[]), channel_goodbye(), channel_theme_moved(), collaborator_told(),
  comment_above_inboxes(integer), comment_activity_announced(), comment_approved(), comment_begun(),
  comment_change_forwarded(), comment_delete_announced(), comment_delete_uri(video_comment), comment_deleted(),
  comment_forwarded(), comment_is_federated(integer), comment_let_in(), comment_notification_gone(),
  comment_page_begin(), comment_page_owner(), comment_page_void(), comment_passed_on(), compact_feed_version(),
  compact_owner_total(), compact_video_count(integer), compact_video_total(), create_remote_videos(jsonb),
  create_that_came(text, integer), delete_orphan_actor(), delivery_retry(text), document_words_follow(),
  documents_words_follow(), due_deliveries(text, boolean, integer), due_hosts(), expand_fanout(),
  federation_setting(text, boolean), feed_changed(), follow_added(), follow_changed(), follow_gone(), follow_lists(),
  follow_moved(), follow_named(), follow_object(text, text, text), follow_undone(), followers_urls(integer[]),
  follows_counted(integer[], integer[], boolean[]), forget_strangers(integer, integer),
  forward_activity(text, text, text, integer), forward_let_in(integer, text), fresh_activity_uri(text),
  group_inboxes(integer), has_remote_followers(integer[]), hidden_counts(integer[], integer[]),
  hidden_total(integer[], smallint, boolean, boolean), import_told(), inbox_applied(bigint[]),
  inbox_apply_creates(citext, jsonb, jsonb), inbox_apply_rates(citext, integer), inbox_claim(citext, bigint),
  inbox_host(text), inbox_of(integer), inbox_settle(citext, bigint), inbox_turn(citext), instance_actor(),
  is_group_software(text), is_key_below(text, text), is_muted_for(integer, integer), job_claimable(),
  job_dependency_gone(), job_ended(), job_pause_over(), job_release(integer), note_inboxes(jsonb),
  note_to_followers(jsonb, integer, integer), notification_event_told(), outbox_again(text, integer),
  outbox_count(text), outer_inboxes(text[]), owner_moved(), owner_renamed(), ownership_told(),
  pass_on(integer, text, jsonb, text, smallint, bigint, text), playlist_cover(integer), playlist_document_follow(),
  playlist_followed(integer), playlist_goes(), playlist_is_federated(integer), playlist_leaves_channel(),
  playlist_length_grown(), playlist_length_shrunk(), playlist_moved(), playlist_part_moved(), playlist_thumbnail_gone(),
  playlists_follow_channel(), public_audience(text[], text[]),
  queue_deliveries(bigint, smallint, integer[], text[], text), rate_moved(), rate_named(), rate_passed_on(),
  refresh_search(integer), refresh_trends(integer, integer), refresh_wire(integer), remote_comment_gone(),
  remote_copies_gone(), remote_count(integer, citext, text, integer), remote_files(integer, integer),
  remove_comments(integer[]), remove_rates(integer, integer), runner_gone(),
  runner_job_back(integer, bytea, boolean, text, integer, boolean), runner_job_claimable(),
  runner_job_complete(integer, bytea, text), runner_job_orphan(integer, smallint), runner_job_retry(integer),
  runner_ladder_dropped(), runner_ladder_lock(integer), runner_ladder_over(), runner_ladder_progress(),
  say_channel_goodbye(integer), say_goodbye(integer), search_alike(text), search_document(text, text, text, text, text),
  search_known(boolean, tsquery), search_known_playlist(tsquery), search_pattern(text),
  search_score(integer, integer, integer, timestamptz), search_step(real), search_terms(text[]),
  search_title_words(tsvector), search_words(text, boolean),
  send_activity(text, text, integer, text, smallint, integer[], text[], jsonb, text, text, text),
  send_actor_delete(integer, integer[], text[]), send_playlist_delete(text, integer, integer[]),
  send_video_announce(integer, text, integer, integer[], integer), send_video_delete(text, integer, integer, integer[]),
  send_video_unshare(integer, text, integer, integer),
  send_viewers(text, text, text, integer, integer[], text[], jsonb), server_changed(), session_changed(),
  session_user_changed(), set_rate(integer, integer, text), set_remote_files(integer, jsonb, jsonb),
  set_remote_images(integer, smallint, jsonb), set_remote_keys(integer, jsonb),
  set_remote_pictures(integer, jsonb, jsonb, jsonb), set_remote_tags(integer, text[]), set_viewers(integer, integer),
  settle_comment(integer), settle_remote_viewers(), share_lists(), short_uuid(uuid), show_viewers(integer),
  somebody_listens(), streaming_playlist_kept(), tag_void(), take_delivery_turns(text[], text), tell_actor(integer),
  tell_comment(integer, boolean), tell_playlist(integer, boolean), tell_recounted(integer),
  tell_video(integer, boolean, boolean), tell_video_origin(integer, text, text, jsonb, text), tell_video_part(integer),
  tell_view(integer), tell_viewers(double precision, integer), unset_rate(integer, integer, text),
  update_that_came(text, integer), upsert_remote_actor(jsonb, integer),
  upsert_remote_video(integer, integer, jsonb, boolean), url_encode(text), user_export_gone(), user_import_gone(),
  video_announced(), video_awaited(), video_begins(), video_begun(), video_blocked(), video_counted(),
  video_document_begin(), video_document_follow(), video_documents(integer[]), video_file_kept(), video_file_moved(),
  video_file_void(), video_files_kept(integer[]), video_followed(integer), video_goes(),
  video_has_followers(integer, integer, integer), video_hotness(integer, integer, integer, timestamptz),
  video_import_orphaned(), video_is_dereferenced(integer), video_is_federated(integer), video_is_followed(integer),
  video_is_known(integer), video_is_listed(smallint, smallint, boolean), video_is_open(smallint, smallint),
  video_is_pushed(integer), video_moved(), video_object_part_void(), video_object_void(), video_only_works(integer),
  video_opened(), video_origin_inbox(integer), video_owner_held(), video_part_moved(), video_part_void(),
  video_redundancy_gone(), video_redundancy_void(), video_set_listed(), video_tags_follow(), video_theme_moved(),
  video_total_deleted(), video_total_inserted(), video_total_updated(), video_was_open(integer), video_wire_begin(),
  video_wire_void(), view_gain(integer, timestamptz, timestamptz, integer, integer, boolean, timestamptz),
  viewing_ended(), watch_later_begin(integer), wire_abuse_info(integer), wire_account(integer),
  wire_account_info(integer), wire_actor(integer), wire_actor_images(integer, smallint, text),
  wire_actor_summary(integer, text, integer, text), wire_channel(integer), wire_channel_info(integer),
  wire_collaborator(integer), wire_constant(text, text, boolean), wire_files(integer, integer), wire_host(text),
  wire_notification(user_notification), wire_notification_about(user_notification),
  wire_notification_of(user_notification, jsonb), wire_notification_subject(user_notification), wire_origin(),
  wire_ownership_change(integer), wire_picture(integer, smallint, text), wire_playlist(integer),
  wire_playlists(integer), wire_ratio(integer, integer), wire_recounted(text, video, video), wire_resolution(integer),
  wire_tags(integer), wire_thumbnails(integer, text), wire_time(timestamptz), wire_trackers(text), wire_truncated(text),
  wire_video_common(integer, boolean), wire_video_details(integer), wire_video_info(integer),
  wire_video_management(integer), wire_video_mention(integer), wire_video_source(integer), wire_video_summary(integer),
  wire_video_trackers(integer), wire_viewers(integer), write_video_document(integer);
