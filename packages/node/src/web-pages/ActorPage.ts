import { actorAbout } from "./ActorAbout.ts"
import { face, handleOf } from "./Cards.ts"
import { truncate } from "../platform/html/Escape.ts"
import { type Html, html, nothing, urlAttribute } from "../platform/html/Html.ts"
import type { PageLanguage, Say } from "./language/PageLanguage.ts"
import { layout, type Surroundings } from "./Layout.ts"
import { activityLink, feedLinks, noIndex, pageMetadata } from "./Metadata.ts"
import type { PageActor } from "./PageActors.ts"
import { pageTabs } from "./PageTabs.ts"
import { subscribeButton } from "./SubscribeButton.ts"
import { toPlainText } from "../platform/markdown/Markdown.ts"
import { amount, richText } from "./Text.ts"

const feedsOf = ({ actor, kind }: PageActor, t: Say<"actors">): Html => {
  const name = actor.displayName
  const query = `?${kind === "account" ? "accountId" : "videoChannelId"}=${actor.id}`
  return feedLinks([
    { title: name, path: `/feeds/videos.xml${query}` },
    { title: `${name} (Atom)`, path: `/feeds/videos.atom${query}`, type: "application/atom+xml" },
    ...(kind === "account"
      ? [{ title: t("commentsBy", { name }), path: `/feeds/video-comments.xml${query}` }]
      : [
          { title: t("podcast", { name }), path: `/feeds/podcast/videos.xml${query}` },
          { title: t("commentsOn", { name }), path: `/feeds/video-comments.xml${query}` }
        ])
  ])
}

export type ActorTab = "videos" | "video-channels" | "video-playlists" | "about"

const tabNames = {
  videos: "videos",
  "video-channels": "channels",
  "video-playlists": "playlists",
  about: "about"
} as const satisfies Record<ActorTab, string>

/** The pages of an account or a channel, in their order. */
export const tabsOf = (kind: PageActor["kind"]): ReadonlyArray<ActorTab> =>
  kind === "account" ? ["videos", "video-channels", "video-playlists", "about"] : ["videos", "video-playlists", "about"]

/** The address of a page of an account or a channel. */
export const actorPath = ({ actor, kind }: PageActor, ownHost: string, tab: ActorTab = "videos"): string =>
  `/${kind === "account" ? "a" : "c"}/${handleOf(actor, ownHost)}${tab === "videos" ? "" : `/${tab}`}`

/** The browser code offers here to mute or to report, to who is logged in. */
const actions = ({ actor, kind }: PageActor, handle: string): Html => {
  const owner = kind === "channel" ? actor.ownerAccount : actor
  return html`<span
    data-actor-menu
    data-handle="${handle}"
    ${owner !== undefined && html`data-account="${owner.id}" data-muting="${owner.name}@${owner.host}"`}
  ></span>`
}

const header = (language: PageLanguage, page: ActorShown, handle: string): Html => {
  const { found } = page
  const { actor } = found
  const followers = amount(language, "followers", actor.followersCount)
  return html`<header class="actor">
    ${face(actor, 192)}
    <div class="actor-text">
      <h1 dir="auto">${actor.displayName}</h1>
      <p class="handle">@${actor.name}@${actor.host}<span class="dot"></span>${followers}</p>
      ${
        page.tab !== "about" &&
        actor.description !== null &&
        actor.description !== "" &&
        html`<div class="about rich" dir="auto">${richText(actor.description, -1)}</div>`
      }
    </div>
    <div class="actor-actions">
      ${found.kind === "channel" && subscribeButton(language, handle)} ${actions(found, handle)}
    </div>
  </header>`
}

export interface ActorShown {
  readonly found: PageActor
  readonly tab: ActorTab
  /** What the tab shows; undefined when there is nothing yet. */
  readonly content: Html | undefined
  readonly indexable: boolean
}

const emptyTexts = {
  videos: "noVideos",
  "video-channels": "noChannels",
  "video-playlists": "noPlaylists",
  about: "noDescription"
} as const satisfies Record<ActorTab, string>

/** The page of an account or a channel: its videos, channels, playlists, or what it says about itself. */
export const actorPage = (surroundings: Surroundings, page: ActorShown): Html => {
  const { instance, language } = surroundings
  const t = language.text("actors")
  const { found, tab } = page
  const { actor } = found
  const ownHost = new URL(instance.origin).host
  const local = actor.host === ownHost
  const banner = found.kind === "channel" ? found.actor.banners.toSorted((a, b) => b.width - a.width)[0] : undefined
  const picture = actor.avatars.toSorted((a, b) => b.width - a.width)[0]
  const said = toPlainText(actor.description ?? "").replace(/\s+/g, " ")
  return layout(surroundings, {
    title: tab === "videos" ? actor.displayName : `${t(tabNames[tab])} · ${actor.displayName}`,
    entry: "site",
    head: html`${(!local || !page.indexable) && noIndex}${pageMetadata({
      type: "profile",
      title: actor.displayName,
      description:
        truncate(said, 250) ||
        language.text("common")("onInstance", { name: actor.displayName, instance: instance.name }),
      url: local ? `${instance.origin}${actorPath(found, ownHost)}` : actor.url,
      image: picture?.fileUrl
    })}${feedsOf(found, t)}${activityLink(actor.url)}`,
    body: html`${banner === undefined ? nothing : html`<img class="banner" ${urlAttribute("src", banner.path || banner.fileUrl)} alt="" />`}
    ${header(language, page, handleOf(actor, ownHost))}
    ${pageTabs(
      t("tabs", { kind: found.kind }),
      tabsOf(found.kind).map((it) => [actorPath(found, ownHost, it), t(tabNames[it])]),
      actorPath(found, ownHost, tab)
    )}
    ${tab === "about" ? actorAbout(surroundings, found) : (page.content ?? html`<p class="none">${t(emptyTexts[tab])}</p>`)}`
  })
}
