import { M0001Actors } from "./M0001Actors.ts"
import { M0002Videos } from "./M0002Videos.ts"
import { M0003VideoWire } from "./M0003VideoWire.ts"
import { M0004Work } from "./M0004Work.ts"
import { M0005WireUpkeep } from "./M0005WireUpkeep.ts"
import { M0006VideoLists } from "./M0006VideoLists.ts"
import { M0007People } from "./M0007People.ts"
import { M0008Sessions } from "./M0008Sessions.ts"
import { M0009UserRows } from "./M0009UserRows.ts"
import { M0010ActorPictures } from "./M0010ActorPictures.ts"
import { M0011ChannelFigures } from "./M0011ChannelFigures.ts"
import { M0012Ownership } from "./M0012Ownership.ts"
import { M0013VideoEdits } from "./M0013VideoEdits.ts"
import { M0014Views } from "./M0014Views.ts"
import { M0015Search } from "./M0015Search.ts"
import { M0016ListScale } from "./M0016ListScale.ts"
import { M0017Imports } from "./M0017Imports.ts"
import { M0018Syncs } from "./M0018Syncs.ts"
import { M0019Sources } from "./M0019Sources.ts"
import { M0020Runners } from "./M0020Runners.ts"
import { M0021AccountLeavings } from "./M0021AccountLeavings.ts"
import { M0022AutomaticTags } from "./M0022AutomaticTags.ts"
import { M0023VideoCounts } from "./M0023VideoCounts.ts"
import { M0024RunnerTypes } from "./M0024RunnerTypes.ts"
import { M0025NodeRunnerJobs } from "./M0025NodeRunnerJobs.ts"
import { M0027PauseAndTurns } from "./M0027PauseAndTurns.ts"
import { M0028Comments } from "./M0028Comments.ts"
import { M0029Playlists } from "./M0029Playlists.ts"
import { M0030Notifications } from "./M0030Notifications.ts"
import { M0031UserArchives } from "./M0031UserArchives.ts"
import { M0032Feeds } from "./M0032Feeds.ts"
import { M0033RunnerResults } from "./M0033RunnerResults.ts"
import { M0034ActivityPubObjects } from "./M0034ActivityPubObjects.ts"
import { M0035RemoteObjects } from "./M0035RemoteObjects.ts"
import { M0036Inbox } from "./M0036Inbox.ts"
import { M0037Outbox } from "./M0037Outbox.ts"
import { M0038Follows } from "./M0038Follows.ts"
import { M0039CommentPages } from "./M0039CommentPages.ts"
import { M0040Actors } from "./M0040Actors.ts"
import { M0041Abuses } from "./M0041Abuses.ts"
import { M0043InboxSpeed } from "./M0043InboxSpeed.ts"
import { M0044DeliveryTurns } from "./M0044DeliveryTurns.ts"
import { M0045RemoteBatches } from "./M0045RemoteBatches.ts"
import { M0046Fanouts } from "./M0046Fanouts.ts"
import { M0048Conversations } from "./M0048Conversations.ts"

/** One step of the schema. `sql` may hold several statements; once released it never changes. */
export interface Migration {
  readonly id: number
  readonly name: string
  readonly sql: string
}

export const migrations: ReadonlyArray<Migration> = [
  { id: 1, name: "actors", sql: M0001Actors },
  { id: 2, name: "videos", sql: M0002Videos },
  { id: 3, name: "video_wire", sql: M0003VideoWire },
  { id: 4, name: "work", sql: M0004Work },
  { id: 5, name: "wire_upkeep", sql: M0005WireUpkeep },
  { id: 6, name: "video_lists", sql: M0006VideoLists },
  { id: 7, name: "people", sql: M0007People },
  { id: 8, name: "sessions", sql: M0008Sessions },
  { id: 9, name: "user_rows", sql: M0009UserRows },
  { id: 10, name: "actor_pictures", sql: M0010ActorPictures },
  { id: 11, name: "channel_figures", sql: M0011ChannelFigures },
  { id: 12, name: "ownership", sql: M0012Ownership },
  { id: 13, name: "video_edits", sql: M0013VideoEdits },
  { id: 14, name: "views", sql: M0014Views },
  { id: 15, name: "search", sql: M0015Search },
  { id: 16, name: "list_scale", sql: M0016ListScale },
  { id: 17, name: "imports", sql: M0017Imports },
  { id: 18, name: "syncs", sql: M0018Syncs },
  { id: 19, name: "sources", sql: M0019Sources },
  { id: 20, name: "runners", sql: M0020Runners },
  { id: 21, name: "account_leavings", sql: M0021AccountLeavings },
  { id: 22, name: "automatic_tags", sql: M0022AutomaticTags },
  { id: 23, name: "video_counts", sql: M0023VideoCounts },
  { id: 24, name: "runner_types", sql: M0024RunnerTypes },
  { id: 25, name: "node_runner_jobs", sql: M0025NodeRunnerJobs },
  { id: 27, name: "pause_and_turns", sql: M0027PauseAndTurns },
  { id: 28, name: "comments", sql: M0028Comments },
  { id: 29, name: "playlists", sql: M0029Playlists },
  { id: 30, name: "notifications", sql: M0030Notifications },
  { id: 31, name: "user_archives", sql: M0031UserArchives },
  { id: 32, name: "feeds", sql: M0032Feeds },
  { id: 33, name: "runner_results", sql: M0033RunnerResults },
  { id: 34, name: "activitypub_objects", sql: M0034ActivityPubObjects },
  { id: 35, name: "remote_objects", sql: M0035RemoteObjects },
  { id: 36, name: "inbox", sql: M0036Inbox },
  { id: 37, name: "outbox", sql: M0037Outbox },
  { id: 38, name: "follows", sql: M0038Follows },
  { id: 39, name: "comment_pages", sql: M0039CommentPages },
  { id: 40, name: "actors", sql: M0040Actors },
  { id: 41, name: "abuses", sql: M0041Abuses },
  { id: 43, name: "inbox_speed", sql: M0043InboxSpeed },
  { id: 44, name: "delivery_turns", sql: M0044DeliveryTurns },
  { id: 45, name: "remote_batches", sql: M0045RemoteBatches },
  { id: 46, name: "fanouts", sql: M0046Fanouts },
  { id: 48, name: "conversations", sql: M0048Conversations }
]
