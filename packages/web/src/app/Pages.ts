import type { UserRight } from "@kinora/domain/enums/UserRight"
import type { ComponentType } from "preact"
import type { Area } from "../i18n/Text.ts"
import type { IconName } from "../ui/Icon.tsx"
import { match } from "../navigation/Match.ts"
import type { PageProps } from "../navigation/Page.ts"

/** A page of the working areas. Its script and its messages are loaded when it is opened. */
export interface PageEntry {
  /** `:name` stands for one part of the path. */
  readonly path: string
  /** Key of its title in the messages of `common`: in the navigation and in the title of the window. */
  readonly title:
    | "mutesTitle"
    | "commentsTitle"
    | "historyTitle"
    | "settingsTitle"
    | "statisticsTitle"
    | "channelsTitle"
    | "uploadTitle"
    | "videosTitle"
    | "editTitle"
  /** Messages that are loaded with it. */
  readonly areas: ReadonlyArray<Area>
  readonly icon: IconName
  readonly section: Section
  /** Who lacks the right sees no entry, and is refused at the address. */
  readonly right?: UserRight
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
    path: "/my/videos/:id",
    title: "editTitle",
    areas: ["edit", "videos", "form"],
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
    areas: ["channels"],
    icon: "channel",
    section: "mine",
    unlisted: true,
    load: () => import("../pages/channels/ChannelPage.tsx")
  },
  {
    path: "/my/settings",
    title: "settingsTitle",
    areas: ["settings"],
    icon: "sliders",
    section: "mine",
    load: () => import("../pages/settings/SettingsPage.tsx")
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
