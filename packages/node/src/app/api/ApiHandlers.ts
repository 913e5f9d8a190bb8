import { Layer } from "effect"
import { layer as authentication } from "../../people/session/AuthenticationLayer.ts"
import { layer as registrations } from "../../people/registration/RegistrationsHttp.ts"
import { layer as runnerJobs } from "../../runner/parts/RunnerJobsHttp.ts"
import { layer as runners } from "../../runner/registration/RunnersHttp.ts"
import { layer as runnerTokens } from "../../runner/registration/RunnerTokensHttp.ts"
import { layer as liveVideos } from "../../live/video/LiveVideosHttp.ts"
import { layer as session } from "../../people/login/SessionHttp.ts"
import { layer as twoFactor } from "../../people/two-factor/TwoFactorHttp.ts"
import { layer as verification } from "../../people/user/VerificationHttp.ts"
import { layer as accounts } from "./AccountsHttp.ts"
import { layer as videoChannels } from "./ChannelsHttp.ts"
import { layer as channelSyncs } from "../../video/sync/ChannelSyncsHttp.ts"
import { layer as channelActivities } from "../../people/collaborator/ChannelActivitiesHttp.ts"
import { layer as collaborators } from "../../people/collaborator/CollaboratorsHttp.ts"
import { layer as playlists } from "../../social/playlist/PlaylistsHttp.ts"
import { layer as abuses } from "../../social/abuse/AbusesHttp.ts"
import { layer as bulk } from "../../social/comment/BulkHttp.ts"
import { layer as comments } from "../../social/comment/CommentsHttp.ts"
import { layer as rates } from "../../social/rating/RatesHttp.ts"
import { layer as overviews } from "../../video/overview/OverviewsHttp.ts"
import { layer as search } from "../../video/search/SearchHttp.ts"
import { layer as ownership } from "../../video/ownership/OwnershipHttp.ts"
import { layer as notifications } from "../../social/notification/NotificationsHttp.ts"
import { layer as subscriptionGroups } from "../../social/subscription/SubscriptionGroupsHttp.ts"
import { layer as subscriptions } from "../../social/subscription/SubscriptionsHttp.ts"
import { layer as userExports } from "../../archive/export/UserExportsHttp.ts"
import { layer as userImports } from "../../archive/import/UserImportsHttp.ts"
import { layer as users } from "../../people/user/UsersHttp.ts"
import { layer as myUser } from "./MyUserHttp.ts"
import { layer as myHistory } from "../../video/history/HistoryHttp.ts"
import { layer as videoStats } from "../../video/view/VideoStatsHttp.ts"
import { layer as videoViews } from "../../video/view/ViewsHttp.ts"
import { layer as videoChapters } from "../../video/chapter/VideoChaptersHttp.ts"
import { layer as videoBlocks } from "../../video/block/VideoBlocksHttp.ts"
import { layer as automaticTags } from "../../people/tags/AutomaticTagsHttp.ts"
import { layer as watchedWords } from "../../people/words/WatchedWordsHttp.ts"
import { layer as myBlocklist } from "../../people/block/MyBlocklistHttp.ts"
import { layer as serverBlocklist } from "../../people/block/ServerBlocklistHttp.ts"
import { layer as videoPasswords } from "../../video/password/VideoPasswordsHttp.ts"
import { layer as playerSettings } from "../../video/player/PlayerSettingsHttp.ts"
import { layer as videoEmbedPrivacy } from "../../video/embed/VideoEmbedPrivacyHttp.ts"
import { layer as videoImports } from "../../video/import/ImportsHttp.ts"
import { layer as videoEdit } from "../../video/edit/VideoEditHttp.ts"
import { layer as videoCaptions } from "../../video/caption/VideoCaptionsHttp.ts"
import { layer as videoFiles } from "../../video/list/VideoFilesHttp.ts"
import { layer as videoProcessing } from "../../video/source/VideoProcessingHttp.ts"
import { layer as videoSource } from "../../video/source/VideoSourceHttp.ts"
import { layer as videos } from "../../video/list/VideosHttp.ts"
import { layer as contact } from "../../instance/contact/ContactHttp.ts"
import { layer as federationHosts } from "../../federation/outbox/FederationHostsHttp.ts"
import { layer as follows } from "../../federation/follow/FollowsHttp.ts"
import { layer as redundancy } from "../../federation/redundancy/RedundancyHttp.ts"
import { layer as homepage } from "../../instance/homepage/HomepageHttp.ts"
import { layer as stats } from "../../instance/stats/StatsHttp.ts"
import { layer as config } from "../../instance/about/ConfigHttp.ts"
import { layer as jobs } from "../../instance/about/JobsHttp.ts"
import { layer as logs } from "../../instance/logs/LogsHttp.ts"
import { layer as mailings } from "../../instance/mailing/MailingsHttp.ts"
import { layer as webhooks } from "../../instance/webhook/WebhooksHttp.ts"
import { layer as userNotes } from "../../people/note/UserNotesHttp.ts"
import { layer as clientConfig } from "../../instance/about/ClientConfigHttp.ts"
import { layer as server } from "../../instance/about/ServerHttp.ts"

/** Handlers of every group of the API, its authentication, and the paths beside it that answer 404. */
export const ApiHandlers = Layer.mergeAll(
  registrations,
  runnerJobs,
  runners,
  runnerTokens,
  session,
  twoFactor,
  verification,
  accounts,
  federationHosts,
  follows,
  redundancy,
  channelActivities,
  channelSyncs,
  collaborators,
  ownership,
  overviews,
  playlists,
  search,
  myUser,
  notifications,
  subscriptions,
  subscriptionGroups,
  users,
  userNotes,
  mailings,
  webhooks,
  userExports,
  userImports,
  videoCaptions,
  videoChannels,
  videoChapters,
  playerSettings,
  videoEdit,
  liveVideos,
  videoImports,
  videoEmbedPrivacy,
  videoBlocks,
  myBlocklist,
  serverBlocklist,
  watchedWords,
  automaticTags,
  videoPasswords,
  videoFiles,
  videos,
  videoSource,
  videoProcessing,
  videoStats,
  videoViews,
  abuses,
  comments,
  rates,
  bulk,
  myHistory,
  config,
  contact,
  homepage,
  stats,
  server,
  logs,
  clientConfig,
  jobs
).pipe(Layer.provideMerge(authentication))
