/**
 * Indexes by which the rows are found that go with a user, an account or a video: without them deleting one video reads
 * each of these tables whole.
 */
export const M0009UserRows = `
create index account_block_target on account_block (target_account_id);
create index channel_activity_account on channel_activity (account_id);
create index ownership_change_initiator on ownership_change (initiator_account_id);
drop index upload_session_user;
create index upload_session_user on upload_session (user_id);
create index upload_session_video on upload_session (video_id);
create index upload_session_result on upload_session (result_video_id);
create index user_video_history_video on user_video_history (video_id);
`
