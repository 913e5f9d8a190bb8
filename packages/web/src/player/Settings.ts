import type { Chapter } from "../api/Wire.ts"
import type { Captions } from "./Captions.ts"
import { chapterAt } from "./Chapters.ts"
import type { Commands } from "./Commands.ts"
import type { Page } from "./Menu.ts"
import { t } from "./Messages.ts"
import { auto, type Source } from "./Source.ts"
import { formatClock } from "./Time.ts"

export const speeds = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const

export interface SettingsInput {
  readonly video: HTMLVideoElement
  readonly captions: Captions
  readonly source: () => Source | undefined
  readonly seek: (seconds: number) => void
  readonly commands: Commands
  /** Plays in this rendition. */
  readonly choose: (id: number) => void
  /** Whether the viewer may change the speed. */
  readonly hasSpeed: () => boolean
}

const speedLabel = (speed: number) => (speed === 1 ? t("normal") : `${speed}×`)

const badgeOf = (height: number) => (height >= 2160 ? "4K" : height >= 720 ? "HD" : undefined)

const qualityPage = (feed: Source, choose: (id: number) => void): Page | undefined => {
  const qualities = feed.qualities()
  if (qualities.length === 0) return undefined
  const current = feed.current()
  const chosen = feed.selected()
  const automatic = chosen === auto
  const choices = qualities.map((it) => {
    const badge = badgeOf(it.height)
    return {
      label: it.label,
      ...(badge === undefined ? {} : { detail: badge }),
      chosen: chosen === it.id,
      choose: () => choose(it.id)
    }
  })
  const automaticChoice = {
    label: t("auto"),
    ...(automatic && current !== undefined ? { detail: current.label } : {}),
    chosen: automatic,
    choose: () => choose(auto)
  }
  const shown = current === undefined ? t("auto") : `${t("auto")} (${current.label})`
  return {
    title: t("quality"),
    value: automatic ? shown : (current?.label ?? ""),
    choices: feed.adaptive ? [automaticChoice, ...choices] : choices
  }
}

const speedPage = (video: HTMLVideoElement): Page => ({
  title: t("speed"),
  value: speedLabel(video.playbackRate),
  choices: speeds.map((speed) => ({
    label: speedLabel(speed),
    chosen: video.playbackRate === speed,
    choose: () => {
      video.playbackRate = speed
    }
  }))
})

const captionsPage = (captions: Captions): Page | undefined => {
  const labels = captions.labels()
  if (labels.length === 0) return undefined
  return {
    title: t("captions"),
    value: labels[captions.selected()] ?? t("off"),
    choices: [t("off"), ...labels].map((label, i) => ({
      label,
      chosen: captions.selected() === i - 1,
      choose: () => captions.select(i - 1)
    }))
  }
}

const chaptersPage = (
  chapters: ReadonlyArray<Chapter>,
  { seek, video }: Pick<SettingsInput, "seek" | "video">
): Page | undefined => {
  if (chapters.length === 0) return undefined
  const current = chapterAt(chapters, video.currentTime)
  return {
    title: t("chapters"),
    value: current?.title ?? "",
    choices: chapters.map((it) => ({
      label: it.title,
      detail: formatClock(it.timecode),
      chosen: it === current,
      choose: () => seek(it.timecode)
    }))
  }
}

const morePage = (commands: Commands): Page | undefined => {
  const offered = commands.offered()
  return offered.length === 0 ? undefined : { title: t("more"), value: "", choices: [], commands: offered }
}

/** The pages of the settings menu that have something to choose. */
export const settingsPages = (input: SettingsInput, chapters: ReadonlyArray<Chapter>): ReadonlyArray<Page> => {
  const feed = input.source()
  return [
    feed === undefined ? undefined : qualityPage(feed, input.choose),
    input.hasSpeed() ? speedPage(input.video) : undefined,
    captionsPage(input.captions),
    chaptersPage(chapters, input),
    morePage(input.commands)
  ].filter((it) => it !== undefined)
}
