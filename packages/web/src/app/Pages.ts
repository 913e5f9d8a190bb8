import type { UserRight } from "@kinora/domain/enums/UserRight"
import type { ComponentType } from "preact"
import type { Area } from "../i18n/Text.ts"
import type { IconName } from "../ui/Icon.tsx"
import type { Feature } from "../session/Features.ts"
import { match } from "../navigation/Match.ts"
import type { PageProps } from "../navigation/Page.ts"

/** A page of the working areas. Its script and its messages are loaded when it is opened. */
export interface PageEntry {
  /** `:name` stands for one part of the path. */
  readonly path: string
  /** Key of its title in the messages of `common`: in the navigation and in the title of the window. */
  readonly title:
    | "uploadTitle"
    | "goLiveTitle"
    | "controlRoomTitle"
    | "broadcastTitle"
    | "videosTitle"
    | "overviewTitle"
    | "reportsTitle"
    | "registrationsTitle"
    | "usersTitle"
    | "userTitle"
    | "newUserTitle"
    | "configTitle"
    | "appearanceTitle"
    | "jobsTitle"
    | "runnersTitle"
    | "mutesTitle"
    | "instanceMutesTitle"
    | "commentsTitle"
    | "historyTitle"
    | "subscriptionsTitle"
    | "settingsTitle"
    | "statisticsTitle"
    | "instanceStatisticsTitle"
    | "channelsTitle"
    | "editTitle"
    | "importsTitle"
    | "wordsTitle"
    | "instanceWordsTitle"
    | "ownershipTitle"
    | "logsTitle"
    | "videoBlocksTitle"
    | "allCommentsTitle"
    | "welcomeTitle"
    | "followsTitle"
    | "redundancyTitle"
    | "webhooksTitle"
  /** Messages that are loaded with it. */
  readonly areas: ReadonlyArray<Area>
  readonly icon: IconName
  readonly section: Section
  /** Who lacks the right sees no entry, and is refused at the address. */
  readonly right?: UserRight
  /** Left out of the navigation where the instance does not offer it. */
  readonly feature?: Feature
  /** Left out of the navigation: one comes there from another page. */
  readonly unlisted?: boolean
  readonly load: () => Promise<{ readonly Page: ComponentType<PageProps> }>
}

/** Groups of the navigation, in their order. */
export const sections = ["mine", "studio", "admin"] as const
export type Section = (typeof sections)[number]

