/** Jobs of the instance. */
export const messages = {
  title: "Jobs",
  count: "{count, plural, =0 {No jobs} one {# job} other {# jobs}}",
  emptyTitle: "No jobs here",
  emptyText: "What the instance works on appears here: transcoding, mail, federation.",
  type: "Work",
  typeName:
    "{type, select, activitypub_cleaner {Clean up what other instances deleted} activitypub_follow {Follow} activitypub_http_broadcast {Send to other instances} activitypub_http_broadcast_parallel {Send to other instances at once} activitypub_http_fetcher {Fetch from another instance} activitypub_http_unicast {Send to one instance} activitypub_refresher {Look again at another instance} actor_keys {Make keys} after_video_channel_import {End of a channel import} email {Mail} federate_video {Announce a video} transcoding_job_builder {Plan transcoding} manage_video_torrent {Torrent} move_to_object_storage {Move to object storage} move_to_file_system {Move to the file system} notify {Notify} video_channel_import {Import a channel} video_file_import {Import a file} video_import {Import a video} video_live_ending {End of a live} video_redundancy {Redundancy} video_studio_edition {Edit a video} video_transcoding {Transcode} videos_stats {Statistics} generate_video_storyboard {Storyboard} create_user_export {Export of a user} import_user_archive {Import of a user} video_transcription {Transcription} other {Other work}}",
  state: "State",
  stateName:
    "{state, select, active {Running} completed {Done} failed {Failed} waiting {Waiting} delayed {Later} paused {Paused} waiting_children {Waits for other jobs} other {Waiting}}",
  progressOf: "Progress: {type}",
  created: "Created",
  began: "Began",
  ended: "Ended",
  acts: "Actions",
  detailsOf: "Details of {type}, job {id}",
  lead: "Job {id}, priority {priority}",
  error: "Error",
  data: "Data",
  pause: "Pause",
  pauseTitle: "Pause the jobs?",
  pauseText: "No job begins until you resume: no transcoding, no mail. Those that run go on.",
  isPaused: "Jobs are paused.",
  resume: "Resume",
  isResumed: "Jobs begin again.",
  pausedNotice: "Jobs are paused: {count, plural, one {one job waits} other {# jobs wait}} until you resume."
} as const
