import { Layer } from "effect"
import { layer as authentication } from "../sessions/AuthenticationLayer.ts"
import { layer as registrations } from "../registrations/RegistrationsHttp.ts"
import { layer as runnerJobs } from "../runners/RunnerJobsHttp.ts"
import { layer as runners } from "../runners/RunnersHttp.ts"
import { layer as runnerTokens } from "../runners/RunnerTokensHttp.ts"
import { layer as session } from "../sessions/SessionHttp.ts"
import { layer as twoFactor } from "../twofactor/TwoFactorHttp.ts"
import { layer as verification } from "../verification/VerificationHttp.ts"
import { layer as accounts } from "../accounts/AccountsHttp.ts"
import { layer as videoChannels } from "../channels/ChannelsHttp.ts"
import { layer as channelSyncs } from "../syncs/ChannelSyncsHttp.ts"
import { layer as channelActivities } from "../collaborators/ChannelActivitiesHttp.ts"
import { layer as collaborators } from "../collaborators/CollaboratorsHttp.ts"
import { layer as playlists } from "../playlists/PlaylistsHttp.ts"
import { layer as bulk } from "../comments/BulkHttp.ts"
import { layer as comments } from "../comments/CommentsHttp.ts"
import { layer as rates } from "../rates/RatesHttp.ts"
import { layer as overviews } from "../overviews/OverviewsHttp.ts"
import { layer as search } from "../search/SearchHttp.ts"
import { layer as ownership } from "../ownership/OwnershipHttp.ts"
import { layer as notifications } from "../notifications/NotificationsHttp.ts"
import { layer as subscriptions } from "../subscriptions/SubscriptionsHttp.ts"
import { layer as userExports } from "../userexports/UserExportsHttp.ts"
import { layer as userImports } from "../userimports/UserImportsHttp.ts"
import { layer as users } from "../users/UsersHttp.ts"
import { layer as myUser } from "../me/MyUserHttp.ts"
import { layer as myHistory } from "../history/HistoryHttp.ts"
import { layer as videoStats } from "../views/VideoStatsHttp.ts"
import { layer as videoViews } from "../views/ViewsHttp.ts"
import { LaterVideoRoutes } from "../videos/LaterVideoRoutes.ts"
import { layer as videoChapters } from "../chapters/VideoChaptersHttp.ts"
import { layer as videoPasswords } from "../passwords/VideoPasswordsHttp.ts"
import { layer as playerSettings } from "../players/PlayerSettingsHttp.ts"
import { layer as videoEmbedPrivacy } from "../embeds/VideoEmbedPrivacyHttp.ts"
import { layer as videoImports } from "../imports/ImportsHttp.ts"
import { layer as videoEdit } from "../edit/VideoEditHttp.ts"
import { layer as videoCaptions } from "../captions/VideoCaptionsHttp.ts"
import { layer as videoFiles } from "../videos/VideoFilesHttp.ts"
import { layer as videoSource } from "../source/VideoSourceHttp.ts"
import { layer as videos } from "../videos/VideosHttp.ts"
import { layer as contact } from "../contact/ContactHttp.ts"
import { layer as federationHosts } from "../outbox/FederationHostsHttp.ts"
import { layer as follows } from "../follows/FollowsHttp.ts"
import { layer as redundancy } from "../redundancy/RedundancyHttp.ts"
import { layer as homepage } from "../homepage/HomepageHttp.ts"
import { layer as stats } from "../stats/StatsHttp.ts"
import { layer as config } from "./ConfigHttp.ts"
import { layer as jobs } from "./JobsHttp.ts"
import { layer as server } from "./ServerHttp.ts"

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
  users,
  userExports,
  userImports,
  videoCaptions,
  videoChannels,
  videoChapters,
  playerSettings,
  videoEdit,
  videoImports,
  videoEmbedPrivacy,
  videoPasswords,
  videoFiles,
  videos,
  videoSource,
  videoStats,
  videoViews,
  comments,
  rates,
  bulk,
  myHistory,
  config,
  contact,
  homepage,
  stats,
  server,
  jobs,
  LaterVideoRoutes
).pipe(Layer.provideMerge(authentication))