/** Every page of the working areas. */
export const pages: ReadonlyArray<PageEntry> = [
  {
    path: "/my/videos",
    title: "videosTitle",
    areas: ["videos", "form"],
    icon: "film",
    section: "mine",
    load: () => import("../pages/videos/VideosPage.tsx")
  },
  {
    path: "/my/upload",
    title: "uploadTitle",
    areas: ["upload", "form"],
    icon: "upload",
    section: "mine",
    load: () => import("../pages/upload/UploadPage.tsx")
  },
  {
    path: "/my/lives/new",
    title: "goLiveTitle",
    areas: ["lives", "form"],
    icon: "live",
    section: "mine",
    feature: "live",
    load: () => import("../pages/live/NewLivePage.tsx")
  },
  {
    path: "/my/lives/:id",
    title: "controlRoomTitle",
    areas: ["lives", "form"],
    icon: "live",
    section: "mine",
    unlisted: true,
    load: () => import("../pages/live/ControlRoomPage.tsx")
  },
  {
    path: "/my/lives/:id/broadcast",
    title: "broadcastTitle",
    areas: ["broadcast", "lives"],
    icon: "live",
    section: "mine",
    unlisted: true,
    load: () => import("../pages/live/BroadcastPage.tsx")
  },
  {
    path: "/my/imports",
    title: "importsTitle",
    areas: ["imports", "form"],
    icon: "download",
    section: "mine",
    load: () => import("../pages/imports/ImportsPage.tsx")
  },
  {
    path: "/admin",
    title: "overviewTitle",
    areas: ["overview"],
    icon: "gauge",
    section: "admin",
    right: "MANAGE_ABUSES",
    load: () => import("../pages/overview/OverviewPage.tsx")
  },
  {
    path: "/admin/reports",
    title: "reportsTitle",
    areas: ["reports"],
    icon: "flag",
    section: "admin",
    right: "MANAGE_ABUSES",
    load: () => import("../pages/reports/ReportsPage.tsx")
  },
  {
    path: "/admin/registrations",
    title: "registrationsTitle",
    areas: ["registrations"],
    icon: "mail",
    section: "admin",
    right: "MANAGE_REGISTRATIONS",
    load: () => import("../pages/registrations/RegistrationsPage.tsx")
  },
  {
    path: "/admin/users",
    title: "usersTitle",
    areas: ["users"],
    icon: "users",
    section: "admin",
    right: "MANAGE_USERS",
    load: () => import("../pages/users/UsersPage.tsx")
  },
  {
    path: "/admin/users/new",
    title: "newUserTitle",
    areas: ["users"],
    icon: "plus",
    section: "admin",
    right: "MANAGE_USERS",
    unlisted: true,
    load: () => import("../pages/users/NewUserPage.tsx")
  },
  {
    path: "/admin/users/:id",
    title: "userTitle",
    areas: ["users"],
    icon: "user",
    section: "admin",
    right: "MANAGE_USERS",
    unlisted: true,
    load: () => import("../pages/users/UserPage.tsx")
  },
  {
    path: "/admin/mutes",
    title: "instanceMutesTitle",
    areas: ["mutes"],
    icon: "ban",
    section: "admin",
    right: "MANAGE_SERVERS_BLOCKLIST",
    load: () => import("../pages/mutes/InstanceMutesPage.tsx")
  },
  {
    path: "/admin/watched-words",
    title: "instanceWordsTitle",
    areas: ["words"],
    icon: "eye",
    section: "admin",
    right: "MANAGE_INSTANCE_WATCHED_WORDS",
    load: () => import("../pages/words/InstanceWordsPage.tsx")
  },
  {
    path: "/admin/video-blocks",
    title: "videoBlocksTitle",
    areas: ["blocks"],
    icon: "eye",
    section: "admin",
    right: "MANAGE_VIDEO_BLACKLIST",
    load: () => import("../pages/video-blocks/VideoBlocksPage.tsx")
  },
  {
    path: "/admin/comments",
    title: "allCommentsTitle",
    areas: ["review"],
    icon: "chat",
    section: "admin",
    right: "SEE_ALL_COMMENTS",
    load: () => import("../pages/comments/AllCommentsPage.tsx")
  },
  {
    path: "/admin/statistics",
    title: "instanceStatisticsTitle",
    areas: ["instanceStatistics", "statistics"],
    icon: "chart",
    section: "admin",
    right: "MANAGE_DEBUG",
    load: () => import("../pages/instance-statistics/InstanceStatisticsPage.tsx")
  },
  {
    path: "/admin/follows",
    title: "followsTitle",
    areas: ["follows"],
    icon: "globe",
    section: "admin",
    right: "MANAGE_SERVER_FOLLOW",
    load: () => import("../pages/follows/FollowsPage.tsx")
  },
  {
    path: "/admin/redundancy",
    title: "redundancyTitle",
    areas: ["redundancy"],
    icon: "copy",
    section: "admin",
    right: "MANAGE_VIDEOS_REDUNDANCIES",
    load: () => import("../pages/redundancy/RedundancyPage.tsx")
  },
  {
    path: "/admin/jobs",
    title: "jobsTitle",
    areas: ["jobs"],
    icon: "layers",
    section: "admin",
    right: "MANAGE_JOBS",
    load: () => import("../pages/jobs/JobsPage.tsx")
  },
  {
    path: "/admin/runners",
    title: "runnersTitle",
    areas: ["runners"],
    icon: "server",
    section: "admin",
    right: "MANAGE_RUNNERS",
    load: () => import("../pages/runners/RunnersPage.tsx")
  },
  {
    path: "/admin/webhooks",
    title: "webhooksTitle",
    areas: ["webhooks"],
    icon: "swap",
    section: "admin",
    right: "MANAGE_CONFIGURATION",
    load: () => import("../pages/webhooks/WebhooksPage.tsx")
  },
  {
    path: "/admin/webhooks/:id",
    title: "webhooksTitle",
    areas: ["webhooks"],
    icon: "swap",
    section: "admin",
    right: "MANAGE_CONFIGURATION",
    unlisted: true,
    load: () => import("../pages/webhooks/WebhookPage.tsx")
  },
  {
    path: "/admin/config",
    title: "configTitle",
    areas: ["config"],
    icon: "sliders",
    section: "admin",
    right: "MANAGE_CONFIGURATION",
    load: () => import("../pages/config/ConfigPage.tsx")
  },
  {
    path: "/admin/appearance",
    title: "appearanceTitle",
    areas: ["appearance"],
    icon: "brush",
    section: "admin",
    right: "MANAGE_CONFIGURATION",
    load: () => import("../pages/appearance/AppearancePage.tsx")
  },
  {
    path: "/admin/logs",
    title: "logsTitle",
    areas: ["logs"],
    icon: "list",
    section: "admin",
    right: "MANAGE_LOGS",
    load: () => import("../pages/logs/LogsPage.tsx")
  },
  {
    path: "/admin/welcome",
    title: "welcomeTitle",
    areas: ["welcome"],
    icon: "check",
    section: "admin",
    right: "MANAGE_CONFIGURATION",
    unlisted: true,
    load: () => import("../pages/welcome/WelcomePage.tsx")
  },
  {
    path: "/my/videos/:id",
    title: "editTitle",
    areas: ["edit", "videos", "form", "ownership"],
    icon: "pencil",
    section: "mine",
    unlisted: true,
    load: () => import("../pages/video-edit/EditPage.tsx")
  },
  {
    path: "/my/channels",
    title: "channelsTitle",
    areas: ["channels"],
    icon: "channel",
    section: "mine",
    load: () => import("../pages/channels/ChannelsPage.tsx")
  },
  {
    path: "/my/channels/:name",
    title: "channelsTitle",
    areas: ["channels", "ownership"],
    icon: "channel",
    section: "mine",
    unlisted: true,
    load: () => import("../pages/channels/ChannelPage.tsx")
  },
  {
    path: "/my/ownership",
    title: "ownershipTitle",
    areas: ["ownership"],
    icon: "swap",
    section: "mine",
    load: () => import("../pages/ownership/OwnershipPage.tsx")
  },
  {
    path: "/my/settings",
    title: "settingsTitle",
    areas: ["settings", "archives"],
    icon: "sliders",
    section: "mine",
    load: () => import("../pages/settings/SettingsPage.tsx")
  },
  {
    path: "/my/subscriptions",
    title: "subscriptionsTitle",
    areas: ["mySubscriptions"],
    icon: "users",
    section: "mine",
    load: () => import("../pages/subscriptions/SubscriptionsPage.tsx")
  },
  {
    path: "/my/history",
    title: "historyTitle",
    areas: ["history"],
    icon: "clock",
    section: "mine",
    load: () => import("../pages/history/HistoryPage.tsx")
  },
  {
    path: "/my/comments",
    title: "commentsTitle",
    areas: ["review"],
    icon: "chat",
    section: "mine",
    load: () => import("../pages/comments/CommentsPage.tsx")
  },
  {
    path: "/my/watched-words",
    title: "wordsTitle",
    areas: ["words"],
    icon: "eye",
    section: "mine",
    load: () => import("../pages/words/WordsPage.tsx")
  },
  {
    path: "/my/mutes",
    title: "mutesTitle",
    areas: ["mutes"],
    icon: "mute",
    section: "mine",
    load: () => import("../pages/mutes/MutesPage.tsx")
  },
  {
    path: "/my/statistics/:id",
    title: "statisticsTitle",
    areas: ["statistics"],
    icon: "chart",
    section: "mine",
    unlisted: true,
    load: () => import("../pages/statistics/StatisticsPage.tsx")
  }
]

export interface FoundPage {
  readonly page: PageEntry
  readonly params: Readonly<Record<string, string>>
}

/** The page at a path, with the values of its pattern. */
export const pageAt = (path: string): FoundPage | undefined => {
  for (const page of pages) {
    const params = match(page.path, path)
    if (params !== undefined) return { page, params }
  }
  return undefined
}
